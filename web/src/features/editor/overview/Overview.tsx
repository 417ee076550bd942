import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useFeature } from '../../../lib/auth/session.ts';
import { useCommands } from '../../../lib/commands.ts';
import { config } from '../../../lib/config.ts';
import { DateRangePicker } from '../../../ui/DatePicker.tsx';
import { EmptyState, ErrorState } from '../../../ui/feedback.tsx';
import { Switch } from '../../../ui/inputs.tsx';
import { SimulatedNotice } from '../../../ui/SimulatedNotice.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import type { EditorActor, RunActor } from '../EditorWorkspace.tsx';
import { type EditorStore, useEditorState } from '../model/editor-store.ts';
import { type RunSettings, requestOf } from '../model/run-settings.ts';
import { pathOnDay } from '../model/why.ts';
import { StrategyTree } from '../tree/StrategyTree.tsx';
import { BacktestChart, CHART_HEIGHT } from './BacktestChart.tsx';
import { LeftPanel } from './LeftPanel.tsx';
import { SlippageDropdown } from './SlippageDropdown.tsx';
import { WhyPanel } from './WhyPanel.tsx';

/** Left panel, chart and tree. */
export function Overview({
  actor,
  run,
  store,
  settings,
  onSettings,
}: {
  actor: EditorActor;
  run: RunActor;
  store: EditorStore;
  settings: RunSettings;
  onSettings: (settings: RunSettings) => void;
}) {
  const canSeeSlippage = useFeature('web.slippage.view');
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const answer = useSelector(run, ({ context }) => context.answer);
  const error = useSelector(run, ({ context }) => context.error);
  const mode = useSelector(run, ({ value }) => value);
  const [isLog, setLog] = useState(false);
  const [showsDrawdown, setShowsDrawdown] = useState(false);
  const [day, setDay] = useState<number | null>(null);
  const runWith = (next: RunSettings) => {
    const request = requestOf(next, store.document.algorithm);
    if (request) run.send({ type: 'user.run', request });
  };
  const [search, setSearch] = useSearchParams();
  // `?run=1`: a starter strategy is run as soon as it opens, once.
  const isAskedToRun = search.get('run') === '1';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for the address it came with
  useEffect(() => {
    if (!isAskedToRun) return;
    setSearch({}, { replace: true });
    runWith(settings);
  }, [isAskedToRun]);
  const isRunning = mode === 'running';
  useCommands([
    {
      id: 'editor.run',
      label: 'Run backtest',
      group: 'Editor',
      shortcut: 'Mod+Enter',
      worksInFields: true,
      isDisabled: isRunning,
      run: () => runWith(settings),
    },
  ]);
  const highlighted = useMemo(
    () => (day === null || !answer ? undefined : pathOnDay(algorithm, answer, day)),
    [algorithm, answer, day],
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col md:flex-row">
      <LeftPanel actor={actor} run={run} store={store} onRun={() => runWith(settings)} />
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4">
        <div className="flex flex-wrap items-end gap-3">
          <DateRangePicker
            value={settings}
            onChange={(range) => onSettings({ ...settings, ...range })}
            onShortcut={(range) => {
              const next = { ...settings, ...range };
              onSettings(next);
              runWith(next);
            }}
          />
          {canSeeSlippage && (
            <SlippageDropdown
              value={settings.slippageBps}
              onChange={(slippageBps) => onSettings({ ...settings, slippageBps })}
              onPreset={(slippageBps) => {
                const next = { ...settings, slippageBps };
                onSettings(next);
                runWith(next);
              }}
            />
          )}
        </div>
        <section
          aria-label="Backtest"
          className="rounded border border-line p-3"
          style={{ minHeight: CHART_HEIGHT }}
        >
          {mode === 'idle' && (
            <EmptyState title="No backtest yet">
              Run a backtest to see how the strategy would have done.
            </EmptyState>
          )}
          {isRunning && <LoadingPane label="Running backtest" />}
          {mode === 'error' && (
            <ErrorState title="Backtest error" error={error} onRetry={() => runWith(settings)}>
              There was an issue running the backtest. Please try again.
            </ErrorState>
          )}
          {answer && (
            <>
              <div className="flex flex-wrap items-center gap-4 pb-2">
                <Switch label="Log scale" checked={isLog} onChange={setLog} />
                <Switch label="Drawdown" checked={showsDrawdown} onChange={setShowsDrawdown} />
                {answer.provenance && (
                  <SimulatedNotice
                    isSimulated={answer.provenance.is_simulated && !config().isDataSimulated}
                  />
                )}
              </div>
              <BacktestChart
                answer={answer}
                isLog={isLog}
                showsDrawdown={showsDrawdown}
                onHoverDay={setDay}
              />
              <WhyPanel algorithm={algorithm} answer={answer} day={day} />
            </>
          )}
        </section>
        <section aria-label="Strategy blocks" className="rounded border border-line py-2 pr-2">
          <StrategyTree {...(highlighted && { highlighted })} />
        </section>
      </div>
    </div>
  );
}
