import {
  HARMLESS_REASONS,
  type ImportReport,
  MAX_BAD_SHARE,
} from '@quantloom/domain/market-data/import-report';
import { MarketDataError } from '../files/market-data-error.ts';
import type { Staging } from './staging.ts';

/** Why an import with so many bad rows is refused, with their reasons and the first of them. */
export function tooManyBadRows(report: ImportReport, bad: number, rows: number): string {
  const reasons = Object.entries(report.rejectedByReason)
    .filter(([reason]) => !HARMLESS_REASONS.has(reason))
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} × ${reason.replaceAll('_', ' ')}`);
  const [first] = report.rejected.filter(({ reason }) => !HARMLESS_REASONS.has(reason));
  const example = first
    ? `; the first is ${first.file}${first.line === null ? '' : ` line ${first.line}`}: ` +
      `${[first.date, first.ticker, first.price].filter(Boolean).join(', ').slice(0, 120)}`
    : '';
  return (
    `${bad} of ${rows} rows cannot be right (${((bad / rows) * 100).toFixed(1)}%, more than ` +
    `${MAX_BAD_SHARE * 100}%): ${reasons.join(', ')}${example}. With --allow-bad-rows the others are ` +
    'imported'
  );
}

/** Refused series that a sentence names. */
const NAMED_PROBLEMS = 5;

/** What an import is refused for, in one sentence after the other. */
export function refusedFor(problems: readonly string[]): MarketDataError {
  const shown = problems.slice(0, NAMED_PROBLEMS).join('. ');
  const more =
    problems.length > NAMED_PROBLEMS ? `. And ${problems.length - NAMED_PROBLEMS} more like these` : '';
  const isPast = problems.some((problem) => /stored/.test(problem));
  return new MarketDataError(
    'import_refused',
    `${shown}${more}. Nothing was ` +
      `changed.${isPast ? ' With --replace these files take the place of the stored series, with --keep-different the stored ones stay and the rest is imported' : ''}`,
  );
}

/** What is said where no row can be used: why, the first of them, and what dates look like that are read. */
export async function nothingUsable(staging: Staging, source: string): Promise<MarketDataError> {
  const rejects = await staging.rejectCounts();
  const counts = rejects.map(({ reason, count }) => `${count} × ${reason.replaceAll('_', ' ')}`);
  const [first] = await staging.rejects(1);
  const row = first ? [first.date, first.ticker, first.price].filter(Boolean).join(', ').slice(0, 120) : '';
  const dates = rejects.some(({ reason }) => reason === 'bad_date')
    ? '. Dates are read as 2024-01-31, 20240131, 31.01.2024, 01/31/2024 or 31 Jan 2024'
    : '';
  return new MarketDataError(
    'import_refused',
    'No usable price in ' +
      `${source}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}${row ? `; the first is ${row}` : ''}${dates}. ` +
      'Nothing was changed',
  );
}
