import type { ImportReport } from '@quantloom/domain/market-data/import-report';

const SHOWN = 20;

/** The report of an import for people on standard output, or whole as JSON. */
export function printReport(report: ImportReport, asJson: boolean): void {
  console.log(asJson ? JSON.stringify(report, null, 2) : reportLines(report).join('\n'));
}

/** The lines that `data import` prints: totals, what was left out, what looks suspicious. */
export function reportLines(report: ImportReport): string[] {
  const lines = [
    `Version ${report.version}: ${number(report.tickers)} tickers imported, ${number(report.rows)} prices, ${report.firstDay} to ${report.lastDay}, in ${report.seconds.toFixed(1)} s`,
  ];
  if (report.keptTickers > 0)
    lines.push(
      `${number(report.keptTickers)} tickers were kept from the version before (--replace starts without them)`,
    );
  for (const note of report.notes) lines.push(`Note: ${note}`);
  if (report.rejectedRows > 0) {
    lines.push('', `${number(report.rejectedRows)} rows were left out (${counts(report.rejectedByReason)}):`);
    for (const { file, line, reason, ticker, date, price } of report.rejected.slice(0, SHOWN))
      lines.push(
        `  ${file}:${line ?? '?'} ${reason.replaceAll('_', ' ')}: ${[date, ticker, price].filter(Boolean).join(', ').replaceAll(/\s+/g, ' ')}`,
      );
    if (report.rejectedRows > SHOWN) lines.push(`  … ${number(report.rejectedRows - SHOWN)} more`);
  }
  if (report.flagCount > 0) {
    lines.push('', `${number(report.flagCount)} suspicions (${counts(report.flagsByKind)}):`);
    for (const { ticker, message } of report.flags.slice(0, SHOWN)) lines.push(`  ${ticker}: ${message}`);
    if (report.flagCount > SHOWN) lines.push(`  … ${number(report.flagCount - SHOWN)} more`);
  }
  if (report.rejectedRows > SHOWN || report.flagCount > SHOWN)
    lines.push('', `All of them: data report ${report.version} --json`);
  return lines;
}

function counts(byKind: Readonly<Record<string, number>>): string {
  return Object.entries(byKind)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${number(count)} ${kind.replaceAll('_', ' ')}`)
    .join(', ');
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
