import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useFeature } from '../../../lib/auth/session.ts';
import { useCommands } from '../../../lib/commands.ts';
import { draftsById } from '../../../lib/resources.ts';
import { termsAgain } from '../../../lib/terms-again.ts';
import { useTickerSearch } from '../../../lib/ticker-search.ts';
import { cx } from '../../../ui/classes.ts';
import { DateRangePicker } from '../../../ui/DatePicker.tsx';
import { FetchedInPlace, fetchedPart, onFirstUse } from '../../../ui/fetched.tsx';
import { toast } from '../../../ui/toast.tsx';
import { TermsDropdown } from '../../terms/TermsDropdown.tsx';
import type { EditorActor, RunActor } from '../machines/actors.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { type EditorStore, useEditorState } from '../model/editor-store.ts';
import { usePreference } from '../model/preferences.ts';
import { isBlocking, problemsByNode } from '../model/problems.ts';
import { asReopened } from '../model/reopened.ts';
import { isSameOnOtherDays } from '../model/run-before.ts';
import {
  dateFaults,
  lastDayOf,
  type RunSettings,
  requestOf,
  settingsOfTerms,
} from '../model/run-settings.ts';
import { useCheckedStrategy } from '../model/use-checked-strategy.ts';
import { decisionOf, pathOnDay, reasonsOnDay } from '../model/why.ts';
import { AttributionHead } from '../tree/AttributionText.tsx';
import { FindBar } from '../tree/FindBar.tsx';
import { StrategyTree } from '../tree/StrategyTree.tsx';
import { EDITOR_KEYS } from '../tree/told-keys.ts';
import type { ChosenSettings } from '../use-run-settings.ts';
import { BacktestSection } from './BacktestSection.tsx';
import { LeftPanel } from './LeftPanel.tsx';
import { RefusedSettings } from './RefusedSettings.tsx';
import { SlippageDropdown } from './SlippageDropdown.tsx';
import { StartHere } from './StartHere.tsx';
import { useCoveredHeight, useIsWide } from './use-room.ts';

/** Pixels, with what is left free below it. */
const FIND_BAR_HEIGHT = 52;
/** How long after it was checked an unchanged strategy is run by itself. */
const LIVE_DELAY = 100;

const severalBar = fetchedPart(async () => (await import('../tree/SeveralBar.tsx')).SeveralBar);
onFirstUse(severalBar.fetch);

