import { readStrategyFiles, type StrategyFile } from '@quantloom/adapters/strategy-files/strategy-files';
import { compareIndicators, tickersOfAnswer } from '@quantloom/compute/exchange/compare-indicators';
import type { Comparison } from '@quantloom/domain/exchange/answer-comparison';
import { withComparisons } from '@quantloom/domain/exchange/compared-report';
import type { FidelityItem, FidelityReport } from '@quantloom/domain/exchange/fidelity-report';
import { answerIn, type ImportedSource, importSource } from '@quantloom/domain/exchange/import-source';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { nodeId } from '@quantloom/domain/strategy/node-factory';
import { Command } from 'commander';
import { ulid } from 'ulid';
import { collect, loadPrices, openDataFolder } from './price-source.ts';

/** What the command prints of one file: one line of JSON. */
interface Answer {
  readonly file: string;
  readonly name?: string;
  readonly algorithm?: unknown;
  readonly report?: FidelityReport;
  /** Other strategies of the same file. */
  readonly further?: readonly Pick<ImportedSource, 'name' | 'algorithm' | 'report'>[];
  /** What stood around the strategy, where it is asked for. */
  readonly settings?: ImportedSource['settings'];
  /** Theirs and ours, where the file holds an answer and prices are given. */
  readonly comparisons?: readonly Comparison[];
  readonly status?: number;
  readonly error?: string;
}

interface ImportOptions {
  readonly pretty?: boolean;
  readonly settings?: boolean;
  readonly prices: readonly string[];
  readonly unadjusted: readonly string[];
}

/**
 * `quantloom import FILE…`: reads strategies of this and other tools and prints one JSON a file: the strategy
 * with the report of what became of it, or the reason why there is none. Nothing is stored.
 */
export function importCommand(): Command {
  return new Command('import')
    .description(
      'read strategies of Composer, QuantMage or this product and print each as JSON, with a report',
    )
    .argument('<files...>', 'files with a strategy, or ZIP archives of them; "-" reads standard input')
    .option('--prices <file>', 'prices to compare the answer of another tool with (repeatable)', collect, [])
    .option('--unadjusted <file>', 'the same, not adjusted for dividends (repeatable)', collect, [])
    .option('--settings', 'print what stood around the strategy too: dates, capital, slippage')
    .option('--pretty', 'indent the JSON')
    .action(async (files: readonly string[], options: ImportOptions) => {
      for (const file of files)
        for await (const source of readStrategyFiles(file, process.stdin)) {
          const answer = await importFile(source, options);
          if (answer.error !== undefined) process.exitCode = 2;
          process.stdout.write(`${JSON.stringify(answer, null, options.pretty ? 2 : 0)}\n`);
        }
    });
}

async function importFile(source: StrategyFile, options: ImportOptions): Promise<Answer> {
  if ('error' in source) return source;
  const { file, text } = source;
  const comparisons = await compare(text, options);
  const imported = importSource(text, () => nodeId(ulid()));
  if (isRefusal(imported)) {
    const report = {
      source: 'An answer without a strategy',
      counts: { taken: 0, guessed: 0, differs: 0, lost: 0 },
      items: [],
    };
    const compared = comparisons.length > 0 && { report: withComparisons(report, comparisons), comparisons };
    return { file, status: imported.status, error: imported.detail, ...compared };
  }
  const { name, algorithm, report, settings, further } = imported;
  return {
    file,
    name,
    algorithm,
    report: withComparisons(printed(report), comparisons),
    ...(further.length > 0 && {
      further: further.map((other) => ({
        name: other.name,
        algorithm: other.algorithm,
        report: printed(other.report),
      })),
    }),
    ...(options.settings && { settings }),
    ...(comparisons.length > 0 && { comparisons }),
  };
}

/** Every line with the same fields: what is told once for many says so in words. */
function printed(report: FidelityReport): FidelityReport {
  const items = report.items.map(({ times, ...item }): FidelityItem => {
    if (times === undefined || times === 1) return item;
    return { ...item, said: `${item.said} (here, and in ${times - 1} more places)` };
  });
  return { ...report, items };
}

/** Runs the indicators of an answer on the prices that were given. */
async function compare(source: string, { prices, unadjusted }: ImportOptions): Promise<Comparison[]> {
  const answer = prices.length + unadjusted.length > 0 ? answerIn(source) : null;
  if (answer === null) return [];
  const comparisons: Comparison[] = [];
  for (const [files, kind] of [
    [prices, 'adjusted'],
    [unadjusted, 'unadjusted'],
  ] as const) {
    if (files.length === 0) continue;
    const loaded = await loadPrices(tickersOfAnswer(answer), files, openDataFolder);
    comparisons.push(compareIndicators(answer, loaded.prices, kind));
  }
  return comparisons;
}
