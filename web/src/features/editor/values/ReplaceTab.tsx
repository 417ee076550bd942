import { INDICATOR_NAMES, INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { IndicatorName } from '@quantloom/domain/strategy/tree';
import {
  canTakeTheirPlace,
  placesToReplace,
  type Replacement,
  replaceValue,
} from '@quantloom/domain/strategy/tree-values';
import { useMemo, useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { entryFault } from '../../../lib/number-entry.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type EditorStore, useEditorState } from '../model/editor-store.ts';
import { typedReplacement, WHAT, type What } from './typed-replacement.ts';

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
  const of = isNumber && fn !== '' ? (fn as IndicatorName) : null;
  const { before, after } = typedReplacement({ what, of, from, to });
  const old = before?.isRead ? before.value : null;
  const next = after?.isRead ? after.value : null;
  const replacement = useMemo<Replacement | null>(() => {
    const kinds = WHAT.find(({ value }) => value === what)?.kinds ?? [];
    return old === null || next === null || old === next ? null : { kinds, fn: of, from: old, to: next };
  }, [what, of, old, next]);
  const { count, refused } = useMemo(
    () => (replacement ? placesToReplace(algorithm, replacement) : { count: 0, refused: 0 }),
    [algorithm, replacement],
  );
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
            <Select
              label="Find"
              options={FUNCTIONS}
              value={from === '' ? null : from}
              onChange={(found) => {
                setFrom(found);
                if (to !== '' && !canTakeTheirPlace(found as IndicatorName, to as IndicatorName)) setTo('');
              }}
            />
            <Select
              label="Replace by"
              options={FUNCTIONS.filter(
                ({ value }) =>
                  from === '' || canTakeTheirPlace(from as IndicatorName, value as IndicatorName),
              )}
              value={to === '' ? null : to}
              onChange={setTo}
            />
          </>
        ) : (
          <>
            <TextField label="Find" value={from} onChange={setFrom} error={before && entryFault(before)} />
            <TextField label="Replace by" value={to} onChange={setTo} error={after && entryFault(after)} />
          </>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted" role="status">
          {replacement
            ? `Found in ${plural(count + refused, 'place')}.${refusedWords(refused, count)}`
            : 'Say what to find, and what to put in its place.'}
        </p>
        <Button variant="primary" disabled={count === 0} onClick={replace}>
          Replace all
        </Button>
      </div>
    </div>
  );
}

const refusedWords = (refused: number, count: number): string =>
  refused === 0
    ? ''
    : ` ${count === 0 ? 'It stays in all of them' : `It stays in ${refused} of them`}, which cannot take the new one.`;
