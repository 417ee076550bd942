import { ArrowDown, ArrowUp, Copy, Folder, GitBranch, Scale, Trash2, X } from 'lucide-react';
import { plural } from '../../../lib/format.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { useEditorState } from '../model/editor-store.ts';
import { copyTogether, moveTogether, wrapTogether } from '../model/several.ts';

const WRAPS = [
  { kind: 'group', label: 'Group', icon: Folder },
  { kind: 'wt-cash-equal', label: 'Weight', icon: Scale },
  { kind: 'if-then-else', label: 'If', icon: GitBranch },
] as const;

/** What can be done with several chosen blocks; there while more than one is chosen. */
export function SeveralBar() {
  const tools = useEditorTools();
  const { store, isEditable, requestRemovalOf } = tools;
  const anchorId = useEditorState(store, (state) => state.anchorId);
  // Both decide which blocks these are.
  useEditorState(store, (state) => state.selectedId);
  useEditorState(store, ({ history }) => history.present.algorithm);
  if (anchorId === null || !isEditable) return null;
  const blocks = store.several();
  if (blocks.length === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label="Chosen blocks"
      className="sticky bottom-3 z-20 mx-3 mt-2 flex flex-wrap items-center gap-1 rounded border border-line bg-raised px-3 py-1.5 text-sm shadow-lg"
    >
      <span aria-live="polite" className="mr-2 font-medium">
        {plural(blocks.length, 'block')} chosen
      </span>
      <span className="text-muted">Wrap in</span>
      {WRAPS.map(({ kind, label, icon: Icon }) => (
        <Button key={kind} size="sm" variant="ghost" onClick={() => wrapTogether(store, blocks, kind)}>
          <Icon size={14} aria-hidden /> {label}
        </Button>
      ))}
      <IconButton
        icon={ArrowUp}
        size="sm"
        label="Move them up"
        onClick={() => moveTogether(store, blocks, 'up')}
      />
      <IconButton
        icon={ArrowDown}
        size="sm"
        label="Move them down"
        onClick={() => moveTogether(store, blocks, 'down')}
      />
      <IconButton icon={Copy} size="sm" label="Copy them" onClick={() => copyTogether(tools, blocks)} />
      <IconButton icon={Trash2} size="sm" label="Delete them" onClick={() => requestRemovalOf(blocks)} />
      <IconButton icon={X} size="sm" label="Choose one only" onClick={() => store.chooseOne()} />
    </div>
  );
}
