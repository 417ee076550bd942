import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { basisWarning } from '@quantloom/domain/market-data/price-basis';
import { findNode } from '@quantloom/domain/strategy/edit';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useSelector } from '@xstate/react';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { blockOf } from '../../../lib/api.ts';
import { config } from '../../../lib/config.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { ChartSkeleton } from '../../../ui/ChartSkeleton.tsx';
import { cx } from '../../../ui/classes.ts';
import { ErrorState, Notice } from '../../../ui/feedback.tsx';
import { FetchedInPlace, fetchedPart } from '../../../ui/fetched.tsx';
import { SimulatedNotice } from '../../../ui/SimulatedNotice.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import type { RunActor } from '../machines/actors.ts';
import { isFlatOnLinear } from '../model/chart-axis.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { type EditorStore, useEditorState } from '../model/editor-store.ts';
import { usePreference } from '../model/preferences.ts';
import { isSameRun } from '../model/run-before.ts';
import { type RunSettings, requestOf } from '../model/run-settings.ts';
import { useRunBefore } from '../use-run-before.ts';
import { BacktestChart, CHART_HEIGHT } from './BacktestChart.tsx';
import { useFurtherLines, useOtherFill } from './further-lines.ts';
import { useWithGhost } from './ghost.ts';

// What stands around a chart comes with the first result: the page itself has none yet.
const fillLine = fetchedPart(async () => (await import('./FillLine.tsx')).FillLine);
const period = fetchedPart(async () => (await import('./Period.tsx')).Period);
const shareResult = fetchedPart(async () => (await import('./ShareResult.tsx')).ShareResult);
const whyPanel = fetchedPart(async () => (await import('./WhyPanel.tsx')).WhyPanel);

/** Pixels of the chart when it is folded to a strip: still a curve to read, with the tree below it. */
const STRIP_HEIGHT = 96;

/**
 * The chart and its reasons; stays in sight while the tree scrolls, and folds to a strip that leaves the room
 * to the tree.
 */
