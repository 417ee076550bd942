import { setInverseVolatilityWindow } from '@quantloom/domain/strategy/edit';
import type { InverseVolatilityNode } from '@quantloom/domain/strategy/tree';
import { useState } from 'react';
import { useEditorTools } from '../model/editor-context.ts';

/** The window as it is stored from free text: a variable, or the whole number in it, or 10. */
export function inverseVolatilityWindowOf(entered: string): number | string {
  const text = entered.trim();
  if (text.startsWith('$') && text.length > 1) return text;
  const number = Number.parseInt(text, 10);
  return Number.isFinite(number) ? number : 10;
}

/** The look-back of an inverse-volatility block: free text in place, read when it is left. */
export function InverseVolatilityWindow({ node }: { node: InverseVolatilityNode }) {
  const { store, isEditable } = useEditorTools();
  const [text, setText] = useState<string | null>(null);
  const apply = () => {
    if (text !== null)
      store.edit('Change window', (tree) =>
        setInverseVolatilityWindow(tree, node.id, inverseVolatilityWindowOf(text)),
      );
    setText(null);
  };
  return (
    <label className="flex shrink-0 items-center gap-1 text-muted">
      <span className="max-sm:sr-only">over</span>
      <input
        aria-label="Inverse volatility window in days"
        value={text ?? String(node.params.window)}
        readOnly={!isEditable}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        className="num h-6 w-14 max-sm:w-10 rounded-sm border border-line bg-raised px-1 text-right text-sm text-ink focus:outline-2 focus:outline-focus"
      />
      <span className="max-sm:sr-only">days</span>
    </label>
  );
}
