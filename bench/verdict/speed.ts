import path from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import type { SkillRows } from '@quantloom/domain/statistics/batch-skill';

/**
 * `node bench/verdict/speed.ts [--against FOLDER]`
 *
 * How long the question for skill takes after the rows were run again, by how many rows there are; with
 * `--against`, a checkout of another state, the two in turns and their ratio. Says where their answers differ
 * by more than rounding.
 */
const { values } = parseArgs({ options: { against: { type: 'string' } } });
const DAYS = 3_772;
const ROUNDS = 15;

interface Statistics {
  testBatchSkill(rows: SkillRows): unknown;
}

const statisticsOf = async (folder: string): Promise<Statistics> =>
  await import(path.resolve(folder, 'domain/src/statistics/batch-skill.ts'));

/** Rows that hold the market now and then, days of their own at the beginning. */
function rowsOf(best: number, random: number): SkillRows {
  const draws = new Random(`speed ${best} ${random}`);
  const days = Float64Array.from({ length: DAYS }, (_, day) => day * 86_400);
  const market = days.map(() => 0.0004 + 0.01 * draws.normal());
  const row = (combination: number) => {
    let isIn = true;
    const first = combination % 7;
    const returns = market.map((daily) => {
      if (draws.uniform() < 0.05) isIn = !isIn;
      return (isIn ? daily : 0.0001) + 0.0005 * draws.normal();
    });
    return { combination, days: days.slice(first), returns: returns.slice(first) };
  };
  const chosen = Array.from({ length: best }, (_, i) => row(i));
  return {
    chosen,
    random: Array.from({ length: random }, (_, i) => row(best + i)),
    rows: random === 0 ? best : 100_000,
    ran: random === 0 ? best : 100_000,
    benchmark: { days, returns: market },
    cash: { days, returns: market.map(() => 0.0001) },
    seed: 'speed',
  };
}

/** Places where two plain values differ by more than rounding. */
function differences(a: unknown, b: unknown, at = ''): string[] {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a)) ? [] : [`${at}: ${a}, ${b}`];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return a === b ? [] : [`${at}: ${a}, ${b}`];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key as never], b[key as never], `${at}.${key}`),
  );
}

const sides = [await statisticsOf(path.join(import.meta.dirname, '../..'))];
if (values.against) sides.push(await statisticsOf(values.against));
for (const [best, random] of [
  [60, 0],
  [20, 40],
  [100, 200],
] as const) {
  const rows = rowsOf(best, random);
  const took = sides.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [i, side] of sides.entries()) {
      const began = performance.now();
      side.testBatchSkill(rows);
      took[i]?.push(performance.now() - began);
    }
  const [here = 0, there] = took.map(
    (times) => times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number,
  );
  const ratio =
    there === undefined ? '' : `, ${there.toFixed(1)} ms there: ${(there / here).toFixed(1)} times as fast`;
  console.log(`${best} best and ${random} random rows: ${here.toFixed(1)} ms${ratio}`);
  const [mine, theirs] = sides.map((side) => side.testBatchSkill(rows));
  if (theirs !== undefined) for (const line of differences(mine, theirs)) console.log(`  differs at ${line}`);
}
