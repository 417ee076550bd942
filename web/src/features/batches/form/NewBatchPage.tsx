import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import { useMachine } from '@xstate/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { fromPromise } from 'xstate';
import { messageOf, queryClient } from '../../../lib/api.ts';
import { useFeature } from '../../../lib/auth/session.ts';
import { useCommands } from '../../../lib/commands.ts';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { useTypedSearch } from '../../../lib/paged-list.ts';
import { suggestedTexts } from '../../../lib/suggested-values.ts';
import { Button } from '../../../ui/Button.tsx';
import { Combobox } from '../../../ui/Combobox.tsx';
import { DatePicker, DateRangePicker } from '../../../ui/DatePicker.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { Page } from '../../../ui/Page.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { TermsDropdown } from '../../terms/TermsDropdown.tsx';
import {
  botQuery,
  createBatch,
  getEstimate,
  listsQuery,
  quotaQuery,
  templatesQuery,
} from '../model/batch-api.ts';
import {
  type BatchForm,
  canCreate,
  chooseTemplate,
  emptyForm,
  formFaults,
  formHoldOut,
  formOfBatch,
  isValidForm,
  setBothFills,
  setDates,
  setLists,
  setMode,
  setSlippage,
  setTerms,
  setText,
  suggestTexts,
  valueCounts,
} from '../model/batch-form.ts';
import { holdOutText } from '../model/hold-out-text.ts';
import { batchFormMachine } from './batch-form.machine.ts';
import { UnknownTickers } from './UnknownTickers.tsx';
import { UsagePanel } from './UsagePanel.tsx';
import { VariableField } from './VariableField.tsx';

/** What the further columns hold, by the fill that is chosen. */
const BOTH_FILLS_HINT = {
  close: 'Further columns show what each row would have made at the next close, a day later.',
  'next-close': 'Further columns show what each row would have made at the same close.',
} as const;

