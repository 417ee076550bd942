import { makeVariables } from '@quantloom/domain/strategy/tree-values';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { waitFor } from 'xstate';
import { formatCount, plural } from '../../../lib/format.ts';
import { rememberSuggested } from '../../../lib/suggested-values.ts';
import { Button } from '../../../ui/Button.tsx';
import { SearchField } from '../../../ui/toolbar-inputs.tsx';
import type { EditorActor } from '../machines/actors.ts';
import { useEditorTools } from '../model/editor-context.ts';
import type { EditorStore } from '../model/editor-store.ts';
import { valueWords } from './value-words.ts';
import {
  chosenVariables,
  combinationsOf,
  draftsOf,
  nameFault,
  textsOf,
  type VariableDraft,
  valuesFault,
} from './variable-drafts.ts';

/** Lines shown at first: a large strategy has hundreds of values. */
const SHOWN = 60;

/** Numbers and tickers to tick, with a name and values to try for each; then a template, and on to its batch. */
export function VariablesTab({
  actor,
  store,
  onClose,
}: {
  actor: EditorActor;
  store: EditorStore;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const { canUseVariables } = useEditorTools();
  const [drafts, setDrafts] = useState(() => draftsOf(store.document.algorithm));
  const [search, setSearch] = useState('');
  const [isWhole, setWhole] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const chosen = drafts.filter(({ isChosen }) => isChosen);
  const faults = chosen.filter(({ name, values }) => (nameFault(name) ?? valuesFault(values)) !== null);
  const found = drafts.filter(({ of, name }) =>
    `${of.value} ${valueWords(of)} ${name}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const shown = isWhole ? found : found.slice(0, SHOWN);
  const change = (key: string, next: Partial<VariableDraft>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...next } : draft)));
  const make = () => {
    rememberSuggested(textsOf(drafts));
    store.edit(`Make ${plural(chosen.length, 'value')} variables`, (tree) =>
      makeVariables(tree, chosenVariables(drafts)),
    );
  };
  const makeAndClose = () => {
    make();
    onClose();
  };
  const makeAndGoOn = async () => {
    make();
    setSaving(true);
    actor.send({ type: 'user.save', document: store.document });
    const saved = await waitFor(actor, (state) => !state.matches('saving'));
    setSaving(false);
    onClose();
    const { id, error } = saved.context;
    if (saved.matches('editing') && error === null && id !== 'new')
      void navigate(`/batch-backtests/new?template_id=${encodeURIComponent(id)}`);
  };
  const isReady = chosen.length > 0 && faults.length === 0 && !isSaving;
  return (
    <div className="flex min-h-0 flex-col gap-3">
      <SearchField
        label="Find a number or ticker"
        placeholder="79, RSI, TQQQ"
        value={search}
        onChange={setSearch}
      />
      <ul
        className="flex max-h-[30dvh] sm:max-h-[45dvh] flex-col divide-y divide-line overflow-auto"
        aria-label="Values of the strategy"
      >
        {shown.map((draft) => (
          <Line key={draft.key} draft={draft} onChange={(next) => change(draft.key, next)} />
        ))}
      </ul>
      {found.length === 0 && (
        <p className="text-sm text-muted">Nothing in the strategy is called like this.</p>
      )}
      {found.length > shown.length && (
        <Button size="sm" onClick={() => setWhole(true)}>
          Show all {formatCount(found.length)} values
        </Button>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
        <p className="text-sm text-muted" role="status">
          {chosen.length === 0
            ? 'Tick what a batch should vary.'
            : `${plural(chosen.length, 'value')} ticked: ${formatCount(combinationsOf(drafts))} combinations.`}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button disabled={!isReady} onClick={makeAndClose}>
            Make them variables
          </Button>
          {canUseVariables && (
            <Button
              variant="primary"
              isBusy={isSaving}
              disabled={!isReady}
              onClick={() => void makeAndGoOn()}
            >
              Save and set up a batch
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function Line({
  draft: { of, isChosen, name, values },
  onChange,
}: {
  draft: VariableDraft;
  onChange: (next: Partial<VariableDraft>) => void;
}) {
  const fault = isChosen ? nameFault(name) : null;
  const listFault = isChosen ? valuesFault(values) : null;
  const words = `${of.value}, ${valueWords(of)}`;
  const field = 'num min-w-0 rounded border border-line bg-surface px-2 py-1 text-sm';
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
      <label className="flex min-w-0 flex-1 basis-48 items-center gap-2 sm:w-64 sm:flex-none">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChange({ isChosen: event.target.checked })}
        />
        <span className="num font-medium">{of.value}</span>
        <span className="min-w-0 truncate text-muted">{valueWords(of)}</span>
      </label>
      <span className="w-20 text-muted">{plural(of.times, 'place')}</span>
      {isChosen && (
        <>
          <input
            aria-label={`Name of the variable for ${words}`}
            aria-invalid={fault !== null}
            className={`${field} w-44 ${fault === null ? '' : 'border-danger'}`}
            value={name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <input
            aria-label={`Values to try for ${words}`}
            aria-invalid={listFault !== null}
            className={`${field} flex-1 basis-48 ${listFault === null ? '' : 'border-danger'}`}
            value={values}
            onChange={(event) => onChange({ values: event.target.value })}
          />
        </>
      )}
      {fault && <p className="basis-full text-danger">{fault}</p>}
      {listFault && (
        <p role="alert" className="basis-full text-danger">
          {listFault}
        </p>
      )}
    </li>
  );
}
