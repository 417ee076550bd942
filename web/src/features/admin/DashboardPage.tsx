import {
  getAdminDashboard,
  getDataSet,
  listBacktestErrors,
  listParkedEvents,
} from '@quantloom/domain/contracts/http/calls';
import { PLANS, type PlanId } from '@quantloom/domain/identity/plans';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api, messageOf } from '../../lib/api.ts';
import {
  formatAgo,
  formatCount,
  formatDate,
  formatDuration,
  formatTime,
  MISSING,
  plural,
} from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { Stat } from '../../ui/Metric.tsx';
import { PageHeader, Panel } from '../../ui/Page.tsx';
import { Table } from '../../ui/Table.tsx';
import { nodesWords, parkedWords } from './dashboard-words.ts';

const EVERY = 5_000;
const many = (rows: readonly unknown[] | undefined, limit: number) =>
  rows === undefined ? MISSING : rows.length >= limit ? `${formatCount(limit)}+` : formatCount(rows.length);

/** What an operator needs: work, nodes, lag, errors, users and the age of the data. Refreshes itself. */
export default function DashboardPage() {
  const dashboard = useQuery({
    queryKey: ['admin', 'dashboard'],
    queryFn: ({ signal }) => api().call(getAdminDashboard, { signal }),
    refetchInterval: EVERY,
  });
  const open = useQuery({
    queryKey: ['admin', 'errors', 'open'],
    queryFn: ({ signal }) =>
      api().call(listBacktestErrors, { signal, query: { outcome: 'open', limit: 1000 } }),
    refetchInterval: EVERY * 6,
  });
  const parked = useQuery({
    queryKey: ['admin', 'parked-events'],
    queryFn: ({ signal }) => api().call(listParkedEvents, { signal, query: { limit: 1000 } }),
    refetchInterval: EVERY * 6,
  });
  const dataSet = useQuery({
    queryKey: ['market-data'],
    queryFn: async ({ signal }) => (await api().call(getDataSet, { signal })).data,
  });
  const data = dashboard.data;
  const worst =
    data && data.followers.length > 0 ? Math.max(...data.followers.map((one) => one.lag ?? 0)) : null;
  const users = data && Object.values(data.users_by_plan).reduce((sum, count) => sum + count, 0);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Dashboard" />
      {dashboard.error && (
        <Notice kind="warning">Live figures are missing: {messageOf(dashboard.error)}</Notice>
      )}
      {data?.outages?.map(({ name, since, reason }) => (
        <Notice key={name} kind="danger">
          {`${name[0]?.toUpperCase()}${name.slice(1)} away since ${formatTime(since)}, ${plural(
            data.batches.queued + data.batches.running,
            'batch waits',
            'batches wait',
          )}. ${reason}.`}
        </Notice>
      ))}
      {(data?.dead_letters ?? 0) > 0 && (
        <Notice kind="warning">
          {`${plural(data?.dead_letters ?? 0, 'dead letter')}: messages that no delivery could handle. `}
          <code className="font-mono text-sm">quantloom dead-letters list</code> shows them,{' '}
          <code className="font-mono text-sm">replay</code> puts them back.
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          label="Batches running"
          value={formatCount(data?.batches.running)}
          note={data ? `${plural(data.batches.queued, 'batch', 'batches')} queued` : MISSING}
        />
        <Stat
          label="Queue wait"
          value={formatDuration(data?.batches.queue_wait_seconds ?? (data ? 0 : null))}
          note="Oldest waiting partition"
        />
        <Stat
          label="Compute nodes"
          value={formatCount(data?.nodes.length)}
          note={data ? nodesWords(data) : MISSING}
        />
        <Stat label="Largest lag" value={formatCount(worst)} note="Events or messages behind" />
        <StatLink
          to="/admin/backtests/errors?outcome=open"
          label="Open backtest errors"
          value={many(open.data, 1000)}
          note={data ? `${formatCount(data.errors_by_hour.at(-1) ?? 0)} in the last hour` : MISSING}
        />
        <StatLink
          to="/admin/parked-events"
          label="Parked events"
          value={many(parked.data, 1000)}
          note={parked.data ? parkedWords(parked.data.length) : MISSING}
        />
        <StatLink to="/admin/users" label="Users" value={formatCount(users)} />
        <StatLink
          to="/admin/market-data"
          label="Data up to"
          value={dataSet.data ? formatDate(dataSet.data.last_day) : MISSING}
          note={dataSet.data ? `${plural(dataSet.data.sessions_behind, 'session')} behind` : MISSING}
        />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Backtest errors by hour, last 24 hours">
          <HourBars counts={data?.errors_by_hour ?? []} />
        </Panel>
        <Panel title="Users by plan">
          <ul className="flex flex-col gap-2">
            {Object.values(PLANS).map((plan) => {
              const count = data?.users_by_plan[plan.id];
              return (
                <li key={plan.id} className="flex items-center gap-3">
                  <span className="w-44 truncate text-muted">{PLANS[plan.id as PlanId].name}</span>
                  <span className="h-2 flex-1 overflow-hidden rounded-full bg-sunken">
                    <span
                      className="block h-full rounded-full bg-brand"
                      style={{ width: `${users && count ? (100 * count) / users : 0}%` }}
                    />
                  </span>
                  <span className="num w-12 text-right">{formatCount(count ?? (data ? 0 : null))}</span>
                </li>
              );
            })}
          </ul>
        </Panel>
      </div>
      <h2 className="mt-2 font-semibold">Compute nodes</h2>
      <Table
        label="Compute nodes"
        rows={data?.nodes ?? []}
        rowId={(node) => node.node}
        columns={[
          {
            id: 'node',
            header: 'Node',
            cell: (node) => <span className="font-mono text-sm">{node.node}</span>,
          },
          {
            id: 'partitions',
            header: 'Partitions',
            isNumeric: true,
            cell: (node) => formatCount(node.partitions),
          },
          {
            id: 'rate',
            header: 'Backtests a second',
            isNumeric: true,
            cell: (node) => formatCount(node.rate),
          },
          { id: 'at', header: 'Last sign of life', cell: (node) => formatAgo(node.at) },
        ]}
        empty={<p className="px-3 py-4 text-muted">{data ? nodesWords(data) : MISSING}</p>}
      />
      <h2 className="mt-2 font-semibold">Projections and consumers</h2>
      <Table
        label="Projections and consumers"
        rows={data?.followers ?? []}
        rowId={(one) => `${one.kind}/${one.name}`}
        columns={[
          {
            id: 'name',
            header: 'Name',
            cell: (one) => <span className="font-mono text-sm">{one.name}</span>,
          },
          { id: 'kind', header: 'Kind', cell: (one) => <Badge>{one.kind}</Badge> },
          { id: 'lag', header: 'Behind', isNumeric: true, cell: (one) => formatCount(one.lag) },
        ]}
        empty={<p className="px-3 py-4 text-muted">Nothing is known about lag.</p>}
      />
    </div>
  );
}

function StatLink({ to, ...stat }: { to: string; label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Link to={to} className="rounded hover:[&>div]:border-line-strong">
      <Stat {...stat} />
    </Link>
  );
}

function HourBars({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <div>
      <div
        role="img"
        aria-label={`${plural(total, 'error')} in the last 24 hours, at most ${most} in an hour`}
        className="flex h-20 items-end gap-0.5"
      >
        {Array.from({ length: 24 }, (_, hour) => {
          const count = counts[counts.length - 24 + hour] ?? 0;
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
              key={hour}
              title={plural(count, 'error')}
              className={count > 0 ? 'flex-1 rounded-t-[2px] bg-danger-fill' : 'flex-1 bg-line'}
              style={{ height: count > 0 ? `${Math.max(8, (100 * count) / most)}%` : '2px' }}
            />
          );
        })}
      </div>
      <div className="mt-1 flex justify-between text-xs text-muted">
        <span>24 hours ago</span>
        <span>now</span>
      </div>
    </div>
  );
}
