/**
 * Measures the engine: `node bench/engine/main.ts`. Absolute figures vary by machine and by what else runs on
 * it; every table therefore carries a ratio to something timed in the same run. Name workloads or templates
 * to measure only these (`--only W3,trend` does the same).
 *
 *   node bench/engine/main.ts --before FOLDER [--only W3,W4] [--rules daily,monthly] [--rounds 3] [--budget
 *   150] [--at-least 0.95]
 *
 * times the engine of another checkout (with its `node_modules`) and this one in turn, with the same batches
 * and prices, and nothing else. It ends with 1 where a ratio is below `--at-least`.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { compareTrees } from './before/print.ts';
import { type Timing, timeBatch } from './engine-run.ts';
import { growth } from './growth.ts';
import { type Limits, measureLimits } from './limits.ts';
import { DAYS, dateOf, FIRST, measuredBatches, standardDates, TICKERS } from './measured-batches.ts';
import { mixedListing } from './mixed-listing.ts';
import { type NumbaAnswer, pythonWithNumba, runNumba } from './numba.ts';
import { REAL_PRICES, realMarket } from './real-market.ts';
import { RULES, type Rule } from './rules.ts';
import { rulesTable } from './rules-table.ts';
import { singleBacktest } from './single.ts';
import { type Market, syntheticMarket } from './synthetic-market.ts';
import { templates } from './templates.ts';
import { allCoresRate, coldRate } from './threads.ts';
import { best, rate, table } from './timing.ts';
import { variableOrders } from './variable-order.ts';
import { type Workload, workloads } from './workloads.ts';

const SLIPPAGE = 0.001;

function perSecond(combinations: number, ms: number): number {
  return (combinations / ms) * 1000;
}

function percent(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(0)}%`;
}

/** Largest relative difference of the final value between numba and the engine. */
function distance(timing: Timing, rows: readonly (readonly number[])[]): number {
  const ours = timing.block.floats.cumulative_return as Float64Array;
  return rows.reduce((most, row, k) => {
    const [a, b] = [1 + (row[0] as number), 1 + (ours[k] as number)];
    return Math.max(most, Math.abs(a - b) / Math.abs(b));
  }, 0);
}

async function standardWorkloads(market: Market, limits: Limits, only: readonly string[]): Promise<void> {
  const dates = standardDates(market);
  const chosen = workloads(dates).filter(({ name }) => only.length === 0 || only.includes(name));
  if (chosen.length === 0) return;
  const numba = numbaFor(market);
  const rows: string[][] = [];
  for (const workload of chosen) rows.push(await workloadRow(workload, market, limits, dates, numba));
  console.log(
    `\nStandard workloads: ${DAYS} days, ${TICKERS} tickers, first decision on day ${FIRST}; backtests per second`,
  );
  console.log(
    table(
      [
        '',
        'combos',
        'cold',
        'first',
        'fresh',
        'warm',
        'day by day',
        'all cores',
        'per core',
        'of limit',
        'goal',
        'x goal',
        'fresh',
        'numba',
        'x numba',
        'differs',
      ],
      rows,
    ),
  );
  for (const { name, about } of chosen) console.log(`${name}: ${about}`);
  console.log(
    'cold: first batch of a new thread. first: the same where the thread has warmed up, as those ' +
      'of the product do. fresh: planned anew\n' +
      ('in a thread whose prices and indicators are there. warm: planned batch run again. day by ' +
        'day: fresh, without summing up branches. all cores, per core: threads side by side, fresh. ' +
        'of limit: fresh against a\n') +
      ('pass that loads, multiplies, adds and takes the maximum once per day. x goal: warm, then ' +
        'fresh, against the goal.\n') +
      ('x numba: fresh against the version written by hand for numba (eight metrics, no ' +
        'statistics). differs: largest relative difference of the final value to it.'),
  );
}

function numbaFor(market: Market): NumbaAnswer | null {
  const python = pythonWithNumba();
  if (python === null) {
    console.log('numba: skipped, no Python with numba and numpy (name one in PYTHON)');
    return null;
  }
  const answer = runNumba(python, market, FIRST, SLIPPAGE);
  console.log(`numba ${answer.version} from ${python}`);
  return answer;
}

async function workloadRow(
  { name, request, goals }: Workload,
  market: Market,
  limits: Limits,
  dates: { start: string; end: string },
  numba: NumbaAnswer | null,
): Promise<string[]> {
  const task = { name, days: DAYS, tickers: TICKERS, dates, duration: 1500 };
  const cold = await coldRate(task);
  const first = await coldRate({ ...task, isWarmedUp: true });
  const timing = timeBatch(request, market.prices);
  const daily = timeBatch(request, market.prices, { force: 'daily' }, 200);
  const { rate: all, cores } = await allCoresRate(task);
  const fresh = perSecond(timing.combinations, timing.fresh);
  const other = numba?.results.get(name);
  const byNumba = other === undefined ? null : other.combinations / other.seconds;
  return [
    name,
    String(timing.combinations),
    rate(cold),
    rate(first),
    rate(fresh),
    rate(perSecond(timing.combinations, timing.again)),
    rate(perSecond(daily.combinations, daily.fresh)),
    rate(all),
    rate(all / cores),
    percent(fresh, limits.visits),
    rate(goals.goal),
    (perSecond(timing.combinations, timing.again) / goals.goal).toFixed(2),
    (fresh / goals.goal).toFixed(2),
    rate(byNumba),
    byNumba === null ? '--' : (fresh / byNumba).toFixed(2),
    other === undefined ? '--' : distance(timing, other.rows).toExponential(0),
  ];
}

