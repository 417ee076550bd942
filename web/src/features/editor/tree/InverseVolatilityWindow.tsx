import { setInverseVolatilityWindow } from '@quantloom/domain/strategy/edit';
import { MIN_INVERSE_VOLATILITY_WINDOW } from '@quantloom/domain/strategy/indicator';
import { MAX_WINDOW } from '@quantloom/domain/strategy/indicator-table';
import type { InverseVolatilityNode } from '@quantloom/domain/strategy/tree';
import { useState } from 'react';
import { entryFault, readNumberOrVariable, type ValueEntry } from '../../../lib/number-entry.ts';
import { toast } from '../../../ui/toast.tsx';
import { useEditorTools } from '../model/editor-context.ts';

const LIMITS = { isWhole: true, min: MIN_INVERSE_VOLATILITY_WINDOW, max: MAX_WINDOW };

/** The window that free text stands for: a variable, or a whole number with or without `days` behind it. */
function inverseVolatilityWindowOf(entered: string): ValueEntry {
  return readNumberOrVariable(entered.replace(/\s*(?:trading )?days?\s*$/i, ''), LIMITS);
}

/**
 * The look-back of an inverse-volatility block: free text in place, read when it is left or with Enter;
 * Escape leaves it as it was.
 */
export function InverseVolatilityWindow({ node, id }: { node: InverseVolatilityNode; id: string }) {
  const { store, isEditable } = useEditorTools();
  const [text, setText] = useState<string | null>(null);
  const entry = text === null ? null : inverseVolatilityWindowOf(text);
  const fault = entry && entryFault(entry);
  const apply = () => {
    if (entry?.isRead)
      store.edit('Change window', (tree) => setInverseVolatilityWindow(tree, node.id, entry.value));
    else if (fault) toast.error(`The window stays ${node.params.window}. ${fault}.`);
    setText(null);
  };
  return (
    <label className="flex shrink-0 items-center gap-1 text-muted">
      {/* A field says what it is for, not what it holds. */}
      <span id={id} className="sr-only">
        <span className="max-sm:hidden">over </span>
        {node.params.window}
        <span className="max-sm:hidden"> days</span>
      </span>
      <span className="max-sm:hidden">over</span>{' '}
      <input
        aria-label="Inverse volatility window in days"
        aria-invalid={fault ? true : undefined}
        title={fault ?? 'Enter keeps it, Escape leaves it as it was'}
        value={text ?? String(node.params.window)}
        readOnly={!isEditable}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !fault) event.currentTarget.blur();
          if (event.key === 'Escape') setText(null);
        }}
        className="num h-6 w-14 max-sm:w-10 rounded-sm border border-line bg-raised px-1 text-right text-sm text-ink focus:outline-2 focus:outline-focus aria-invalid:border-danger aria-invalid:text-danger"
      />{' '}
      <span className="max-sm:hidden">days</span>
    </label>
  );
}
