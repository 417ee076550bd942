import type { ImportReport, SeriesChange } from '@quantloom/domain/market-data/import-report';
import { formatCount, formatDate, plural } from '../../../lib/format.ts';
import { Badge, TickerChip } from '../../../ui/Badge.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { withoutFlags } from './without-flags.ts';

const COLORS = {
  new: 'green',
  unchanged: 'gray',
  appended: 'green',
  rescaled: 'yellow',
  replaced: 'orange',
  kept: 'orange',
} as const;

/** What an import would change, or has changed: forms, first rows, every ticker, remarks. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const { problems = [], series = [], conditionSeries = [], files, notes } = report;
  return (
    <div className="flex flex-col gap-3">
      <p>
        {plural(report.tickers, 'ticker')}, {plural(report.rows, 'price')}
        {report.firstDay &&
          report.lastDay &&
          `, ${formatDate(report.firstDay)} to ${formatDate(report.lastDay)}`}
        {report.rejectedRows > 0 && `; ${plural(report.rejectedRows, 'row')} left out`}
      </p>
      {problems.map((problem) => (
        <Notice key={problem} kind="danger">
          {withoutFlags(problem)}
        </Notice>
      ))}
      {files.slice(0, 5).map((file) => (
        <FirstRows key={file.file} file={file} />
      ))}
      {series.length > 0 && <Changes series={series} />}
      {conditionSeries.length > 0 && (
        <ul>
          {conditionSeries.map((one) => (
            <li key={one.name} className="flex flex-wrap items-center gap-2">
              <TickerChip ticker={one.name} name={one.name} />
              <Badge color="gray">for conditions only</Badge>
              <span>
                {plural(one.after, 'value')} ({plural(one.before, 'value')} before; {formatCount(one.added)}{' '}
                new, {formatCount(one.changed)} changed), {knownWords(one)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <ul className="list-disc pl-5 text-muted">
          {notes.slice(0, 20).map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** When a value of a series can be used. */
export function knownWords({ hasVintages, lagDays }: { hasVintages: boolean; lagDays: number }): string {
  if (hasVintages) return 'known on the days of their publication';
  return lagDays === 0 ? 'known on their own day' : `known ${plural(lagDays, 'day')} later`;
}

function FirstRows({ file }: { file: ImportReport['files'][number] }) {
  return (
    <div className="flex flex-col gap-1">
      <span>
        <span className="font-mono text-sm">{file.file}</span>: {file.form ?? 'prices'},{' '}
        {plural(file.rows, 'row')}, prices from {file.priceColumn}
      </span>
      {file.sample && (
        <ScrollRegion label={`First rows of ${file.file}`} className="overflow-x-auto">
          <table className="num text-sm text-muted">
            <tbody>
              {file.sample.map((cells, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sample have no identity
                <tr key={row}>
                  {cells.slice(0, 10).map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: nor have its cells
                    <td key={column} className="pr-4 whitespace-nowrap">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </div>
  );
}

function Changes({ series }: { series: readonly SeriesChange[] }) {
  return (
    <ScrollRegion label="What becomes of each ticker" className="max-h-96 overflow-auto">
      <table className="w-full text-left text-sm">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            {['Ticker', 'What', 'Days before', 'Days now', 'New', 'Changed', 'Lost', 'From'].map((name) => (
              <th key={name} scope="col" className="px-3 py-2 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="num">
          {series.slice(0, 500).map((change) => (
            <tr key={change.ticker} className="border-t border-line align-top">
              <td className="px-3 py-1">
                <TickerChip ticker={change.ticker} name={change.ticker} />
              </td>
              <td className="px-3 py-1">
                <Badge color={COLORS[change.action]}>{change.action}</Badge>
              </td>
              {[change.before, change.after, change.added, change.changed, change.lost].map((count, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                <td key={i} className="px-3 py-1">
                  {formatCount(count)}
                </td>
              ))}
              <td className="px-3 py-1">
                {change.files.join(', ')}
                {change.remark && <span className="block text-muted">{change.remark}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
