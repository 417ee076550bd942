import type {
  ConditionSeriesChange,
  ImportReport,
  SeriesAction,
  SeriesChange,
} from '@quantloom/domain/market-data/import-report';
import { foldSuspicions, SEVERITY_ORDER } from '@quantloom/domain/market-data/suspicions';

const SHOWN = 20;

/** The report of an import for people on standard output, or whole as JSON. */
export function printReport(report: ImportReport, asJson: boolean): void {
  console.log(asJson ? JSON.stringify(report, null, 2) : reportLines(report).join('\n'));
}

/**
 * The lines that `data import` prints: totals, what became of each ticker, what was left out, what looks
 * suspicious.
 */
export function reportLines(report: ImportReport): string[] {
  const isPreview = report.problems !== undefined;
  const lines = [
    `${isPreview ? 'Nothing was published. It would be' : `Version ${report.version}:`} ` +
      `${plural(report.tickers, 'ticker')} imported, ` +
      `${plural(report.rows, 'price')}${report.firstDay ? `, ${report.firstDay} to ${report.lastDay}` : ''}, ` +
      `in ${report.seconds.toFixed(1)} s`,
  ];
  for (const problem of report.problems ?? []) lines.push(`Refused: ${problem}`);
  lines.push(...seriesLines(report.series ?? []), ...conditionSeriesLines(report.conditionSeries ?? []));
  if (report.keptTickers > 0)
    lines.push(
      `${plural(report.keptTickers, 'other ticker')} stayed as ` +
        `${report.keptTickers === 1 ? 'it was' : 'they were'} (--drop-others forgets them)`,
    );
  for (const note of report.notes) lines.push(`Note: ${note}`);
  if (report.rejectedRows > 0) {
    lines.push(
      '',
      `${plural(report.rejectedRows, 'row')} ${report.rejectedRows === 1 ? 'was' : 'were'} left ` +
        `out (${counts(report.rejectedByReason)}):`,
    );
    for (const { file, line, reason, ticker, date, price } of report.rejected.slice(0, SHOWN))
      lines.push(
        `  ${file}:${line ?? '?'} ${words(reason)}: ` +
          `${[date, ticker, price].filter(Boolean).join(', ').replaceAll(/\s+/g, ' ')}`,
      );
    if (report.rejectedRows > SHOWN) lines.push(`  … ${number(report.rejectedRows - SHOWN)} more`);
  }
  if (report.flagCount > 0) {
    lines.push('', `${plural(report.flagCount, 'suspicion')} (${counts(report.flagsByKind)}):`);
    lines.push(...suspicionLines(report));
  }
  if (!isPreview && (report.rejectedRows > SHOWN || report.flagCount > SHOWN))
    lines.push('', 'All of them:', `  ${reportCommand(report.version)}`);
  return lines;
}

/** What shows a version's whole report, to be pasted into the shell that this command was called in. */
export function reportCommand(version: string, env: NodeJS.ProcessEnv = process.env): string {
  const { DATA_DIR: folder, npm_lifecycle_event: script } = env;
  const program = script === undefined ? 'quantloom data' : 'npm run -s data --';
  const setting = folder ? `DATA_DIR='${folder.replaceAll("'", `'\\''`)}' ` : '';
  return `${setting}${program} report ${version} --json`;
}

/**
 * A line for each ticker and kind of suspicion, the most serious first; equal ones are folded into the first
 * of them.
 */
function suspicionLines({ flags, flagCount }: ImportReport): string[] {
  const folded = [...Map.groupBy(flags, ({ ticker }) => ticker)].flatMap(([ticker, own]) =>
    foldSuspicions(own, 1).map((suspicion) => ({ ticker, ...suspicion })),
  );
  const sorted = folded.sort(
    (a, b) => SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity),
  );
  const shown = sorted.slice(0, SHOWN);
  const told = shown.reduce((sum, { count }) => sum + count, 0);
  return [
    ...shown.map(({ ticker, severity, count, days }) => {
      const more = count > 1 ? ` (and ${number(count - 1)} more of the kind)` : '';
      return `  ${severity === 'serious' ? 'serious: ' : ''}${ticker}: ${days[0]?.message ?? ''}${more}`;
    }),
    ...(flagCount > told ? [`  … ${number(flagCount - told)} more`] : []),
  ];
}

/** What is worth a line first: series of which something is no more. */
const URGENCY: readonly SeriesAction[] = ['kept', 'replaced', 'rescaled', 'appended', 'new', 'unchanged'];

function seriesLines(series: readonly SeriesChange[]): string[] {
  const sorted = [...series].sort(
    (a, b) => URGENCY.indexOf(a.action) - URGENCY.indexOf(b.action) || b.lost - a.lost,
  );
  const lines = sorted.slice(0, SHOWN).map((change) => `  ${seriesLine(change)}`);
  if (series.length > SHOWN) {
    const byAction = Object.groupBy(series, ({ action }) => action);
    const totals = URGENCY.flatMap((action) =>
      byAction[action] ? [`${number(byAction[action].length)} ${action}`] : [],
    );
    lines.push(`  … ${number(series.length - SHOWN)} more; in all ${totals.join(', ')}`);
  }
  return lines;
}

function conditionSeriesLines(series: readonly ConditionSeriesChange[]): string[] {
  return series.map(
    ({ name, source, before, after, added, changed, lagDays, hasVintages }) =>
      `  ${name} from ${source}, for conditions only: ${plural(after, 'value')} (${number(before)} ` +
      `before: ${number(added)} new, ${number(changed)} changed), ` +
      `${hasVintages ? 'known on the days of their publication' : `known ${plural(lagDays, 'day')} later (--lag)`}`,
  );
}

/** `SPY from spy_us_d.csv: appended, 378 days before, 390 now: 12 new, 0 changed, 0 lost`. */
export function seriesLine({
  ticker,
  action,
  before,
  after,
  added,
  changed,
  lost,
  files,
  remark,
}: SeriesChange): string {
  const from = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const days =
    action === 'new'
      ? `new, ${plural(after, 'day')}`
      : `${action}, ${plural(before, 'day')} before, ${number(after)} now: ${number(added)} new, ` +
        `${number(changed)} changed, ${number(lost)} lost`;
  return `${ticker} from ${from}: ${days}${remark ? ` (${remark})` : ''}`;
}

function counts(byKind: Readonly<Record<string, number>>): string {
  return Object.entries(byKind)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${number(count)} ${words(kind)}`)
    .join(', ');
}

function words(kind: string): string {
  return kind.replaceAll('_', ' ');
}

function plural(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
