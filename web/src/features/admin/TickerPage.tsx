import { getAdminTicker } from '@quantloom/domain/contracts/http/calls';
import type { AdminTicker } from '@quantloom/domain/contracts/http/market-data';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import { api } from '../../lib/api.ts';
import { formatCount, formatDate, formatDateTime, plural } from '../../lib/format.ts';
import { Badge, TickerChip } from '../../ui/Badge.tsx';
import { Chart } from '../../ui/Chart.tsx';
import { EmptyState, ErrorState, Notice } from '../../ui/feedback.tsx';
import { Stat } from '../../ui/Metric.tsx';
import { PageHeader, Panel } from '../../ui/Page.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { Table } from '../../ui/Table.tsx';
import { versionColumn } from './version-column.tsx';

const BASES: Readonly<Record<AdminTicker['basis'], string>> = {
  splits_and_dividends: 'Splits and dividends',
  splits: 'Splits only',
  none: 'Not adjusted',
  unknown: 'Not known',
};
const SEVERITIES = {
  serious: { color: 'red', words: 'prices are probably wrong' },
  check: { color: 'yellow', words: 'to be looked at' },
  notice: { color: 'gray', words: 'good to know' },
} as const;

/** One ticker of a version: what its prices are, what is suspicious about them, and which versions have it. */
export default function TickerPage() {
  const { ticker = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const showVersion = ({ version }: { readonly version: string }) =>
    setParams({ version }, { replace: true });
  const version = params.get('version');
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'market-data', 'ticker', ticker, version],
    queryFn: async ({ signal }) =>
      (await api().call(getAdminTicker, { signal, params: { ticker }, query: version ? { version } : {} }))
        .data,
    placeholderData: keepPreviousData,
  });
  if (error && !data)
    return <ErrorState title="The prices could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPane />;
  const { suspicions, prices } = data;
  const count = suspicions.reduce((sum, one) => sum + one.count, 0);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={data.ticker} description={data.name === data.ticker ? undefined : data.name} />
      {data.is_simulated && <Notice kind="warning">These prices are simulated.</Notice>}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          label="Span"
          value={formatDate(data.first_day)}
          note={`to ${formatDate(data.last_day)}, ${plural(data.days, 'price')}`}
        />
        <Stat label="Source" value={data.source} />
        <Stat
          label="Adjusted for"
          value={BASES[data.basis]}
          note={
            data.further_bases.length > 0
              ? `also kept: ${data.further_bases.map((basis) => BASES[basis].toLowerCase()).join(', ')}`
              : undefined
          }
        />
        <Stat label="Suspicions" value={formatCount(count)} />
      </div>
      <Panel title="Prices">
        <Chart
          data={[
            { type: 'scatter', mode: 'lines', x: [...prices.days], y: [...prices.closes], name: data.ticker },
          ]}
          layout={{ xaxis: { type: 'date' }, yaxis: { type: 'log' }, showlegend: false }}
          height={280}
          description={`Closes of ${data.ticker} from ${data.first_day} to ${data.last_day}`}
        />
      </Panel>
      <h2 className="mt-2 font-semibold">{plural(count, 'suspicion')}</h2>
      {suspicions.length === 0 && (
        <EmptyState title="No suspicions">Nothing suspicious was found in these prices.</EmptyState>
      )}
      {suspicions.map((suspicion) => (
        <SuspicionPanel key={suspicion.kind} suspicion={suspicion} />
      ))}
      <h2 className="mt-2 font-semibold">Versions</h2>
      <Table
        label="Versions"
        rows={data.versions}
        rowId={(row) => row.version}
        onOpen={showVersion}
        columns={[
          versionColumn(showVersion),
          {
            id: 'change',
            header: 'Import',
            className: 'w-full',
            cell: ({ change }) =>
              change
                ? `${change.action}: ${formatCount(change.added)} new, ` +
                  `${formatCount(change.changed)} changed, ${formatCount(change.lost)} lost`
                : 'as before',
          },
          {
            id: 'span',
            header: 'Last day',
            className: 'max-sm:hidden',
            cell: (row) => formatDate(row.last_day),
          },
          { id: 'source', header: 'Source', className: 'max-md:hidden', cell: (row) => row.source },
          {
            id: 'basis',
            header: 'Adjusted for',
            className: 'max-md:hidden',
            cell: (row) => BASES[row.basis],
          },
          {
            id: 'created',
            header: 'Published',
            className: 'max-lg:hidden',
            cell: (row) => formatDateTime(row.created_at),
          },
        ]}
      />
      <p className="text-muted">
        <TickerChip ticker={data.ticker} name={data.name} /> in version{' '}
        <span className="font-mono text-sm">{data.version}</span>
      </p>
    </div>
  );
}

function SuspicionPanel({ suspicion }: { suspicion: AdminTicker['suspicions'][number] }) {
  const { kind, severity, count, days } = suspicion;
  const { color, words } = SEVERITIES[severity];
  const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;
  return (
    <Panel title={count === 1 ? title : `${title} (${formatCount(count)})`}>
      <div className="flex flex-col gap-3">
        <Badge color={color} className="self-start">
          {words}
        </Badge>
        <ul className="grid gap-x-6 gap-y-3 lg:grid-cols-2">
          {days.map((day) => (
            <li key={`${day.from}/${day.to}`} className="flex items-center gap-3">
              <Sparkline
                values={day.prices.closes}
                width={120}
                height={36}
                label={`Closes from ${day.prices.days[0] ?? ''} to ${day.prices.days.at(-1) ?? ''}`}
              />
              <span className="min-w-0">{day.message}</span>
            </li>
          ))}
        </ul>
        {count > days.length && <p className="text-muted">and {formatCount(count - days.length)} more</p>}
      </div>
    </Panel>
  );
}
