import { completionsAt } from '@quantloom/domain/exchange/text/completion';
import { parseText } from '@quantloom/domain/exchange/text/parser';
import { TextError } from '@quantloom/domain/exchange/text/tokens';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { useMemo, useRef, useState } from 'react';
import { newNodeId } from '../../../lib/new-id.ts';
import { useTickerSearch } from '../../../lib/ticker-search.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Textarea } from '../../../ui/text-inputs.tsx';

/** Takes blocks as text, `if RSI(TQQQ, 10) > 79 then UVXY else TQQQ`, with completion and the fault at its word. */
export function TypeBlocks({
  begun,
  onAdd,
  onClose,
}: {
  /** What was typed of it already. */
  begun: string;
  onAdd: (block: BlockNode) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(begun);
  const field = useRef<HTMLTextAreaElement>(null);
  const search = useTickerSearch().data?.search;
  const parsed = useMemo(() => parse(text), [text]);
  // One types at the end; what stands after the cursor is left alone by then.
  const { from, options } = completionsAt(text, text.length, (start) =>
    (search?.search(start) ?? []).map(({ ticker }) => ticker),
  );
  const complete = (option: string) => {
    // A word of the language is followed by a blank.
    setText(text.slice(0, from) + option + (/[a-z]$/.test(option) ? ' ' : ''));
    field.current?.focus();
  };
  const add = () => {
    if (!parsed.block) return;
    onAdd(parsed.block);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Type a block"
      initialFocus={field}
      returnsFocus={() => parsed.block === null}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={parsed.block === null} onClick={add}>
            Add it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <Textarea
          ref={field}
          label="In words"
          hint="Tab takes the first suggestion, Enter adds the block"
          placeholder="if RSI(TQQQ, 10) > 79 then UVXY else TQQQ"
          isMono
          minHeight={96}
          value={text}
          onChange={setText}
          // A field that opens with text in it has its cursor before the first letter.
          onFocus={({ currentTarget }) =>
            currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length)
          }
          onKeyDown={(event) => {
            const [first] = options;
            // A fault leaves the line where it is: Enter then begins another one, as Shift always does.
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing && parsed.block) {
              event.preventDefault();
              add();
              return;
            }
            if (event.key !== 'Tab' || event.shiftKey || first === undefined) return;
            event.preventDefault();
            complete(first);
          }}
        />
        <section className="flex min-h-8 flex-wrap gap-1" aria-label="Suggestions">
          {options.map((option) => (
            <Button key={option} size="sm" onClick={() => complete(option)}>
              {option}
            </Button>
          ))}
        </section>
        {parsed.fault && (
          <p role="status" className="break-words text-sm text-muted">
            {parsed.fault}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Characters that are read while one types. */
const MAX_TYPED = 50_000;

/** One block of a text; several are weighted equally. */
function parse(text: string): { readonly block: BlockNode | null; readonly fault: string | null } {
  if (text.trim() === '') return { block: null, fault: null };
  // Read anew with every letter.
  if (text.length > MAX_TYPED)
    return { block: null, fault: 'This is too long to be typed: use Import, which reads whole files.' };
  try {
    const { blocks } = parseText(text, newNodeId);
    const [only] = blocks;
    if (blocks.length === 1 && only) return { block: only, fault: null };
    const common = { id: newNodeId(), weight: { num: 100, den: 100 }, is_collapsed: false };
    return { block: { ...common, node_type: 'wt-cash-equal', children: blocks }, fault: null };
  } catch (error) {
    if (error instanceof TextError) return { block: null, fault: error.placed(text) };
    throw error;
  }
}
