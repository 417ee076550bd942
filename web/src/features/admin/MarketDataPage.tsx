import { getAdminMarketData } from '@quantloom/domain/contracts/http/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../lib/api.ts';
import { formatCount, formatDate, formatDateTime, formatDuration, plural } from '../../lib/format.ts';
import { Badge, TickerChip } from '../../ui/Badge.tsx';
import { EmptyState, ErrorState, Notice } from '../../ui/feedback.tsx';
import { Stat } from '../../ui/Metric.tsx';
import { PageHeader, Panel } from '../../ui/Page.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { Table } from '../../ui/Table.tsx';
import { ImportPanel } from './market-data/ImportPanel.tsx';
import { knownWords } from './market-data/ImportReportView.tsx';
import { leftOutTitle } from './market-data/left-out-words.ts';
import { versionColumn } from './version-column.tsx';

/** Versions of the market data, how fresh they are, and what was wrong with them. */
export default function MarketDataPage() {
  const [params, setParams] = useSearchParams();
  const showVersion = ({ version }: { readonly version: string }) =>
    setParams({ version }, { replace: true });
  const version = params.get('version');
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'market-data', version],
    queryFn: async ({ signal }) =>
      (await api().call(getAdminMarketData, { signal, query: version ? { version } : {} })).data,
    placeholderData: keepPreviousData,
  });
  if (error && !data)
    return (
      <ErrorState title="Market data could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <LoadingPane />;
  const { current, report } = data;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Market Data" description={current.label} />
      {current.is_simulated && (
        <Notice kind="warning">
          All prices are simulated. Load real ones below, or with{' '}
          <code className="font-mono text-sm">npm run data -- import</code>.
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat label="Assets" value={formatCount(current.asset_count)} />
        <Stat
          label="Last day"
          value={formatDate(current.last_day)}
          note={`${plural(current.sessions_behind, 'session')} behind`}
        />
        <Stat
          label="Rows read"
          value={formatCount(report?.rows)}
          note={report ? formatDuration(report.seconds) : undefined}
        />
        <Stat label="Assets with defects" value={formatCount(data.assets_with_defects.length)} />
      </div>
      <ImportPanel before={current.version} />
      <h2 className="mt-2 font-semibold">Versions</h2>
      <Table
        label="Versions"
        rows={data.versions}
        rowId={(row) => row.version}
        onOpen={showVersion}
        columns={[
          versionColumn(showVersion),
          {
            id: 'label',
            header: 'Label',
            className: 'max-sm:hidden',
            cell: (row) => (
              <span className="flex items-center gap-2">
                {row.label}
                {row.is_current && <Badge color="green">current</Badge>}
                {row.is_simulated && <Badge color="yellow">simulated</Badge>}
              </span>
            ),
          },
          { id: 'assets', header: 'Assets', isNumeric: true, cell: (row) => formatCount(row.asset_count) },
          {
            id: 'last',
            header: 'Last day',
            className: 'max-md:hidden',
            cell: (row) => formatDate(row.last_day),
          },
          {
            id: 'created',
            header: 'Published',
            className: 'max-md:hidden',
            cell: (row) => formatDateTime(row.created_at),
          },
        ]}
      />
      {data.condition_series.length > 0 && (
        <>
          <h2 className="mt-2 font-semibold">Series for conditions</h2>
          <Table
            label="Series for conditions"
            rows={data.condition_series}
            rowId={(row) => row.name}
            columns={[
              {
                id: 'name',
                header: 'Series',
                cell: (row) => <TickerChip ticker={row.name} name={row.title} />,
              },
              {
                id: 'title',
                header: 'Title',
                className: 'w-full max-sm:hidden',
                cell: (row) => `${row.title}, from ${row.source}`,
              },
              {
                id: 'days',
                header: 'Values',
                cell: (row) => `${formatDate(row.first_day)} to ${formatDate(row.last_day)}`,
              },
              {
                id: 'known',
                header: 'When they are known',
                className: 'max-md:hidden',
                cell: (row) => knownWords({ hasVintages: row.has_vintages, lagDays: row.lag_days }),
              },
            ]}
          />
        </>
      )}
      <h2 className="mt-2 font-semibold">Assets with defects</h2>
      <Table
        label="Assets with defects"
        rows={data.assets_with_defects}
        rowId={(row) => row.ticker}
        columns={[
          {
            id: 'ticker',
            header: 'Ticker',
            sortValue: (row) => row.ticker,
            cell: (row) => (
              <Link to={`/admin/market-data/${row.ticker}${version ? `?version=${version}` : ''}`}>
                <TickerChip ticker={row.ticker} name={row.name} />
              </Link>
            ),
          },
          {
            id: 'flags',
            header: 'What was found',
            className: 'w-full',
            cell: (row) => (
              <ul className="py-1">
                {row.flags.slice(0, 3).map((flag) => (
                  <li key={`${flag.kind}/${flag.from}`}>{flag.message}</li>
                ))}
                {row.flags.length > 3 && <li className="text-muted">and {row.flags.length - 3} more</li>}
              </ul>
            ),
          },
          {
            id: 'count',
            header: 'Suspicions',
            isNumeric: true,
            sortValue: (row) => row.flags.length,
            cell: (row) => formatCount(row.flags.length),
          },
        ]}
        empty={<EmptyState title="No defects">Nothing suspicious was found in this version.</EmptyState>}
      />
      {data.rejected.length > 0 && (
        <Panel title={leftOutTitle(data.rejected.length, report?.rejectedRows)} className="p-0!">
          {report && report.rejectedRows > data.rejected.length && (
            <p className="px-3 pb-2 text-sm text-muted">
              All of them: <code>npm run -s data -- report {report.version} --json</code> on the server.
            </p>
          )}
          <ScrollRegion label="Rows left out" className="max-h-96 overflow-auto">
            <table className="w-full text-left text-sm">
              <thead className="sticky top-0 bg-surface text-muted">
                <tr>
                  {['File', 'Line', 'Reason', 'Ticker', 'Date', 'Price'].map((name) => (
                    <th key={name} scope="col" className="px-3 py-2 font-medium">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="num">
                {data.rejected.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows of a report have no identity
                  <tr key={index} className="border-t border-line">
                    <td className="px-3 py-1">{row.file}</td>
                    <td className="px-3 py-1">{row.line ?? '--'}</td>
                    <td className="px-3 py-1">
                      <Badge color="orange">{row.reason}</Badge>
                    </td>
                    <td className="px-3 py-1">{row.ticker}</td>
                    <td className="px-3 py-1">{row.date}</td>
                    <td className="px-3 py-1">{row.price}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </Panel>
      )}
    </div>
  );
}
