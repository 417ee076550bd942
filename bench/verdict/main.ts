/**
 * How often the verdict calls something real, on batches in which nothing is, and on batches in which one row is.
 *
 *     node bench/verdict/main.ts [--batches 40] [--seed a] [--only text]
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { timingOf } from '@quantloom/domain/statistics/batch-skill';
import { askForSkill, type RowAlpha, resampledBeyond, rowAlpha } from '@quantloom/domain/statistics/skill';
import { SKILL_LEVEL } from '@quantloom/domain/statistics/skill-level';
import { type HeldByRow, isTimed } from '@quantloom/domain/statistics/skill-verdict';
import { printCeilings } from './ceilings.ts';
import {
  type MadeBatch,
  type MadeRow,
  oneReal,
  randomSwitching,
  resampled,
  SCENARIOS,
  type Scenario,
} from './scenarios.ts';
import { simulatedMarket } from './simulated.ts';

const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '40' },
    seed: { type: 'string', default: 'a' },
    only: { type: 'string', default: '' },
  },
});

/** As many rows are tested whole; of more, the best and some drawn at random: as in `skill-test.ts`. */
const ALL_UP_TO = 120;
const BEST_ROWS = 40;
const RANDOM_ROWS = 80;

/** Mean over deviation of a row's return over cash. */
function sharpeOf(returns: Float64Array, cash: Float64Array): number {
  const n = returns.length;
  let [sum, squares] = [0, 0];
  for (let day = 0; day < n; day += 1) {
    const own = (returns[day] as number) - (cash[day] as number);
    sum += own;
    squares += own * own;
  }
  const variance = squares / n - (sum / n) ** 2;
  return variance > 0 ? sum / n / Math.sqrt(variance) : Number.NEGATIVE_INFINITY;
}

/** Judges a batch as the product does: the best row by Sharpe ratio that is a strategy at all, over the rows that the product would run again. */
function judge(batch: MadeBatch, seed: string): { isCalledReal: boolean; isReal: boolean } {
  const { benchmark, cash } = batch;
  const ranked = batch.rows
    .map((row) => ({ row, sharpe: sharpeOf(row.returns, cash) }))
    .sort((a, b) => b.sharpe - a.sharpe)
    .map(({ row }) => row);
  const isWhole = ranked.length <= ALL_UP_TO;
  const chosen = isWhole ? ranked : ranked.slice(0, BEST_ROWS);
  const drawn = new Set<MadeRow>();
  const random = new Random(`${seed}-rows`);
  while (!isWhole && drawn.size < RANDOM_ROWS) drawn.add(ranked[random.below(ranked.length)] as MadeRow);
  const alphas = new Map<MadeRow, RowAlpha>();
  for (const row of [...chosen, ...drawn]) {
    const alpha = alphas.get(row) ?? rowAlpha(row.returns, benchmark, cash);
    if (alpha?.kind === 'strategy') alphas.set(row, alpha);
  }
  const best = [...alphas.keys()][0];
  const alpha = best && alphas.get(best);
  if (!best || !alpha) return { isCalledReal: false, isReal: false };
  const sample = [...drawn].filter((row) => alphas.has(row));
  const others = [...alphas.keys()].filter((row) => row !== best && !drawn.has(row));
  const order = [best, ...others, ...sample];
  const { p, equivalentTrials } = askForSkill({
    beyond: resampledBeyond(
      order.flatMap((row) => alphas.get(row)?.beyond ?? []),
      { seed, draws: 400 },
    ),
    drawnAtRandom: sample.length,
    rows: isWhole ? order.length : ranked.length,
    trials: isWhole ? order.length : ranked.length,
    t: alpha.t,
  });
  const held = heldBy(best, batch);
  return { isCalledReal: p < SKILL_LEVEL && isTimed(held, equivalentTrials), isReal: best.isReal };
}

/** What the product finds out of a row's holdings (`skill-test.ts`). */
function heldBy({ returns, ownMix }: MadeRow, { benchmark, cash }: MadeBatch): HeldByRow {
  if (!ownMix) return { kind: 'one' };
  const days = Float64Array.from(returns.keys());
  const on = (values: Float64Array) => ({ days, returns: values });
  const timing = timingOf(on(returns), { ownMix: on(ownMix), benchmark: on(benchmark), cash: on(cash) });
  return timing ? { kind: 'several', ...timing } : { kind: 'unknown' };
}

/** Daily returns of the shipped public-domain prices over the days that all of the longest series have. */
function realAssets(): Float64Array[] {
  const file = path.resolve(import.meta.dirname, '../../docs/examples/public_domain.csv.gz');
  const byTicker = new Map<string, Map<string, number>>();
  for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n').slice(1)) {
    const [date = '', ticker = '', close = ''] = line.split(',');
    if (!ticker) continue;
    const closes = byTicker.get(ticker) ?? new Map<string, number>();
    closes.set(date, Number(close));
    byTicker.set(ticker, closes);
  }
  const longest = [...byTicker.values()].sort((a, b) => b.size - a.size).slice(0, 24);
  const dates = [...(longest[0]?.keys() ?? [])]
    .filter((date) => longest.every((closes) => closes.has(date)))
    .sort()
    .slice(-15 * 252);
  return longest.map((closes) =>
    Float64Array.from(
      dates.slice(1),
      (date, i) => (closes.get(date) ?? 0) / (closes.get(dates[i] ?? '') ?? 0) - 1,
    ),
  );
}

function scenarios(): readonly Scenario[] {
  const assets = realAssets();
  const average = (assets[0] ?? new Float64Array(0)).map(
    (_, day) => assets.reduce((sum, asset) => sum + (asset[day] as number), 0) / assets.length,
  );
  return [
    ...SCENARIOS,
    randomSwitching(),
    ...[0.1, 0.15, 0.2].map((knows) => randomSwitching(knows)),
    resampled(assets, average),
    ...(['RSI below', 'RSI above', 'trend'] as const).flatMap((rule) =>
      (['as made', 'days in random order'] as const).map((order) => simulatedMarket(rule, order)),
    ),
    oneReal({ alpha: 0.04, deviation: 0.08, worthless: 0 }),
    ...[0.04, 0.06, 0.08, 0.1, 0.12].map((alpha) => oneReal({ alpha, deviation: 0.08, worthless: 500 })),
    oneReal({ alpha: 0.04, deviation: 0.08, worthless: 500, shared: 0.95 }),
    oneReal({ alpha: 0, deviation: 0.08, worthless: 500, shared: 0.95 }),
  ];
}

const batches = Number(values.batches);
console.log(`${batches} batches each, seed ${values.seed}`);
console.log(`${'scenario'.padEnd(62)} called real   of those, the real row`);
for (const scenario of scenarios().filter(({ name }) => name.includes(values.only))) {
  let called = 0;
  let right = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const seed = `${values.seed}-${scenario.name}-${batch}`;
    const answer = judge(scenario.make(new Random(seed)), seed);
    if (answer.isCalledReal) called += 1;
    if (answer.isCalledReal && answer.isReal) right += 1;
  }
  console.log(
    `${scenario.name.padEnd(62)} ${`${called} (${((100 * called) / batches).toFixed(1)}%)`.padEnd(13)} ${right}`,
  );
}

if (!values.only) printCeilings(values.seed);
