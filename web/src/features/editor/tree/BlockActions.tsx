import { duplicateBlock, wrapBlock } from '@quantloom/domain/strategy/edit';
import { detachStrategy } from '@quantloom/domain/strategy/strategy-block';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { ArrowDown, ArrowUp, Copy, CopyPlus, Folder, GitBranch, Scale, Trash2, Unlink } from 'lucide-react';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Menu } from '../../../ui/Menu.tsx';
import type { MenuEntry } from '../../../ui/menu-entries.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { moveBy } from '../model/moves.ts';
import { wrapTogether } from '../model/several.ts';
import { blockWords, kindWords } from '../model/words.ts';
import { DeleteButton } from './DeleteButton.tsx';
import { Grip, More } from './dot-icons.ts';

/**
 * The handle and the menu of a block. Their room is always kept, they themselves are drawn where the pointer
 * or the keyboard is: an undo may bring twenty lines back at once, and nineteen of them need no menu.
 */
export function BlockActions({
  node,
  isNear,
  isSelected,
}: {
  node: Algorithm | BlockNode;
  isNear: boolean;
  isSelected: boolean;
}) {
  const tools = useEditorTools();
  const { store, newId, isEditable, copy, requestRemoval } = tools;
  if (node.node_type === 'empty' || node.node_type === 'pasted')
    return isEditable ? (
      <DeleteButton label="Delete" isNear={isNear} onClick={() => requestRemoval(node)} />
    ) : null;
  const hasHandle = node.node_type !== 'root' && isEditable;
  const room = cx(
    'flex shrink-0 items-center justify-end',
    hasHandle ? 'w-14' : 'w-7',
    // On a phone the room is for the words; a long press on the line holds the block as well.
    hasHandle && !isSelected && 'max-sm:pointer-coarse:w-7',
  );
  if (!isNear) return <div className={room} />;
  const entries: MenuEntry[] = [{ label: 'Copy', icon: Copy, shortcut: 'Mod+C', onSelect: () => copy(node) }];
  if (node.node_type === 'group' && node.source && isEditable)
    entries.push({
      label: 'Make its blocks my own',
      icon: Unlink,
      onSelect: () => store.edit(`Detach ${blockWords(node)}`, (tree) => detachStrategy(tree, node.id)),
    });
  if (node.node_type !== 'root' && isEditable)
    entries.push(
      {
        label: 'Duplicate',
        icon: CopyPlus,
        shortcut: 'Mod+D',
        onSelect: () =>
          store.edit(`Duplicate ${blockWords(node)}`, (tree) => duplicateBlock(tree, node.id, newId)),
      },
      {
        label: 'Move up',
        icon: ArrowUp,
        shortcut: 'Alt+Up',
        movesFocus: true,
        onSelect: () => moveBy(tools, node.id, 'up'),
      },
      {
        label: 'Move down',
        icon: ArrowDown,
        shortcut: 'Alt+Down',
        movesFocus: true,
        onSelect: () => moveBy(tools, node.id, 'down'),
      },
      'separator',
      {
        label: 'Wrap in a group',
        icon: Folder,
        onSelect: () =>
          store.edit(`Wrap ${blockWords(node)} in a group`, (tree) =>
            wrapBlock(tree, node.id, 'group', newId),
          ),
      },
      {
        label: 'Wrap in a weight block',
        icon: Scale,
        onSelect: () =>
          store.edit(`Wrap ${blockWords(node)} in a weight block`, (tree) =>
            wrapBlock(tree, node.id, 'wt-cash-equal', newId),
          ),
      },
      {
        label: 'Wrap in an if',
        icon: GitBranch,
        movesFocus: true,
        onSelect: () => wrapTogether(store, [node], 'if-then-else'),
      },
      'separator',
      {
        label: 'Delete',
        icon: Trash2,
        shortcut: 'Delete',
        isDangerous: true,
        movesFocus: true,
        onSelect: () => requestRemoval(node),
      },
    );
  return (
    <div className={room}>
      {hasHandle && (
        <span
          data-drag-handle
          className={cx(
            'flex size-7 cursor-grab touch-none items-center justify-center text-faint',
            !isSelected && 'max-sm:pointer-coarse:hidden',
          )}
          aria-hidden
        >
          <Grip size={14} />
        </span>
      )}
      <Menu
        align="end"
        label={`Actions of ${kindWords(node)}`}
        entries={entries}
        trigger={<IconButton icon={More} label={`Actions of ${blockWords(node)}`} size="sm" tabIndex={-1} />}
      />
    </div>
  );
}