export const BacktestSection = memo(function BacktestSection({
  id,
  run,
  store,
  settings,
  day,
  pinnedDay,
  onHoverDay,
  onPinDay,
  onRun,
  isTemplate,
  isOpen,
  onOpen,
  staysInSight,
}: {
  /** Of the strategy; `new` before its first save. */
  id: string;
  run: RunActor;
  store: EditorStore;
  /** Of the next run. */
  settings: RunSettings;
  /** The day that is looked at, as an index into the answer's days; null: none. */
  day: number | null;
  pinnedDay: number | null;
  onHoverDay: (day: number | null) => void;
  onPinDay: (day: number | null) => void;
  onRun: () => void;
  isTemplate: boolean;
  /** The whole chart; else a strip. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  /** While the tree scrolls; an empty place would only be in the way. */
  staysInSight: boolean;
}) {
  const { isEditable } = useEditorTools();
  const answer = useSelector(run, ({ context }) => context.answer);
  const answered = useSelector(run, ({ context }) => context.answered);
  const warning = basisWarning(answer?.provenance?.price_basis ?? []);
  const label = useSelector(run, ({ context }) => context.label);
  const error = useSelector(run, ({ context }) => context.error);
  const mode = useSelector(run, ({ value }) => value);
  const [chosenLog, setChosenLog] = useState<boolean | null>(null);
  const flat = useMemo(() => isFlatAnswer(answer), [answer]);
  // Until somebody chooses, an axis that would draw a flat line is a log axis.
  const isLog = chosenLog ?? flat;
  const [showsDrawdown, setShowsDrawdown] = usePreference('drawdown', false);
  const [showsAllocation, setShowsAllocation] = usePreference('allocation', false);
  const [showsOtherFill, setShowsOtherFill] = useState(false);
  const finishedAt = useSelector(run, ({ context }) => context.finishedAt);
  const otherFill = useOtherFill(answered, finishedAt, showsOtherFill);
  const others = useFurtherLines(answer, answered, showsOtherFill ? otherFill.data : undefined);
  const further = useWithGhost(others, answer, useRunBefore(run));
  const isChanged = useEditorState(store, ({ history }) => {
    if (answered === null) return false;
    const next = requestOf(settings, history.present.algorithm);
    return next === null || !isSameRun(answered, next);
  });
  const isStale = isChanged && mode !== 'running';
  const named = blockOf(error);
  const faulty = named !== null && findNode(store.document.algorithm, named) ? named : null;
  return (
    <section
      aria-label="Backtest"
      className={cx(
        '@container z-10 rounded border border-line bg-canvas p-3',
        // A phone has the room for the tree; Run Backtest stands above.
        mode === 'idle' && !isTemplate && 'max-sm:hidden',
        staysInSight && 'md:[@media(min-height:780px)]:sticky md:[@media(min-height:780px)]:-top-3',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-sm font-medium @max-[40rem]:-order-2 @max-[40rem]:flex-1 @max-[40rem]:basis-[calc(100%-4rem)]">
          Strategy and SPY
        </h2>
        {isOpen && answer && (
          <>
            <Switch label="Log scale" checked={isLog} onChange={setChosenLog} />
            <Switch label="Drawdown" checked={showsDrawdown} onChange={setShowsDrawdown} />
            <Switch label="Allocation" checked={showsAllocation} onChange={setShowsAllocation} />
          </>
        )}
        {answer && answered && (
          <FetchedInPlace
            part={period}
            props={{
              answer,
              request: answered,
              onRun: (algorithm: Algorithm, of: string) =>
                run.send({ type: 'user.run', request: { ...answered, trading_bot: algorithm }, label: of }),
            }}
            what="The days of the result"
            fallback={null}
          />
        )}
        {answer && label === null && id !== 'new' && isEditable && (
          <FetchedInPlace part={shareResult} props={{ id }} what="Sharing" fallback={null} />
        )}
        {mode === 'running' && answer && <Spinner label="Running backtest" />}
        {answer && label !== null && <span className="text-sm text-warning">Results of {label}</span>}
        {answer && label === null && isStale && (
          <span className="flex items-center gap-2 text-sm text-muted">
            Changed since this run
            <Button size="sm" variant="ghost" onClick={onRun}>
              Run again
            </Button>
          </span>
        )}
        {mode !== 'idle' && (
          <IconButton
            icon={isOpen ? ChevronUp : ChevronDown}
            label={isOpen ? 'Fold chart to a strip' : 'Unfold chart'}
            size="sm"
            className="ml-auto @max-[40rem]:-order-1"
            aria-expanded={isOpen}
            onClick={() => onOpen(!isOpen)}
          />
        )}
      </div>
      {(mode === 'idle' || isOpen || mode === 'running' || answer) && (
        <div
          style={{ minHeight: mode === 'idle' ? 0 : isOpen ? CHART_HEIGHT : STRIP_HEIGHT }}
          className="flex flex-col justify-center"
        >
          {mode === 'idle' &&
            (isTemplate ? (
              <NoChart title="A template is backtested as a batch">
                The batch runs it with every value of its variables. Run it with sample values to see one of
                them.
              </NoChart>
            ) : (
              <NoChart title="No backtest yet">
                Run a backtest to see how the strategy would have done.
              </NoChart>
            ))}
          {mode === 'running' && !answer && (
            <ChartSkeleton height={isOpen ? CHART_HEIGHT : STRIP_HEIGHT} label="Running backtest" />
          )}
          {mode === 'error' && (
            <ErrorState title="Backtest error" error={error} onRetry={onRun}>
              There was an issue running the backtest. Please try again.
              {faulty !== null && (
                <Button size="sm" className="mx-auto mt-3" onClick={() => store.reveal(faulty)}>
                  Show the block
                </Button>
              )}
            </ErrorState>
          )}
          {answer && (
            <>
              {answer.provenance && (
                <SimulatedNotice isSimulated={answer.provenance.is_simulated && !config().isDataSimulated} />
              )}
              {warning && <Notice kind="warning">{warning}</Notice>}
              <BacktestChart
                answer={answer}
                isLog={isLog}
                showsDrawdown={isOpen && showsDrawdown}
                showsAllocation={isOpen && showsAllocation}
                further={further}
                height={isOpen ? CHART_HEIGHT : STRIP_HEIGHT}
                onHoverDay={onHoverDay}
                onPinDay={onPinDay}
              />
              {isOpen && answered && (
                <FetchedInPlace
                  part={fillLine}
                  props={{
                    answer,
                    answered,
                    other: otherFill,
                    isShown: showsOtherFill,
                    onShow: setShowsOtherFill,
                  }}
                  what="How it was filled"
                  fallback={null}
                />
              )}
              {isOpen && (
                <FetchedInPlace
                  part={whyPanel}
                  props={{
                    algorithm: answered?.trading_bot ?? store.document.algorithm,
                    answer,
                    fill: answered?.fill ?? 'close',
                    day,
                    isPinned: pinnedDay !== null,
                    onUnpin: () => onPinDay(null),
                  }}
                  what="The reasons of the day"
                  fallback={null}
                />
              )}
            </>
          )}
        </div>
      )}
    </section>
  );
});

/** Two lines in the place of a chart: an empty frame would only push the tree down. */
function NoChart({ title, children }: { title: string; children: string }) {
  return (
    <div className="pt-1 text-sm">
      <h3 className="font-medium">{title}</h3>
      <p className="text-muted">{children}</p>
    </div>
  );
}

/** Whether a linear axis would draw an answer's curves as a line along the bottom. */
function isFlatAnswer(answer: BacktestAnswer | null): boolean {
  const { value, benchmark_value: benchmark } = answer?.history ?? {};
  if (!value) return false;
  return isFlatOnLinear(
    [value, ...(benchmark ? [benchmark.map((one) => one ?? Number.NaN)] : [])].map(growthOf),
  );
}

function growthOf(values: readonly number[]): readonly number[] {
  const first = values.find((value) => Number.isFinite(value)) ?? Number.NaN;
  return values.map((value) => value / first);
}
