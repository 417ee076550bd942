import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { ResultViewAnswer } from '@quantloom/domain/contracts/http/result-views';
import type { ViewContent } from '@quantloom/domain/result-views/view-content';
import { useQuery } from '@tanstack/react-query';
import { Copy, Eye, MoreHorizontal, Square, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { messageOf, statusOf } from '../../../lib/api.ts';
import { useCommands } from '../../../lib/commands.ts';
import { config } from '../../../lib/config.ts';
import { useTitle } from '../../../lib/title.ts';
import { StatusBadge, VisibilityBadge } from '../../../ui/Badge.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Notice } from '../../../ui/feedback.tsx';
import { Fetched, fetchedPart } from '../../../ui/fetched.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { SimulatedNotice } from '../../../ui/SimulatedNotice.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { NotAuthorizedView, NotFoundView } from '../../../ui/views.tsx';
import { prefetchAnalysis } from '../analysis/queries.ts';
import { createFault } from '../form/batch-form.machine.ts';
import { batchQuery, removeBatch, runAgain, setBatchVisibility, stopBatch } from '../model/batch-api.ts';
import { isOpen, useFollowBatch } from '../model/follow.ts';
import { resultViewsQuery } from '../model/result-views.ts';
import { templateOf } from '../model/template-of.ts';
import { ConfigTab } from './ConfigTab.tsx';
import { LiveProgress } from './LiveProgress.tsx';
import { OutOfSampleLock } from './OutOfSampleLock.tsx';
import { ResultsTab } from './ResultsTab.tsx';
import { useDesk } from './use-desk.ts';

const analyzeTab = fetchedPart(async () => (await import('../analysis/AnalyzeTab.tsx')).default);

const POLL_MS = 1_500;
type BatchTab = 'config' | 'results' | 'analyze';

/** One batch backtest: what it is, how far it is, its results and their analysis. */
export default function ShowBatchPage() {
  const { id = '' } = useParams();
  const [isPolling, setPolling] = useState(false);
  const batch = useQuery({ ...batchQuery(id), refetchInterval: isPolling ? POLL_MS : false });
  const isRunning = batch.data !== undefined && isOpen(batch.data);
  const isStreaming = useFollowBatch(id, isRunning);
  if (isPolling !== (isRunning && !isStreaming)) setPolling(isRunning && !isStreaming);
  useTitle(batch.data?.name ?? null);
  const views = useQuery(resultViewsQuery);
  // Without the views it opens, too; asking for them again is no reason to take the page away.
  if (batch.isPending || !views.isFetched) return <LoadingPane label="Loading batch backtest" />;
  // A batch that is shown stays when asking again has failed.
  if (!batch.data) {
    if (statusOf(batch.error) === 403) return <NotAuthorizedView />;
    if (statusOf(batch.error) === 404) return <NotFoundView />;
    return (
      <ErrorState
        title="The batch backtest could not be loaded"
        error={batch.error}
        onRetry={() => void batch.refetch()}
      />
    );
  }
  return <LoadedBatch key={batch.data.id} batch={batch.data} views={views.data ?? []} />;
}

function LoadedBatch({ batch, views }: { batch: BatchDetail; views: readonly ResultViewAnswer[] }) {
  const navigate = useNavigate();
  const desk = useDesk(batch, views);
  const { results, setPicture } = desk;
  const [chosenTab, chooseTab] = useState<BatchTab | null>(desk.desk.picture === 'table' ? null : 'analyze');
  const [isRepeating, setRepeating] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isStopping, setStopping] = useState(false);
  const isFinished = batch.status === 'Finished';
  const hasRows = results[0].context.page !== null;
  // Until the user chooses, the page shows what there is: the results as soon as there are some.
  const tab = chosenTab ?? (isFinished || hasRows ? 'results' : 'config');
  const setTab = (next: BatchTab) => {
    chooseTab(next);
    if (next === 'results') setPicture('table');
    if (next === 'analyze' && tab !== 'analyze') desk.goToTop();
  };
  const apply = (view: ViewContent, name: string) =>
    chooseTab(desk.apply(view, name).picture === 'table' ? 'results' : 'analyze');
  const repeat = async () => {
    setRepeating(true);
    try {
      const { id } = await runAgain(batch);
      await navigate(`/batch-backtests/${id}`);
    } catch (error) {
      toast.error(createFault(error));
    } finally {
      setRepeating(false);
    }
  };
  const changeVisibility = async () => {
    try {
      await setBatchVisibility(batch.id, !batch.is_public);
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  const visibilityLabel = `Make ${batch.is_public ? 'private' : 'public'}`;
  // Once a part has finished there is something to keep.
  const mayStop =
    batch.is_owner &&
    (batch.status === 'Queued' || batch.status === 'Running') &&
    batch.job_names.length > 0 &&
    batch.job_names.length < batch.partitions;
  const deleteLabel = isOpen(batch) ? 'Stop and delete' : 'Delete';
  const clone = () => void navigate('/batch-backtests/new', { state: { clone: batch } });
  useCommands([
    { id: 'batch.config', label: 'Config', group: 'Batch', shortcut: '1', run: () => setTab('config') },
    { id: 'batch.results', label: 'Results', group: 'Batch', shortcut: '2', run: () => setTab('results') },
    {
      id: 'batch.analyze',
      label: 'Analyze',
      group: 'Batch',
      shortcut: '3',
      isDisabled: !isFinished,
      run: () => setTab('analyze'),
    },
    {
      id: 'batch.repeat',
      label: 'Run again',
      group: 'Batch',
      isDisabled: templateOf(batch) === null,
      run: () => void repeat(),
    },
    { id: 'batch.clone', label: 'Clone configuration', group: 'Batch', run: clone },
  ]);
  return (
    <div className="flex w-full flex-1 flex-col gap-2 px-4 pt-3 md:px-6">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <h1 className="min-w-0 truncate text-xl font-semibold tracking-tight">{batch.name}</h1>
          <VisibilityBadge isPublic={batch.is_public} /> <StatusBadge status={batch.status} />
        </div>
        <div className="flex items-center gap-2">
          <Button isBusy={isRepeating} disabled={templateOf(batch) === null} onClick={() => void repeat()}>
            Run again
          </Button>
          <div className="flex items-center gap-2 max-sm:hidden">
            <Button onClick={clone}>Clone configuration</Button>
            {batch.is_owner && (
              <>
                <Button onClick={() => void changeVisibility()}>{visibilityLabel}</Button>
                {mayStop && (
                  <Button icon={Square} onClick={() => setStopping(true)}>
                    Stop and keep
                  </Button>
                )}
                <Button variant="ghost" onClick={() => setDeleting(true)}>
                  <Trash2 size={15} aria-hidden /> {deleteLabel}
                </Button>
              </>
            )}
          </div>
          <div className="sm:hidden">
            <Menu
              align="end"
              trigger={<IconButton icon={MoreHorizontal} label="More" />}
              entries={[
                { label: 'Clone configuration', icon: Copy, onSelect: clone },
                ...(batch.is_owner
                  ? ([
                      { label: visibilityLabel, icon: Eye, onSelect: () => void changeVisibility() },
                      ...(mayStop
                        ? [{ label: 'Stop and keep', icon: Square, onSelect: () => setStopping(true) }]
                        : []),
                      'separator',
                      {
                        label: deleteLabel,
                        icon: Trash2,
                        isDangerous: true,
                        onSelect: () => setDeleting(true),
                      },
                    ] as const)
                  : []),
              ]}
            />
          </div>
        </div>
      </header>
      {isOpen(batch) && <LiveProgress batch={batch} />}
      {batch.error && <Notice kind="danger">{batch.error}</Notice>}
      {/* While the current data set is simulated, the layout says so already. */}
      <SimulatedNotice isSimulated={batch.provenance.is_simulated && !config().isDataSimulated} />
      {isFinished && batch.out_of_sample && <OutOfSampleLock batch={batch} part={batch.out_of_sample} />}
      <Tabs
        label="Batch backtest"
        panelClassName="pt-3!"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'config', label: 'Config', content: <ConfigTab batch={batch} /> },
          {
            value: 'results',
            label: 'Results',
            content: (
              <ResultsTab
                batch={batch}
                desk={desk}
                onApply={apply}
                isRepeating={isRepeating}
                onRepeat={() => void repeat()}
              />
            ),
          },
          ...(isFinished
            ? [
                {
                  value: 'analyze' as const,
                  label: 'Analyze',
                  onApproach: () => {
                    analyzeTab.fetch();
                    prefetchAnalysis(batch.id);
                  },
                  content: (
                    <Suspense fallback={<LoadingPane />}>
                      <Fetched
                        part={analyzeTab}
                        props={{ batch, desk, onShowRows: () => setTab('results') }}
                      />
                    </Suspense>
                  ),
                },
              ]
            : []),
        ]}
      />
      <ConfirmDialog
        open={isStopping}
        onOpenChange={setStopping}
        title="Stop this batch backtest for good?"
        confirmLabel="Stop and keep"
        cancelLabel="Let it run"
        onConfirm={() => stopBatch(batch.id)}
      >
        The rows that have run stay, marked as partial, without a verdict. What has not run goes back to your
        quota; it can only be run in a new batch.
      </ConfirmDialog>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        onConfirm={async () => {
          await removeBatch(batch.id);
          await navigate('/batch-backtests');
        }}
      >
        {batch.name} and its results are deleted.
      </ConfirmDialog>
    </div>
  );
}
