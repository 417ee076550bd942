import {
  HARMLESS_REASONS,
  type ImportReport,
  MAX_BAD_SHARE,
} from '@quantloom/domain/market-data/import-report';

/** Why an import with so many bad rows is refused, with their reasons and the first of them. */
export function tooManyBadRows(report: ImportReport, bad: number, rows: number): string {
  const reasons = Object.entries(report.rejectedByReason)
    .filter(([reason]) => !HARMLESS_REASONS.has(reason))
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} × ${reason.replaceAll('_', ' ')}`);
  const [first] = report.rejected.filter(({ reason }) => !HARMLESS_REASONS.has(reason));
  const example = first
    ? `; the first is ${first.file}${first.line === null ? '' : ` line ${first.line}`}: ${[first.date, first.ticker, first.price].filter(Boolean).join(', ').slice(0, 120)}`
    : '';
  return `${bad} of ${rows} rows cannot be right (${((bad / rows) * 100).toFixed(1)} %, more than ${MAX_BAD_SHARE * 100} %): ${reasons.join(', ')}${example}. With --allow-bad-rows the others are imported`;
}
