import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../../lib/commands.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { useEditorState } from '../model/editor-store.ts';
import { nextFound, nodesWith } from '../model/find-in-tree.ts';

/**
 * Finds lines by their words, also within what is collapsed and in trees too long to be drawn whole: the
 * browser's own search sees neither. Enter goes to the line; F3 from there to the next one.
 */
export function FindBar({
  opened,
  covered,
  onClose,
}: {
  /** Raised each time that it is asked for: the field takes the keyboard again. */
  opened: number;
  /** Pixels at the top of the scrolling area that something else covers. */
  covered: number;
  onClose: () => void;
}) {
  const { store } = useEditorTools();
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const selectedId = useEditorState(store, (state) => state.selectedId);
  const [text, setText] = useState('');
  const found = useMemo(() => nodesWith(algorithm, text), [algorithm, text]);
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is asked for
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, [opened]);
  /** The line that the search has led to, as long as one stays on it. */
  const [reached, setReached] = useState<string | null>(null);
  const from = reached === selectedId ? reached : null;
  const go = (step: 1 | -1) => {
    const id = nextFound(found, from, step);
    if (id === null) return;
    setReached(id);
    store.reveal(id);
  };
  useCommands([
    {
      id: 'editor.find-next',
      label: 'Find the next line',
      group: 'Editor',
      shortcut: 'F3',
      run: () => go(1),
    },
    {
      id: 'editor.find-previous',
      label: 'Find the line before',
      group: 'Editor',
      shortcut: 'Shift+F3',
      run: () => go(-1),
    },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === 'F3') go(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  };
  const at = from === null ? -1 : found.indexOf(from);
  const said = text.trim() === '' ? '' : at === -1 ? `${found.length} found` : `${at + 1} of ${found.length}`;
  return (
    <search
      aria-label="Find in the strategy"
      style={{ top: covered }}
      className="sticky z-20 mx-3 mb-2 flex items-center gap-1 rounded border border-line bg-raised px-2 py-1 text-sm shadow-lg"
    >
      <input
        ref={field}
        type="search"
        aria-label="Find in the strategy"
        placeholder="A ticker, an indicator, a name"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        className="min-w-0 flex-1 bg-transparent px-1 py-1 outline-none placeholder:text-muted"
      />
      <span role="status" className="num whitespace-nowrap px-1 text-muted">
        {said}
      </span>
      <IconButton icon={ArrowUp} size="sm" label="The line before (Shift+F3)" onClick={() => go(-1)} />
      <IconButton icon={ArrowDown} size="sm" label="The next line (F3)" onClick={() => go(1)} />
      <IconButton icon={X} size="sm" label="Close the search" onClick={onClose} />
    </search>
  );
}