/** Left panel, chart and tree. */
export function Overview({
  actor,
  run,
  store,
  chosen: { settings, isChosen, refused, setSettings: onSettings, forgetRefused },
  pinnedDay,
  onPinDay,
}: {
  actor: EditorActor;
  run: RunActor;
  store: EditorStore;
  chosen: ChosenSettings;
  pinnedDay: number | null;
  onPinDay: (day: number | null) => void;
}) {
  const { variables } = useEditorTools();
  const choosesSeveral = useEditorState(store, ({ anchorId }) => anchorId !== null);
  const answer = useSelector(run, ({ context }) => context.answer);
  const mode = useSelector(run, ({ value }) => value);
  const [isLive, setLive] = usePreference('live', false);
  const [hoveredDay, setHoveredDay] = useState<number | null>(null);
  const day = hoveredDay ?? pinnedDay;
  const isTemplate = variables.length > 0;
  const runWith = useCallback(
    (next: RunSettings) => {
      // A template has no values to run with: it is backtested as a batch.
      const request = isTemplate ? null : requestOf(next, store.document.algorithm);
      if (request) run.send({ type: 'user.run', request });
      else if (!isTemplate) tellMissingDate(next);
    },
    [run, store, isTemplate],
  );
  const runSample = useCallback(
    (algorithm: Algorithm, label: string) => {
      const request = requestOf(settings, algorithm);
      if (request) run.send({ type: 'user.run', request, label });
      else tellMissingDate(settings);
    },
    [run, settings],
  );
  const runNow = useCallback(() => {
    const { request, label } = run.getSnapshot().context;
    // What failed of a template is run again with the same values.
    if (isTemplate && request && label !== null) runSample(request.trading_bot, label);
    else runWith(settings);
  }, [run, runWith, runSample, settings, isTemplate]);
  const [search, setSearch] = useSearchParams();
  // `?run=1`: a starter strategy is run as soon as it opens, once.
  const isAskedToRun = search.get('run') === '1';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for the address it came with
  useEffect(() => {
    if (!isAskedToRun) return;
    setSearch({}, { replace: true });
    runWith(settings);
  }, [isAskedToRun]);

  const id = useSelector(actor, ({ context }) => context.id);
  const [openedId] = useState(id);
  // A saved strategy that was run before opens with its result: on the same terms, unless the address names others.
  const opened = useQuery({ ...draftsById([openedId]), enabled: openedId !== 'new' });
  const lastRun = opened.data?.[0]?.lastRun ?? null;
  const isOpened = openedId === 'new' || opened.isFetched;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the strategy that was opened
  useEffect(() => {
    if (!lastRun || isTemplate || isAskedToRun || run.getSnapshot().value !== 'idle') return;
    const asBefore = isChosen ? settings : settingsOfTerms(termsAgain(lastRun));
    if (!isChosen) onSettings(asBefore);
    const request = requestOf(asBefore, store.document.algorithm);
    if (request) run.send({ type: 'auto.run', request: asReopened(request) });
  }, [lastRun !== null]);

  const loaded = useTickerSearch().data;
  const tickers = loaded?.data;
  const known = useMemo(
    () =>
      loaded &&
      new Set([...loaded.data.map(({ ticker }) => ticker), ...loaded.series.map(({ name }) => name)]),
    [loaded],
  );
  const lastDay = useMemo(() => tickers && lastDayOf(tickers), [tickers]);
  const { algorithm: checked, problems } = useCheckedStrategy(store, known);
  const byNode = useMemo(() => problemsByNode(problems), [problems]);

  const canRunByItself = isLive && isOpened && !isTemplate && !problems.some(isBlocking);
  useEffect(() => {
    const request = canRunByItself ? requestOf(settings, checked) : null;
    if (!request) return;
    const last = run.getSnapshot().context.request;
    if (last && isSameOnOtherDays(last, request)) return;
    const timer = window.setTimeout(() => {
      // Who types on is checked again before anything runs.
      if (store.document.algorithm === checked) run.send({ type: 'auto.run', request });
    }, LIVE_DELAY);
    return () => window.clearTimeout(timer);
  }, [canRunByItself, checked, settings, run, store]);

  const isRunning = mode === 'running';
  /** How often the search was asked for; 0: it is closed. */
  const [searched, setSearched] = useState(0);
  useCommands([
    {
      id: 'editor.run',
      label: 'Run backtest',
      group: 'Editor',
      shortcut: 'Mod+Enter',
      worksInFields: true,
      isDisabled: isRunning || isTemplate,
      run: runNow,
    },
    {
      id: 'editor.tree',
      label: 'Go to the strategy tree',
      group: 'Editor',
      shortcut: 'T',
      run: focusTree,
    },
    {
      id: 'editor.find',
      label: 'Find in the strategy',
      group: 'Editor',
      shortcut: 'Mod+F',
      // In a field the browser's own search comes, by a second press too.
      worksInFields: false,
      run: () => setSearched((times) => times + 1),
    },
    ...EDITOR_KEYS,
  ]);
  const fill = useSelector(run, ({ context }) => context.answered?.fill ?? 'close');
  /** The decision that gave the day's holdings. */
  const decided = day === null ? null : decisionOf(day, fill);
  const highlighted = useMemo(
    () => (decided === null || !answer ? undefined : pathOnDay(answer, decided)),
    [answer, decided],
  );
  const reasons = useMemo(
    () => (decided === null || !answer ? undefined : reasonsOnDay(answer, decided)),
    [answer, decided],
  );
  const column = useRef<HTMLDivElement>(null);
  const staysInSight = answer !== null || isRunning;
  const [isOpen, setOpen] = usePreference('chart', true);
  // Where there is room the tree stands beside the chart, each scrolling by itself; a folded chart leaves all
  // of it to the tree.
  const isBeside = useIsWide() && staysInSight && isOpen;
  const covered = useCoveredHeight(column, staysInSight && !isBeside);
  /** What lines are not scrolled below. */
  const hidden = covered + (searched > 0 ? FIND_BAR_HEIGHT : 0);
  return (
    <div className="relative flex flex-col md:min-h-0 md:flex-1 md:flex-row md:overflow-hidden">
      <LeftPanel
        actor={actor}
        run={run}
        store={store}
        settings={settings}
        problems={problems}
        isLive={isLive}
        onLive={setLive}
        onRun={runNow}
        onRunSample={runSample}
      />
      <div
        ref={column}
        data-column
        style={{ scrollPaddingTop: covered }}
        className={cx(
          'relative flex min-w-0 flex-1 gap-3 px-4 pt-3 max-md:order-2',
          isBeside ? 'overflow-hidden' : 'flex-col pb-24 max-md:pb-6 md:overflow-y-auto',
        )}
      >
        <div className={isBeside ? 'flex w-md shrink-0 flex-col gap-3 overflow-y-auto pb-6' : 'contents'}>
          {refused.length > 0 && <RefusedSettings refused={refused} onDismiss={forgetRefused} />}
          <RunControls settings={settings} lastDay={lastDay} onSettings={onSettings} onRun={runWith} />
          <BacktestSection
            id={id}
            run={run}
            store={store}
            settings={settings}
            day={day}
            pinnedDay={pinnedDay}
            onHoverDay={setHoveredDay}
            onPinDay={onPinDay}
            onRun={runNow}
            isTemplate={isTemplate}
            isOpen={isOpen}
            onOpen={setOpen}
            staysInSight={staysInSight && !isBeside}
          />
        </div>
        <div className={isBeside ? 'relative min-w-0 flex-1 overflow-y-auto pb-24' : 'contents'}>
          <section
            aria-label="Strategy blocks"
            className={cx(
              '@container isolate rounded border border-line py-2 pr-1',
              // Lines keep clear of the search, whatever scrolls. Not by the padding of what scrolls: the
              // field itself lies in it, and the page would move with each letter.
              searched > 0 && '[&_[role=treeitem]]:scroll-mt-13',
            )}
          >
            {answer?.attribution && (
              <AttributionHead
                attribution={answer.attribution}
                day={reasons && (fill === 'next-close' ? 'Day before' : 'That day')}
              />
            )}
            {searched > 0 && (
              <FindBar
                opened={searched}
                covered={covered}
                onClose={() => {
                  setSearched(0);
                  focusTree();
                }}
              />
            )}
            <StrategyTree
              problems={byNode}
              covered={hidden}
              days={answer?.history?.timestamps.length ?? 0}
              {...(answer?.attribution && { attribution: answer.attribution })}
              {...(highlighted && { highlighted })}
              {...(reasons && { reasons })}
            />
            {choosesSeveral && (
              <FetchedInPlace part={severalBar} props={{}} what="Changing several blocks" fallback={null} />
            )}
          </section>
          <StartHere />
        </div>
      </div>
    </div>
  );
}

