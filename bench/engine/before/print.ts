import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measuredBatches } from '../measured-batches.ts';
import type { Rule } from '../rules.ts';
import { rate, table } from '../timing.ts';
import { type Comparison, compared, type Figure, type Measured, playRound, tooSlow } from './compare.ts';
import { FIGURES } from './protocol.ts';
import { TreeRunner } from './tree-runner.ts';

interface Task {
  /** Folder of the other checkout. */
  readonly before: string;
  readonly only: readonly string[];
  readonly rules: readonly Rule[];
  /** In each, both engines run in new processes. */
  readonly rounds: number;
  /** Milliseconds of a measurement. */
  readonly budget: number;
  /** The least ratio that will do; null: any. */
  readonly atLeast: number | null;
}

const THIS_TREE = fileURLToPath(new URL('../../..', import.meta.url));

/** Times another checkout and this one in turn, prints both, and tells whether every ratio will do. */
export async function compareTrees({ before, only, rules, rounds, budget, atLeast }: Task): Promise<boolean> {
  const measured = measuredBatches(only).flatMap(({ name }) =>
    rules.map((rule): Measured => ({ name, rule, before: [], after: [] })),
  );
  if (measured.length === 0) throw new Error(`There is no batch to measure among ${only.join(', ')}`);
  for (let round = 0; round < rounds; round++) {
    const runners = await startBoth(resolve(before));
    try {
      for (const each of measured) await playRound(each, runners, round, budget);
    } finally {
      await Promise.all([runners.before.stop(), runners.after.stop()]);
    }
  }
  const comparisons = measured.map((each) => ({ each, comparison: compared(each) }));
  console.log(
    `\nBefore (${resolve(before)}) and after, in turn: ${rounds} rounds of four turns; backtests ` +
      'per processor second by the best turn, one core',
  );
  const header = FIGURES.flatMap((figure) => [`${figure}: before`, 'after', 'ratio', 'median']);
  console.log(
    table(
      ['', 'rule', 'combos', ...header],
      comparisons.map(({ each, comparison }) => rowOf(each, comparison)),
    ),
  );
  console.log(
    'cold: first batch of a new thread. fresh: planned anew in a thread whose prices and ' +
      'indicators are there. warm: planned batch run again.\n' +
      ('ratio: after against before by the best turns; median: by the medians of the turns. --: the ' +
        'engine before cannot be compared.'),
  );
  for (const { each, comparison } of comparisons) {
    if (comparison.kind === 'alone')
      console.log(`${each.name}, ${each.rule}: the engine before: ${comparison.why}`);
  }
  return atLeast === null || printTooSlow(comparisons, atLeast);
}

/** One after the other: what they load at the start is not measured, but need not wait for the other either. */
async function startBoth(before: string): Promise<{ before: TreeRunner; after: TreeRunner }> {
  const first = await TreeRunner.start(before);
  try {
    return { before: first, after: await TreeRunner.start(THIS_TREE) };
  } catch (error) {
    await first.stop();
    throw error;
  }
}

function rowOf({ name, rule }: Measured, comparison: Comparison): string[] {
  const cells =
    comparison.kind === 'compared'
      ? comparison.figures.flatMap(({ before, after, best, median }) => [
          rate(before),
          rate(after),
          best.toFixed(2),
          median.toFixed(2),
        ])
      : FIGURES.flatMap((figure) => ['--', rate(comparison.times[figure]), '--', '--']);
  return [name, rule, String(comparison.combinations), ...cells];
}

function printTooSlow(
  comparisons: readonly { readonly each: Measured; readonly comparison: Comparison }[],
  atLeast: number,
): boolean {
  const slow = comparisons.flatMap(({ each, comparison }) =>
    comparison.kind === 'compared' ? tooSlow(comparison, atLeast).map((figure) => ({ each, figure })) : [],
  );
  const words = ({ figure, best, median }: Figure) => `${figure} ${best.toFixed(3)} (${median.toFixed(3)})`;
  for (const { each, figure } of slow)
    console.log(`Below ${atLeast}: ${each.name}, ${each.rule}, ${words(figure)}`);
  if (slow.length === 0) console.log(`No ratio is below ${atLeast}.`);
  return slow.length === 0;
}
