import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw, Star } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '../../lib/api.ts';
import { useCurrentUser } from '../../lib/auth/session.ts';
import { toggleFavorite, useFavorites } from '../../lib/favorites.ts';
import { formatAgo, formatDate, formatMetric, METRICS } from '../../lib/format.ts';
import { type DraftRow, draftsById } from '../../lib/resources.ts';
import { runLatest } from '../../lib/run-latest.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { Change } from '../../ui/Metric.tsx';
import { Panel } from '../../ui/Page.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Term } from '../../ui/Tooltip.tsx';
import { toast } from '../../ui/toast.tsx';
import { lastRunWords } from '../terms/last-run-words.ts';

const SHOWN = ['annualized_return', 'max_drawdown', 'sharpe', 'trailing_1_month'] as const;

/** Favourite strategies with their latest backtests. */
export function Favorites() {
  const user = useCurrentUser();
  const { favorites, error: listError, retry } = useFavorites(user.id);
  const found = useQuery({ ...draftsById(favorites ?? []), enabled: favorites !== null });
  const drafts = favorites === null ? undefined : found.data;
  const error = listError ?? found.error;
  const again = () => {
    if (listError) retry();
    else void found.refetch();
  };
  const [running, setRunning] = useState<readonly string[]>([]);
  if (error && !drafts)
    return (
      <ErrorState title="The favorites could not be loaded" error={error} onRetry={again}>
        They are safe on the server.
      </ErrorState>
    );
  if (!drafts) return <SkeletonRows rows={3} columns={3} />;
  const shown = drafts;
  const run = async (chosen: readonly DraftRow[]) => {
    // One after the other: a single backtest is quick, and a queue of them must not hold up the editor.
    for (const draft of chosen) {
      setRunning((ids) => [...ids, draft.id]);
      try {
        await runLatest(draft);
      } catch (reason) {
        toast.error(`${draft.name} could not be run`, { description: messageOf(reason) });
      } finally {
        setRunning((ids) => ids.filter((id) => id !== draft.id));
      }
    }
  };
  const runnable = shown.filter((draft) => draft.type === 'bot');
  return (
    <Panel
      title="Favorites"
      actions={
        runnable.length > 0 && (
          <Button size="sm" icon={RefreshCw} isBusy={running.length > 0} onClick={() => void run(runnable)}>
            Run all again
          </Button>
        )
      }
    >
      {shown.length === 0 ? (
        <EmptyState
          icon={Star}
          title="No favorites yet"
          action={
            <ButtonLink to="/drafts" variant="primary">
              Choose from drafts
            </ButtonLink>
          }
        >
          Mark a strategy with the star in Drafts and it appears here with its latest figures.
        </EmptyState>
      ) : (
        <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
          {shown.map((draft) => (
            <Card
              key={draft.id}
              draft={draft}
              isRunning={running.includes(draft.id)}
              onRun={() => void run([draft])}
              onRemove={() => void toggleFavorite(user.id, draft.id)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Card({
  draft,
  isRunning,
  onRun,
  onRemove,
}: {
  draft: DraftRow;
  isRunning: boolean;
  onRun: () => void;
  onRemove: () => void;
}) {
  const last = draft.lastRun;
  const isOutdated = last !== null && last.at < draft.updated_at;
  return (
    <li className="flex flex-col rounded border border-line">
      <div className="flex items-center gap-2 px-4 pt-3">
        <Link
          to={`/editor/${draft.id}`}
          className="min-w-0 flex-1 truncate font-semibold hover:underline"
          title={draft.name}
        >
          {draft.name}
        </Link>
        {draft.type === 'template' && <Badge color="purple">template</Badge>}
        <IconButton
          icon={Star}
          size="sm"
          label={`Remove ${draft.name} from favorites`}
          onClick={onRemove}
          isActive
        />
      </div>
      {last ? (
        <>
          <div className="px-4 pt-2">
            <Sparkline
              values={last.line}
              width={320}
              height={64}
              label={`Value of ${draft.name} from ${formatDate(last.firstDay)} to ${formatDate(last.lastDay)}`}
            />
          </div>
          <dl className="grid grid-cols-2 gap-x-6 px-4 py-2">
            {SHOWN.map((key) => {
              const spec = METRICS.find((one) => one.key === key);
              if (!spec) return null;
              const value = last.metrics[key];
              return (
                <div key={key} className="flex h-7 items-center justify-between gap-2">
                  <dt className="truncate text-sm text-muted">
                    <Term definition={spec.definition} href={conceptAddress(spec.key)}>
                      {spec.label}
                    </Term>
                  </dt>
                  <dd className="num font-medium">
                    {key === 'annualized_return' || key === 'trailing_1_month' ? (
                      <Change fraction={value} />
                    ) : (
                      formatMetric(spec, value)
                    )}
                  </dd>
                </div>
              );
            })}
          </dl>
        </>
      ) : (
        <p className="px-4 py-6 text-muted">
          {draft.type === 'template' ? 'Templates run in batch backtests.' : 'Not run as it is saved yet.'}
        </p>
      )}
      <div className="mt-auto flex min-h-11 items-center justify-between gap-2 border-t border-line px-4 py-1.5 text-sm text-muted">
        <span title={last ? lastRunWords(last) : undefined}>
          {last
            ? 'Run ' +
              `${formatAgo(last.at)}${last.isSimulated ? ', simulated prices' : ''}${isOutdated ? ', changed since' : ''}`
            : 'Never run'}
        </span>
        {draft.type === 'template' ? (
          <Link to={`/batch-backtests/new?template_id=${draft.id}`} className="text-accent hover:underline">
            New batch
          </Link>
        ) : (
          <Button size="sm" isBusy={isRunning} onClick={onRun} aria-label={`Run ${draft.name}`}>
            Run
          </Button>
        )}
      </div>
    </li>
  );
}
