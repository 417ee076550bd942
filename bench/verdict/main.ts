/**
 * How often the verdict calls something real, on batches in which nothing is, and on batches in which one row
 * is. Batches are judged by the product's own functions.
 *
 *     node bench/verdict/main.ts [--batches 40] [--seed a] [--only text] [--rank sharpe_over_cash|sharpe_ratio]
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { printCeilings } from './ceilings.ts';
import { judge, RANKINGS, type Ranking } from './judge.ts';
import { nearlyCashAmong } from './nearly-cash.ts';
import { oneReal, randomSwitching, resampled, SCENARIOS, type Scenario, type Truth } from './scenarios.ts';
import { simulatedMarket } from './simulated.ts';

const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '40' },
    seed: { type: 'string', default: 'a' },
    only: { type: 'string', default: '' },
    rank: { type: 'string', default: RANKINGS[0] },
  },
});
const ranking = rankingOf(values.rank);

function rankingOf(text: string): Ranking {
  const known = RANKINGS.find((name) => name === text);
  if (!known) throw new Error(`--rank is one of ${RANKINGS.join(', ')}`);
  return known;
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
    nearlyCashAmong('trend rules on 40 assets'),
    nearlyCashAmong('one row with alpha 10% at 8% among 500 worthless', 0.1),
    nearlyCashAmong('one row with alpha 12% at 8% among 500 worthless', 0.12),
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

const WORDS: Record<Truth, string> = {
  nothing: 'no alpha',
  holdings: 'of holdings',
  row: 'one row',
  model: 'of the model',
};

const batches = Number(values.batches);
console.log(`${batches} batches each, seed ${values.seed}, ranked by ${ranking}`);
console.log(
  `${'scenario'.padEnd(92)} true alpha     called real   of those, the real row   judged: nearly cash, the real row`,
);
const wrong = new Map<Truth, { called: number; of: number }>();
for (const { name, truth, make } of scenarios().filter(({ name }) => name.includes(values.only))) {
  const seen = { called: 0, right: 0, nearlyCash: 0, real: 0 };
  for (let batch = 0; batch < batches; batch += 1) {
    const seed = `${values.seed}-${name}-${batch}`;
    const { isCalledReal, row } = judge(make(new Random(seed)), { seed, ranking });
    seen.called += Number(isCalledReal);
    seen.right += Number(isCalledReal && row?.isReal);
    seen.real += Number(row?.isReal);
    seen.nearlyCash += Number(row?.isNearlyCash === true);
  }
  const all = wrong.get(truth) ?? { called: 0, of: 0 };
  wrong.set(truth, { called: all.called + seen.called, of: all.of + batches });
  const { called, right, nearlyCash, real } = seen;
  console.log(
    `${name.padEnd(92)} ${WORDS[truth].padEnd(14)} ${shareOf(called, batches).padEnd(13)} ` +
      `${String(right).padEnd(24)} ${nearlyCash}, ${real}`,
  );
}
for (const truth of ['nothing', 'holdings'] as const) {
  const all = wrong.get(truth);
  if (all)
    console.log(
      `called real wrongly, true alpha: ${WORDS[truth]}: ${shareOf(all.called, all.of)} of ${all.of}`,
    );
}

if (!values.only) printCeilings(values.seed);

function shareOf(count: number, of: number): string {
  return `${count} (${((100 * count) / of).toFixed(1)} %)`;
}