function variedTemplates(limits: Limits, only: readonly string[]): void {
  const prices = realMarket();
  if (prices === null) {
    console.log(`\nTen templates on real prices: skipped, ${REAL_PRICES} is not there`);
    return;
  }
  const rows: string[][] = [];
  for (const { name, about, request } of templates()) {
    if (only.length > 0 && !only.includes(name)) continue;
    const { combinations, fresh, again, block } = timeBatch(request, prices, {}, 250);
    const n = block.floats.n as Float64Array;
    const days = n.reduce((sum, count) => sum + (Number.isNaN(count) ? 0 : count), 0) / combinations;
    const limit = (limits.visits * DAYS) / Math.max(days, 1);
    const ran = combinations - block.failures.length;
    const speed = perSecond(combinations, fresh);
    rows.push([
      name,
      `${ran}/${combinations}`,
      days.toFixed(0),
      rate(speed),
      rate(perSecond(combinations, again)),
      percent(speed, limit),
      (speed / 10_000).toFixed(1),
      about,
    ]);
  }
  if (rows.length === 0) return;
  console.log('\nTen templates on real prices of exchange-traded funds; backtests per second, one core');
  console.log(table(['', 'combos', 'days', 'fresh', 'warm', 'of limit', 'x goal', 'what'], rows));
}

function ordersOfVariables(market: Market): void {
  const dates = standardDates(market);
  const orders = variableOrders(market, dates);
  const most = orders[0]?.rate ?? 1;
  console.log(
    '\n200,000 of the 1,500,000 combinations of W1 with long lists, by the order of its variables, ' +
      'fresh, in ranges of 4,000',
  );
  console.log(
    table(
      ['', 'backtests/s', 'x the first'],
      orders.map((each) => [each.order, rate(each.rate), (each.rate / most).toFixed(2)]),
    ),
  );
}

interface Options {
  readonly only: readonly string[];
  readonly rules: readonly Rule[];
  readonly before: string | null;
  readonly rounds: number;
  readonly budget: number;
  readonly atLeast: number | null;
}

/** @throws Error for a number or a rule that is none */
function options(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '' },
      rules: { type: 'string', default: RULES.join(',') },
      before: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      budget: { type: 'string', default: '150' },
      'at-least': { type: 'string' },
    },
  });
  const number = (name: string, text: string) => {
    const value = Number(text);
    if (!(value > 0)) throw new Error(`--${name} wants a number above 0, not "${text}"`);
    return value;
  };
  const rules = values.rules.split(',').map((name) => {
    const rule = RULES.find((one) => one === name);
    if (rule === undefined) throw new Error(`No rule "${name}": ${RULES.join(', ')}`);
    return rule;
  });
  const least = values['at-least'];
  return {
    only: [...positionals, ...values.only.split(',').filter((name) => name !== '')],
    rules,
    before: values.before ?? null,
    rounds: number('rounds', values.rounds),
    budget: number('budget', values.budget),
    atLeast: least === undefined ? null : number('at-least', least),
  };
}

async function main(): Promise<void> {
  const { only, rules, before, rounds, budget, atLeast } = options();
  const load = loadavg()[0] ?? 0;
  console.log(
    `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load ${load.toFixed(1)}`,
  );
  if (load > cpus().length) console.log('The machine is busy: figures are low, and ratios less certain.');
  if (before !== null) {
    const isFastEnough = await compareTrees({ before, only, rules, rounds, budget, atLeast });
    if (!isFastEnough) process.exitCode = 1;
    return;
  }
  const limits = await measureLimits(DAYS, (run) => best(run, 300));
  console.log(
    `Limit: ${rate(limits.visits)} passes/s over one column. Simulation of the eight visible ` +
      `metrics alone: ${rate(limits.lean)}/s, with all statistics: ${rate(limits.full)}/s ` +
      `(${percent(limits.full, limits.lean)}).`,
  );
  const market = syntheticMarket(DAYS, TICKERS);
  await standardWorkloads(market, limits, only);
  variedTemplates(limits, only);
  rulesTable(measuredBatches(only, market), rules);
  if (only.length === 0 || only.includes('listing')) mixedListing(market);
  if (only.length === 0 || only.includes('order')) ordersOfVariables(market);
  if (only.length > 0) return;
  console.log(
    '\nGrowth, one thing doubled at a time (day by day, fresh); backtests per second and microseconds each',
  );
  console.log(table(['', 'size', 'backtests/s', 'us'], growth(dateOf)));
  const single = await singleBacktest(DAYS, FIRST);
  console.log(
    `\nOne backtest with history, ${DAYS - FIRST} days, 10 assets: first in a new thread ` +
      `${single.first.toFixed(1)} ms, first after warming up ${single.afterWarmUp.toFixed(1)} ms, ` +
      `then ${single.warm.toFixed(1)} ms (goal 10 ms)`,
  );
}

await main();
