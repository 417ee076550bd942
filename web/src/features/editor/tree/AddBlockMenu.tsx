import type { BlockSlot } from '@quantloom/domain/strategy/edit';
import { insertBlock, pasteInto, replaceEmpty, setAsset } from '@quantloom/domain/strategy/edit';
import {
  assetBlock,
  type NewBlockKind,
  newBlock,
  percent,
  withNewIds,
} from '@quantloom/domain/strategy/node-factory';
import { pasteFault, strategyBlock } from '@quantloom/domain/strategy/strategy-block';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { ClipboardPaste, Filter, Folder, GitBranch, Keyboard, LineChart, Package, Scale } from 'lucide-react';
import type { ReactElement } from 'react';
import { Menu } from '../../../ui/Menu.tsx';
import type { MenuEntry } from '../../../ui/menu-entries.ts';
import { toast } from '../../../ui/toast.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { blockWords } from '../model/words.ts';

/** Where the new block goes: in place of an empty one, or into a gap of a list. */
export type AddTarget =
  | { readonly emptyId: string; readonly weight?: number | string }
  | { readonly parentId: string; readonly slot: BlockSlot; readonly index: number };

const KINDS: readonly { kind: NewBlockKind; label: string; description: string; icon: typeof Folder }[] = [
  { kind: 'group', label: 'Group', description: 'Organize blocks with a named group', icon: Folder },
  {
    kind: 'wt-cash-equal',
    label: 'Weight',
    description: 'Control how much to allocate to each block',
    icon: Scale,
  },
  {
    kind: 'if-then-else',
    label: 'If/Then/Else',
    description: 'If/then logic based on multiple conditions',
    icon: GitBranch,
  },
  { kind: 'filter', label: 'Filter', description: 'Filter blocks based on a condition', icon: Filter },
];

/** The Add Block menu, offered in place of an empty block and at every gap. */
export function AddBlockMenu({ target, trigger }: { target: AddTarget; trigger: ReactElement }) {
  return <Menu trigger={trigger} label="Add Block" entries={useAddBlockEntries(target)} />;
}

/** The ways to put a block there. */
export function useAdding(target: AddTarget) {
  const { store, newId, strategyId, openAssetPicker, openStrategyPicker, openTypeBlocks, readCopied } =
    useEditorTools();
  const isEmpty = 'emptyId' in target;

  const paste = () => {
    const copied = readCopied();
    if (!copied) {
      toast.error('There is no copied block to paste');
      return;
    }
    const refused = pasteFault(copied, strategyId());
    if (refused !== null) {
      toast.error(refused);
      return;
    }
    store.add(`Paste ${blockWords(copied)}`, (tree) =>
      isEmpty
        ? pasteInto(tree, target.emptyId, copied, newId)
        : insertBlock(tree, target, { ...withNewIds(copied, newId), weight: percent(copied.weight.num) }),
    );
  };
  const pickAsset = () =>
    openAssetPicker({
      purpose: 'asset',
      current: '',
      onPick: (asset) =>
        store.add(`Add ${asset.ticker}`, (tree) =>
          isEmpty
            ? setAsset(tree, target.emptyId, asset, newId)
            : insertBlock(tree, target, assetBlock(newId, asset)),
        ),
    });
  const insert = (block: BlockNode) =>
    store.add(`Add ${blockWords(block)}`, (tree) =>
      isEmpty ? pasteInto(tree, target.emptyId, block, newId) : insertBlock(tree, target, block),
    );
  const type = () => openTypeBlocks({ onAdd: insert });
  const take = () => openStrategyPicker({ onPick: (strategy) => insert(strategyBlock(strategy, newId)) });
  const add = (kind: NewBlockKind, label: string) =>
    store.add(`Add ${label.toLowerCase()}`, (tree) =>
      isEmpty
        ? replaceEmpty(tree, target.emptyId, kind, newId)
        : insertBlock(tree, target, newBlock(kind, newId)),
    );
  return { paste, pickAsset, type, take, add };
}

/** What can be added, as menu entries. */
function useAddBlockEntries(target: AddTarget): readonly MenuEntry[] {
  const { paste, pickAsset, type, take, add } = useAdding(target);
  return [
    { label: 'Paste block', icon: ClipboardPaste, shortcut: 'Mod+V', movesFocus: true, onSelect: paste },
    'separator',
    {
      label: 'Asset',
      description: 'Add stocks or ETFs',
      icon: LineChart,
      movesFocus: true,
      onSelect: pickAsset,
    },
    ...KINDS.map(({ kind, label, description, icon }) => ({
      label,
      description,
      icon,
      movesFocus: true,
      onSelect: () => add(kind, label),
    })),
    {
      label: 'Strategy',
      description: 'A saved strategy as one block, at a revision that stays',
      icon: Package,
      movesFocus: true,
      onSelect: take,
    },
    {
      label: 'Text',
      description: 'Type it: if RSI(SPY, 10) > 79 then TLT else SPY',
      icon: Keyboard,
      movesFocus: true,
      onSelect: type,
    },
  ];
}
