import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import {
  type Comparison,
  compareIndicators,
  comparisonItems,
  tickersOfAnswer,
} from '@quantloom/compute/exchange/compare-indicators';
import type { FidelityReport } from '@quantloom/domain/exchange/fidelity-report';
import { answerIn, importSource } from '@quantloom/domain/exchange/import-source';
import { MAX_SOURCE_LENGTH, tooLargeSentence } from '@quantloom/domain/exchange/syntax/source-limits';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { nodeId } from '@quantloom/domain/strategy/node-factory';
import { Command } from 'commander';
import { ulid } from 'ulid';
import { CommandError } from './command-error.ts';
import { collect, loadPrices, openDataFolder } from './price-source.ts';

/** What the command prints of one file. */
interface Answer {
  readonly file: string;
  readonly name?: string;
  readonly algorithm?: unknown;
  readonly report?: FidelityReport;
  /** Theirs and ours, where the file holds an answer and prices are given. */
  readonly comparisons?: readonly Comparison[];
  readonly status?: number;
  readonly error?: string;
}

interface ImportOptions {
  readonly pretty?: boolean;
  readonly prices: readonly string[];
  readonly unadjusted: readonly string[];
}

/**
 * `quantloom import FILE…`: reads strategies of this and other tools and prints one JSON a file: the strategy with the report of what
 * became of it, or the reason why there is none. Nothing is stored.
 */
export function importCommand(): Command {
  return new Command('import')
    .description(
      'read strategies of Composer, QuantMage or this product and print each as JSON, with a report',
    )
    .argument('<files...>', 'files with a strategy; "-" reads standard input')
    .option('--prices <file>', 'prices to compare the answer of another tool with (repeatable)', collect, [])
    .option('--unadjusted <file>', 'the same, not adjusted for dividends (repeatable)', collect, [])
    .option('--pretty', 'indent the JSON')
    .action(async (files: readonly string[], options: ImportOptions) => {
      for (const file of files) {
        const answer = await importFile(file, options);
        if (answer.error !== undefined) process.exitCode = 2;
        process.stdout.write(`${JSON.stringify(answer, null, options.pretty ? 2 : 0)}\n`);
      }
    });
}

async function importFile(file: string, options: ImportOptions): Promise<Answer> {
  let source: string;
  try {
    source = await readText(file);
  } catch (error) {
    if (error instanceof CommandError) return { file, status: error.status, error: error.message };
    return { file, status: 400, error: `${file} cannot be read: ${(error as Error).message}` };
  }
  const comparisons = await compare(source, options);
  const imported = importSource(source, () => nodeId(ulid()));
  if (isRefusal(imported)) {
    const report = {
      source: 'An answer without a strategy',
      counts: { taken: 0, guessed: 0, differs: 0, lost: 0 },
      items: [],
    };
    const compared = comparisons.length > 0 && { report: withComparisons(report, comparisons), comparisons };
    return { file, status: imported.status, error: imported.detail, ...compared };
  }
  const { name, algorithm, report, settings } = imported;
  return {
    file,
    name,
    algorithm,
    report: withComparisons(report, comparisons),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(comparisons.length > 0 && { comparisons }),
  };
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

function withComparisons(report: FidelityReport, comparisons: readonly Comparison[]): FidelityReport {
  const items = comparisons.flatMap(comparisonItems);
  const differs = report.counts.differs + items.filter(({ kind }) => kind === 'differs').length;
  return { ...report, counts: { ...report.counts, differs }, items: [...report.items, ...items] };
}

/** A file as text; one that is too large is not read at all. */
async function readText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    // A character is at most three bytes in UTF-8.
    if (size > 3 * MAX_SOURCE_LENGTH) throw new CommandError(413, tooLargeSentence(size));
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