/** The fields say it too, but a phone may have scrolled past them. */
function tellMissingDate(settings: RunSettings): void {
  const { start, end } = dateFaults(settings);
  toast.error(start ?? end ?? '');
}

/** Puts the keyboard on the line of the tree that it was on last. */
export function focusTree(): void {
  document.querySelector<HTMLElement>('[role=tree] [role=treeitem][tabindex="0"]')?.focus();
}

/** The days, the slippage and the other terms of the next run. */
const RunControls = memo(function RunControls({
  settings,
  lastDay,
  onSettings,
  onRun,
}: {
  settings: RunSettings;
  /** Last day with any price; undefined until it is known. */
  lastDay: string | undefined;
  onSettings: (settings: RunSettings) => void;
  onRun: (settings: RunSettings) => void;
}) {
  const canSeeSlippage = useFeature('web.slippage.view');
  const changeAndRun = (next: RunSettings) => {
    onSettings(next);
    onRun(next);
  };
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2 [&_.w-48]:min-w-40 [&_.w-48]:flex-1 sm:[&_.w-48]:flex-none max-sm:[&_input]:pl-2 max-sm:[&_input]:text-sm">
      <DateRangePicker
        value={settings}
        {...(lastDay !== undefined && { lastDay })}
        errors={dateFaults(settings)}
        onChange={(range) => onSettings({ ...settings, ...range })}
        onShortcut={(range) => changeAndRun({ ...settings, ...range })}
      />
      {canSeeSlippage && (
        <SlippageDropdown
          value={settings.slippageBps}
          onChange={(slippageBps) => onSettings({ ...settings, slippageBps })}
          onPreset={(slippageBps) => changeAndRun({ ...settings, slippageBps })}
        />
      )}
      <TermsDropdown value={settings} onChange={(terms) => changeAndRun({ ...settings, ...terms })} />
    </div>
  );
});
