import { INDICATOR_NAMES, INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { Algorithm, IndicatorName } from '@quantloom/domain/strategy/tree';
import {
  type Replacement,
  replaceValue,
  swapValues,
  type ValueKind,
} from '@quantloom/domain/strategy/tree-values';
import { isVariable, numberOf } from '@quantloom/domain/strategy/values';
import { useMemo, useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type EditorStore, useEditorState } from '../model/editor-store.ts';

type What = 'ticker' | 'window' | 'threshold' | 'function';

const WHAT: readonly {
  readonly value: What;
  readonly label: string;
  readonly kinds: readonly ValueKind[];
}[] = [
  { value: 'ticker', label: 'Ticker', kinds: ['held', 'signal'] },
  { value: 'window', label: 'Window', kinds: ['window'] },
  { value: 'threshold', label: 'Threshold', kinds: ['threshold'] },
  { value: 'function', label: 'Function', kinds: ['function'] },
];
const FUNCTIONS = INDICATOR_NAMES.map((name) => ({ value: name as string, label: INDICATORS[name].label }));
const ANY = { value: '', label: 'Any function' };

/** Replaces a ticker, window, threshold or function wherever it stands, and says before how often that is. */
export function ReplaceTab({ store }: { store: EditorStore }) {
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const [what, setWhat] = useState<What>('ticker');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [fn, setFn] = useState('');
  const isNumber = what === 'window' || what === 'threshold';
  const replacement = useMemo<Replacement | null>(() => {
    const [before, after] = [typedValue(what, from), typedValue(what, to)];
    const kinds = WHAT.find(({ value }) => value === what)?.kinds ?? [];
    if (before === null || after === null || before === after) return null;
    return { kinds, fn: isNumber && fn !== '' ? (fn as IndicatorName) : null, from: before, to: after };
  }, [what, from, to, fn, isNumber]);
  const count = useMemo(() => (replacement ? placesOf(algorithm, replacement) : 0), [algorithm, replacement]);
  const choose = (next: What) => {
    setWhat(next);
    setFrom('');
    setTo('');
  };
  const replace = () => {
    if (!replacement) return;
    store.edit(`Replace ${replacement.from} by ${replacement.to}`, (tree) => replaceValue(tree, replacement));
    toast.success(`Replaced in ${plural(count, 'place')}`);
  };
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 md:grid-cols-2">
        <Select label="What" options={WHAT} value={what} onChange={choose} />
        {isNumber && <Select label="Of" options={[ANY, ...FUNCTIONS]} value={fn} onChange={setFn} />}
      </div>
      <div className="grid gap-3 md:grid-cols-2">
        {what === 'function' ? (
          <>
            <Select label="Find" options={FUNCTIONS} value={from === '' ? null : from} onChange={setFrom} />
            <Select label="Replace by" options={FUNCTIONS} value={to === '' ? null : to} onChange={setTo} />
          </>
        ) : (
          <>
            <TextField label="Find" value={from} onChange={setFrom} />
            <TextField label="Replace by" value={to} onChange={setTo} />
          </>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted" role="status">
          {replacement
            ? `Found in ${plural(count, 'place')}.`
            : 'Say what to find, and what to put in its place.'}
        </p>
        <Button variant="primary" disabled={count === 0} onClick={replace}>
          Replace all
        </Button>
      </div>
    </div>
  );
}

/** What was typed, as it stands in a tree; null where it cannot. */
function typedValue(what: What, text: string): number | string | null {
  const typed = text.trim();
  if (what === 'function') return typed === '' ? null : typed;
  if (what === 'ticker' && typed !== '') return typed.startsWith('$') ? typed : typed.toUpperCase();
  return isVariable(typed) ? typed : numberOf(typed);
}

function placesOf(algorithm: Algorithm, { kinds, fn, from }: Replacement): number {
  let count = 0;
  swapValues(algorithm, (place) => {
    if (kinds.includes(place.kind) && place.value === from && (fn === null || place.fn === fn)) count += 1;
    return place.value;
  });
  return count;
}
