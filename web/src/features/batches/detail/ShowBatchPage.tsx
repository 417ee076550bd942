import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { messageOf, statusOf } from '../../../lib/api.ts';
import { config } from '../../../lib/config.ts';
import { useTitle } from '../../../lib/title.ts';
import { StatusBadge, VisibilityBadge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Notice } from '../../../ui/feedback.tsx';
import { Page } from '../../../ui/Page.tsx';
import { SimulatedNotice } from '../../../ui/SimulatedNotice.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { NotAuthorizedView, NotFoundView } from '../../../ui/views.tsx';
import { batchQuery, removeBatch, setBatchVisibility } from '../model/batch-api.ts';
import { isOpen, useFollowBatch } from '../model/follow.ts';
import { ConfigTab } from './ConfigTab.tsx';
import { LiveProgress } from './LiveProgress.tsx';
import { ResultsTab } from './ResultsTab.tsx';

const AnalyzeTab = lazy(() => import('../analysis/AnalyzeTab.tsx'));

const POLL_MS = 1_500;

/** One batch backtest: what it is, how far it is, its results and their analysis. */
export default function ShowBatchPage() {
  const { id = '' } = useParams();
  const [isPolling, setPolling] = useState(false);
  const batch = useQuery({ ...batchQuery(id), refetchInterval: isPolling ? POLL_MS : false });
  const isRunning = batch.data !== undefined && isOpen(batch.data);
  const isStreaming = useFollowBatch(id, isRunning);
  if (isPolling !== (isRunning && !isStreaming)) setPolling(isRunning && !isStreaming);
  useTitle(batch.data?.name ?? null);
  if (batch.isPending) return <LoadingPane label="Loading batch backtest" />;
  if (batch.isError) {
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
  return <LoadedBatch batch={batch.data} />;
}

function LoadedBatch({ batch }: { batch: BatchDetail }) {
  const navigate = useNavigate();
  const [tab, setTab] = useState<'config' | 'results' | 'analyze'>(
    batch.status === 'Finished' ? 'results' : 'config',
  );
  const [isDeleting, setDeleting] = useState(false);
  const isFinished = batch.status === 'Finished';
  return (
    <Page
      title={batch.name}
      description={
        <span className="flex flex-wrap items-center gap-2">
          <VisibilityBadge isPublic={batch.is_public} /> <StatusBadge status={batch.status} />
        </span>
      }
      actions={
        <>
          <Button onClick={() => void navigate('/batch-backtests/new', { state: { clone: batch } })}>
            Run again
          </Button>
          {batch.is_owner && (
            <>
              <Button
                onClick={() =>
                  void setBatchVisibility(batch.id, !batch.is_public).catch((error: unknown) =>
                    toast.error(messageOf(error)),
                  )
                }
              >
                Make {batch.is_public ? 'private' : 'public'}
              </Button>
              <Button variant="ghost" onClick={() => setDeleting(true)}>
                <Trash2 size={15} aria-hidden /> {isOpen(batch) ? 'Stop and delete' : 'Delete'}
              </Button>
            </>
          )}
        </>
      }
    >
      {isOpen(batch) && <LiveProgress batch={batch} />}
      {batch.error && <Notice kind="danger">{batch.error}</Notice>}
      {/* While the current data set is simulated, the layout says so already. */}
      <SimulatedNotice isSimulated={batch.provenance.is_simulated && !config().isDataSimulated} />
      <Tabs
        label="Batch backtest"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'config', label: 'Config', content: <ConfigTab batch={batch} /> },
          { value: 'results', label: 'Results', content: <ResultsTab batch={batch} /> },
          ...(isFinished
            ? [
                {
                  value: 'analyze' as const,
                  label: 'Analyze',
                  content: (
                    <Suspense fallback={<LoadingPane />}>
                      <AnalyzeTab batch={batch} />
                    </Suspense>
                  ),
                },
              ]
            : []),
        ]}
      />
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
    </Page>
  );
}
