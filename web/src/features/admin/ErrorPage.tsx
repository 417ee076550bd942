import { getBacktestError, replayBacktestError } from '@quantloom/domain/contracts/http/calls';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { api, messageOf, statusOf } from '../../lib/api.ts';
import { formatCount, formatDateTime, MISSING } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { ErrorState } from '../../ui/feedback.tsx';
import { PageHeader, Panel } from '../../ui/Page.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { NotFoundView } from '../../ui/views.tsx';
import { CacheTable } from './CacheTable.tsx';
import { OutcomeBadge } from './error-outcome.tsx';

type Tab = 'overview' | 'ohlc' | 'indicator' | 'precalc';

/** One error: what failed, what the engine knew, and running it again. */
export default function ErrorPage() {
  const { id = '' } = useParams();
  const [tab, setTab] = useState<Tab>('overview');
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'errors', id],
    queryFn: ({ signal }) => api().call(getBacktestError, { signal, params: { id } }),
  });
  const replay = useMutation({
    mutationFn: () => api().call(replayBacktestError, { params: { id } }),
    onSuccess: (outcome) => {
      const show = outcome.kind === 'failed' ? toast.error : toast.success;
      show(`Replay ${outcome.kind}`, { description: outcome.detail, timeout: 10_000 });
      void queries.invalidateQueries({ queryKey: ['admin', 'errors'] });
    },
    onError: (reason) => toast.error('Replaying failed', { description: messageOf(reason) }),
  });
  if (error && statusOf(error) === 404)
    return (
      <NotFoundView>
        <ButtonLink to="/admin/backtests/errors">Back to backtest errors</ButtonLink>
      </NotFoundView>
    );
  if (error && !data)
    return <ErrorState title="The error could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPane />;
  const debug = data.debug_data;
  return (
    <div className="flex flex-col gap-4">
      <Link
        to="/admin/backtests/errors"
        className="inline-flex items-center gap-1 self-start text-muted hover:text-ink"
      >
        <ArrowLeft size={14} aria-hidden /> Backtest Errors
      </Link>
      <PageHeader
        title="Backtest Error"
        description={
          <span className="flex flex-wrap items-center gap-2">
            <code className="font-mono text-sm">{data.id}</code> {formatDateTime(data.created_at)}
            <Badge>{data.kind ?? 'backtest'}</Badge>
            <OutcomeBadge kind={data.outcome ?? 'open'} />
          </span>
        }
        actions={
          <Button icon={RotateCcw} isBusy={replay.isPending} onClick={() => replay.mutate()}>
            Replay
          </Button>
        }
      />
      <Tabs<Tab>
        label="Parts of the error"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'overview', label: 'Overview', content: <Overview data={data} /> },
          {
            value: 'ohlc',
            label: 'OHLC Cache',
            content: <CacheTable label="OHLC Cache" file={`${data.id}-ohlc`} rows={debug.ohlc_cache ?? []} />,
          },
          {
            value: 'indicator',
            label: 'Indicator Cache',
            content: (
              <CacheTable
                label="Indicator Cache"
                file={`${data.id}-indicator`}
                rows={debug.indicator_cache ?? []}
              />
            ),
          },
          {
            value: 'precalc',
            label: 'PreCalc Cache',
            content: (
              <CacheTable
                label="PreCalc Cache"
                file={`${data.id}-precalc`}
                rows={debug.precalc_cache ?? []}
              />
            ),
          },
        ]}
      />
    </div>
  );
}

/** The engine's dates as lines: lists joined, members of an object by their path. */
export function dateLines(
  dates: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, string>> {
  const lines: Record<string, string> = {};
  for (const [name, value] of Object.entries(dates ?? {})) {
    if (Array.isArray(value)) lines[name] = value.length > 0 ? value.join(', ') : MISSING;
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) lines[`${name} ${key}`] = String(inner);
    else lines[name] = String(value);
  }
  return lines;
}

type ErrorRecord = Awaited<ReturnType<typeof loadType>>;
const loadType = () => api().call(getBacktestError, { params: { id: '' } });

function Overview({ data }: { data: ErrorRecord }) {
  const debug = data.debug_data;
  return (
    <div className="flex flex-col gap-4">
      <Panel title="Error">
        <p className="font-medium text-danger">{debug.error?.message}</p>
        {(debug.error?.stack?.length ?? 0) > 0 && (
          <ScrollRegion
            label="Stack"
            className="mt-3 overflow-x-auto rounded bg-surface p-3 font-mono text-sm"
          >
            <ol>
              {debug.error.stack.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of a stack are their place
                <li key={index} className="whitespace-pre">
                  {line}
                </li>
              ))}
            </ol>
          </ScrollRegion>
        )}
      </Panel>
      {(data.replays?.length ?? 0) > 0 && (
        <Panel title="Replays">
          <ul className="flex flex-col gap-2">
            {data.replays.map((one) => (
              <li key={one.at} className="flex flex-wrap items-center gap-2">
                <OutcomeBadge kind={one.kind} />
                <span className="text-muted">{formatDateTime(one.at)}</span>
                <span className="min-w-0">{one.detail}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title="Origin">
        <dl className="grid grid-cols-[8rem_1fr] items-baseline gap-y-2 break-words">
          <dt className="text-muted">User</dt>
          <dd>
            <Link
              to={`/admin/users/${data.user_id}`}
              className="break-all font-mono text-sm text-accent hover:underline"
            >
              {data.user_id}
            </Link>
          </dd>
          {data.batch_id && (
            <>
              <dt className="text-muted">Batch</dt>
              <dd className="break-all font-mono text-sm">
                {data.batch_id}
                {data.partition !== null && `, partition ${formatCount(data.partition)}`}
              </dd>
            </>
          )}
          <dt className="text-muted">Engine</dt>
          <dd className="font-mono text-sm">{data.engine_version}</dd>
          {data.data_version && (
            <>
              <dt className="text-muted">Data</dt>
              <dd className="break-all font-mono text-sm">{data.data_version}</dd>
            </>
          )}
        </dl>
      </Panel>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
        <MapPanel title="Calculated dates" entries={dateLines(debug.calculated_dates)} />
        <MapPanel title="Bar counts" entries={debug.bar_counts} />
        <MapPanel title="Indicator bar counts" entries={debug.indicator_bar_counts} />
      </div>
      <Panel title="Parse results">
        <CodeBlock label="Parse results" code={JSON.stringify(debug.parse_results, null, 2) ?? 'null'} />
      </Panel>
      {data.request !== undefined && data.request !== null && (
        <Panel title="Request">
          <CodeBlock label="Request" code={JSON.stringify(data.request, null, 2)} />
        </Panel>
      )}
    </div>
  );
}

function MapPanel({
  title,
  entries,
}: {
  title: string;
  entries: Readonly<Record<string, ReactNode>> | undefined;
}) {
  const list = Object.entries(entries ?? {});
  return (
    <Panel title={title} className="max-h-80 overflow-y-auto py-2!">
      {list.length === 0 ? (
        <p className="text-muted">None.</p>
      ) : (
        <dl>
          {list.map(([key, value]) => (
            <div key={key} className="flex items-baseline justify-between gap-3 py-0.5">
              <dt className="min-w-0 truncate font-mono text-sm text-muted" title={key}>
                {key}
              </dt>
              <dd className="num shrink-0">{typeof value === 'number' ? formatCount(value) : value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