/** A new batch backtest: template, dates, values of every variable, estimate, create. */
export default function NewBatchPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const canSeeSlippage = useFeature('web.slippage.view');
  const machine = useMemo(
    () =>
      batchFormMachine.provide({
        actors: {
          estimate: fromPromise(({ input }) => getEstimate(input.form, input.lists)),
          create: fromPromise(({ input }) => createBatch(input.form, input.lists, input.key)),
        },
      }),
    [],
  );
  const source = (useLocation().state as { clone?: BatchDetail } | null)?.clone ?? null;
  const [state, send] = useMachine(machine, {
    input: { form: source ? formOfBatch(source, new Date()) : emptyForm(new Date()) },
  });
  const { form, lists, createError, createdId } = state.context;
  const change = (next: (form: BatchForm) => BatchForm) => send({ type: 'user.change', change: next });
  const [templateSearch, setTemplateSearch] = useState('');
  const [, typeTemplate] = useTypedSearch(templateSearch, setTemplateSearch);
  const [listSearch, setListSearch] = useState('');
  const [, typeList] = useTypedSearch(listSearch, setListSearch);
  const templates = useQuery(templatesQuery(templateSearch));
  const variableLists = useQuery(listsQuery(listSearch));
  const quota = useQuery(quotaQuery);
  const templateId = search.get('template_id');

  useEffect(() => {
    if (variableLists.data) send({ type: 'lists.loaded', lists: variableLists.data });
  }, [variableLists.data, send]);
  /** The template that was asked for last: one that comes later than it takes nobody's values away. */
  const wanted = useRef<string | null>(null);
  const choose = async (id: string | null, texts: Readonly<Record<string, string>> = {}) => {
    wanted.current = id;
    if (id === null) return send({ type: 'user.change', change: (now) => chooseTemplate(now, null) });
    try {
      const bot = await queryClient.fetchQuery(botQuery(id));
      if (wanted.current === id)
        send({ type: 'user.change', change: (now) => suggestTexts(chooseTemplate(now, bot), texts) });
    } catch (error) {
      if (wanted.current === id) toast.error(messageOf(error));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address preselects once
  useEffect(() => {
    // From the editor, perhaps with values for the variables that were made there.
    if (templateId) void choose(templateId, suggestedTexts());
  }, [templateId]);
  useEffect(() => {
    if (createdId) void navigate(`/batch-backtests/${createdId}`);
  }, [createdId, navigate]);

  const faults = formFaults(form, lists);
  const isEstimating = state.matches('estimating');
  const isCreating = state.matches('creating');
  const mayCreate = canCreate(form, lists) && !isCreating;
  const mayEstimate = isValidForm(form, lists) && !isEstimating;
  const create = () => send({ type: 'user.create', key: crypto.randomUUID() });
  useCommands([
    {
      id: 'batch.estimate',
      label: 'Get estimate',
      group: 'Batch',
      shortcut: 'Mod+E',
      worksInFields: true,
      isDisabled: !mayEstimate,
      run: () => send({ type: 'user.estimate' }),
    },
    {
      id: 'batch.create',
      label: 'Create batch backtest',
      group: 'Batch',
      shortcut: 'Mod+Enter',
      worksInFields: true,
      isDisabled: !mayCreate,
      run: create,
    },
  ]);
  const holdOut = formHoldOut(form);
  const kept = holdOut && 'kept' in holdOut ? holdOut.kept : null;
  const chosenId = form.template?.id ?? '';
  const templateOptions = (templates.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Page title="New Batch Backtest">
      <div className="flex flex-col gap-6 md:flex-row md:items-start">
        <aside
          aria-label="Estimate and usage"
          className="flex w-full shrink-0 flex-col gap-4 md:sticky md:top-4 md:w-72"
        >
          <div className="flex flex-col gap-2">
            <Button variant="primary" disabled={!mayCreate} isBusy={isCreating} onClick={create}>
              Create Batch Backtest
            </Button>
            <Button
              disabled={!mayEstimate}
              isBusy={isEstimating}
              onClick={() => send({ type: 'user.estimate' })}
            >
              Get Estimate
            </Button>
          </div>
          <RunningCount
            form={form}
            counts={valueCounts(form, lists)}
            remaining={quota.data?.remaining ?? null}
          />
          {source && <p className="text-sm text-muted">{reuseOf(source)}</p>}
          {form.estimateError && <Notice kind="danger">{form.estimateError}</Notice>}
          {form.estimate && <UnknownTickers estimate={form.estimate} />}
          {createError && <Notice kind="danger">{createError}</Notice>}
          <div className="rounded border border-line p-3">
            <UsagePanel
              usage={form.estimate?.usage ?? form.refusedUsage ?? quota.data ?? null}
              estimate={form.estimate}
            />
          </div>
        </aside>
        <div className="flex min-w-0 flex-1 flex-col gap-4 max-md:pb-12">
          <TextField
            label="Name"
            value={form.name}
            maxLength={200}
            placeholder={form.template ? `Backtest based on ${form.template.name}` : ''}
            onChange={(name) => change((now) => ({ ...now, name }))}
          />
          <DateRangePicker
            value={form}
            errors={{ start: faults.startDate ?? null, end: faults.endDate ?? null }}
            onChange={(range) => change((now) => setDates(now, range))}
          />
          <div className="flex flex-wrap gap-4">
            {canSeeSlippage && (
              <TextField
                label="Slippage (in bps)"
                className="w-44"
                inputMode="numeric"
                value={form.slippage}
                error={form.slippageError}
                onChange={(text) => change((now) => setSlippage(now, text))}
              />
            )}
            <DatePicker
              label="Out-of-sample from (optional)"
              className="w-56"
              value={form.outOfSampleDate ?? (kept?.holds === 'strategy' ? kept.date : null)}
              error={holdOut && 'fault' in holdOut ? holdOut.fault : null}
              onChange={(outOfSampleDate) => change((now) => setDates(now, { outOfSampleDate }))}
            />
            <div className="flex max-w-full items-end">
              <TermsDropdown
                value={form.terms}
                hasBenchmarks={false}
                onChange={(terms) => change((now) => setTerms(now, terms))}
              />
            </div>
          </div>
          <label className="flex min-h-6 w-fit cursor-pointer items-start gap-2 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4 accent-(--brand)"
              checked={form.bothFills}
              onChange={({ target }) => change((now) => setBothFills(now, target.checked))}
            />
            <span>
              Compute both fills
              <span className="block text-muted">
                {BOTH_FILLS_HINT[form.terms.fill]} It takes at least twice as long; the quota counts each row
                once.
              </span>
            </span>
          </label>
          {kept && <p className="text-sm text-muted">{holdOutText(kept, form.outOfSampleDate)}</p>}
          <Combobox
            label="Template"
            options={
              form.template && !templateOptions.some(({ value }) => value === chosenId)
                ? [...templateOptions, { value: chosenId, label: form.template.name }]
                : templateOptions
            }
            value={form.template ? chosenId : null}
            hint={source && form.template === source.template_bot && `As it was when ${source.name} ran.`}
            onSearch={typeTemplate}
            onChange={(id) => void choose(id)}
            placeholder="Search templates"
            emptyText="No templates. A strategy that holds a variable, such as $A, is one."
          />
          {Object.entries(form.variables).map(([name, input]) => (
            <VariableField
              key={name}
              name={name}
              input={input}
              lists={lists}
              found={variableLists.data ?? []}
              onSearchLists={typeList}
              error={
                input.text.trim() === '' && input.listIds.length === 0
                  ? null
                  : (faults.variables[name] ?? null)
              }
              onLists={(ids) => change((now) => setLists(now, name, ids))}
              onText={(text) => change((now) => setText(now, name, text))}
              onMode={(mode) => change((now) => setMode(now, name, mode, lists))}
            />
          ))}
        </div>
      </div>
    </Page>
  );
}

/** `12 x 8 x 5 = 480 combinations, about 2 s, 1,499,520 left this month`. */
function RunningCount({
  form,
  counts,
  remaining,
}: {
  form: BatchForm;
  counts: readonly number[];
  remaining: number | null;
}) {
  if (counts.length === 0 || counts.every((count) => count === 0)) return null;
  const product = counts.reduce((all, count) => all * count, 1);
  const seconds = form.estimate?.time_estimate.seconds;
  const left =
    form.estimate?.usage.remaining_after_backtests ?? (remaining === null ? null : remaining - product);
  return (
    <p
      className="num text-sm max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-10 max-md:border-t max-md:border-line max-md:bg-raised max-md:px-4 max-md:py-2"
      aria-live="polite"
    >
      {counts.length > 1 && `${counts.map(formatCount).join(' × ')} = `}
      <strong>{formatCount(product)}</strong> combinations
      {seconds !== undefined && `, about ${formatDuration(Math.max(1, Math.round(seconds)))}`}
      {left !== null && (
        <span className={left < 0 ? 'text-loss' : 'text-muted'}>, {formatCount(left)} left this month</span>
      )}
    </p>
  );
}

/** What of a cloned batch need not be computed again: nothing is promised that the server would not keep. */
function reuseOf({ name, is_owner: isOwner, status, provenance, backtest_config }: BatchDetail): string {
  const { benchmark_ticker: benchmark, starting_balance: balance } = backtest_config;
  if (benchmark !== 'SPY' || balance !== 10_000)
    return (
      `${name} has settings that this form does not know (its benchmark or starting balance): all ` +
      'combinations are computed anew, with SPY and $10,000.'
    );
  if (!isOwner) return `${name} is somebody else’s batch: all combinations are computed anew.`;
  if (status !== 'Finished') return `${name} has not finished: all combinations are computed anew.`;
  const [reason] = provenance.differs_today;
  return reason
    ? `All combinations are computed anew, since those of ${name} might come out differently today. ${reason}`
    : `Combinations that ${name} has computed are taken over and not counted again, as long as only ` +
        'values are changed: not the template, the dates, the slippage or another setting. The ' +
        'estimate says how many are new.';
}
