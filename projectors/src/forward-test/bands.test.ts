import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { BAND_DAYS, type BandFixed, type BandLeft } from '@quantloom/domain/forward-test/band';
import { BAND_CHECKS, type BandCheckDocument } from '@quantloom/domain/forward-test/band-projection';
import { decisionId, decisionStream } from '@quantloom/domain/forward-test/decision';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import { decisionsProjection } from '@quantloom/domain/forward-test/projections';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { day as dayNumber, formatDay } from '@quantloom/domain/market-data/day';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStores, type Stores } from '../../testing/batch-stack.ts';
import { createProjectors, type Projectors } from '../projectors.ts';
import { type KeepingBands, startKeepingBands } from './bands.ts';

const STRATEGY = 's1';
const FIRST = dayNumber('2020-01-01');
/** Place of the day on which the following begins. */
const START = 400;
const dayAt = (i: number) => formatDay(FIRST + i);

let stores: Stores;
let projectors: Projectors;
/** SPY by day: every calendar day has a close. */
let closes: number[];
/** Place of the newest day, and the version of the prices. */
let last: number;
let version: string;
let runs: BacktestRequest[];
/** Said in place of an answer. */
let refusal: Refusal | null;
const open: KeepingBands[] = [];
const clock = { now: () => new Date('2026-11-20T22:00:00Z') };

const marketData = {
  current: async () => ({
    version,
    createdAt: '',
    label: '',
    isSimulated: false,
    lastDay: dayAt(last),
    assetCount: 1,
  }),
  load: async () => {
    const held = closes.slice(0, last + 1);
    const days = Int32Array.from(held, (_, i) => FIRST + i);
    return new Map<string, PriceSeries>([['SPY', { ticker: 'SPY', days, closes: Float64Array.from(held) }]]);
  },
};
/** A backtest of SPY held all the time, from the first close until the day that is asked for. */
const backtestRunner = {
  run: async (request: BacktestRequest): Promise<BacktestAnswer> => {
    runs.push(request);
    if (refusal) throw new RefusalError(refusal);
    const count = dayNumber(request.end_date) - FIRST + 1;
    const values = closes.slice(0, count);
    const history = {
      timestamps: values.map((_, i) => (FIRST + i) * 86_400),
      value: values,
      benchmark_value: null,
      tickers: {},
      indicators: {},
      turnover: [],
    };
    const provenance = { data_version: version, engine_version: '4', is_simulated: false };
    return { history, provenance } as unknown as BacktestAnswer;
  },
};

beforeEach(async () => {
  const random = new Random('prices');
  closes = [100];
  for (let i = 1; i < 2000; i += 1) closes.push((closes[i - 1] as number) * (1 + 0.01 * random.normal()));
  [last, version, runs, refusal] = [START, 'v1', [], null];
  stores = await openStores();
  projectors = createProjectors({ ...stores, projections: PROJECTIONS, catalogue: EVENT_CATALOGUE, clock });
  await projectors.start();
  await act(strategyStream, STRATEGY, {
    type: 'CreateStrategy',
    strategyId: STRATEGY,
    name: 'One',
    isPublic: false,
    status: 'draft',
    algorithm: STARTERS[0]?.build(ulid),
    caller: { userId: 'ann', features: [] },
  });
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await projectors.stop();
  await stores.close();
  stores.remove();
});

async function act<Command, State, Event extends DomainEvent>(
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
) {
  const commandId = ulid();
  const actor = { kind: 'user', userId: 'ann' } as const;
  const context = { commandId, correlationId: commandId, actor, now: clock.now().toISOString() };
  const result = await handleCommand(stores.eventStore, kind, id, command, context);
  if (isRefusal(result)) throw new Error(result.detail);
}
async function follow(userId: string) {
  const follow = { userId, strategyId: STRATEGY, revision: 0, startDay: dayAt(last), registration: null };
  await act(followStream, followId(follow), { type: 'FollowStrategy', follow });
}
async function decide(i: number) {
  const versions = { dataVersion: version, engineVersion: '4', isSimulated: false };
  const decided = { strategyId: STRATEGY, revision: 0, day: dayAt(i), runFrom: dayAt(0), ...versions };
  const command = {
    type: 'MakeDecision',
    decided: { ...decided, weights: { SPY: 100 }, conditions: [], branches: [], closes: {} },
    isLate: false,
  } as const;
  await act(decisionStream, decisionId(decided), command);
}
const caughtUp = async () => projectors.whenReached(await stores.eventStore.head(), { timeoutMs: 30_000 });
async function keeper(readModels = stores.readModels) {
  const deps = { ...stores, readModels, marketData, backtestRunner, clock, log: NO_LOG, lookEveryMs: 1e9 };
  const one = await startKeepingBands(deps);
  open.push(one);
  await one.pass();
  return one;
}
async function pass(...keepers: readonly KeepingBands[]) {
  await caughtUp();
  await Promise.all(keepers.map((one) => one.pass()));
  await caughtUp();
}
async function eventsOf<Data>(type: string): Promise<Data[]> {
  const found: Data[] = [];
  for await (const { data } of stores.eventStore.readAll(-1n, { filter: { eventTypes: [type] } }))
    found.push(data as Data);
  return found;
}
const fixed = () => eventsOf<BandFixed>('BandFixed');
const left = () => eventsOf<BandLeft>('BandLeft');
/** The next days, each with its decision; looked at on the last of them. */
async function nights(count: number, keepers: readonly KeepingBands[]) {
  for (let i = 0; i < count; i += 1) {
    last += 1;
    await decide(last);
  }
  await pass(...keepers);
}

describe('bands of followed strategies', { timeout: 60_000 }, () => {
  it('are fixed once, with the first decision, from the days up to it alone, however many follow and look', async () => {
    const [one, other] = [await keeper(), await keeper()];
    await follow('ann');
    await pass(one, other);
    // Nothing is decided yet.
    expect(await fixed()).toEqual([]);
    await follow('ben');
    await decide(START);
    await pass(one, other);
    await pass(one, other);
    await pass(await keeper());
    const [band, ...more] = await fixed();
    expect(more).toEqual([]);
    expect(band).toMatchObject({
      strategyId: STRATEGY,
      startDay: dayAt(START),
      number: 1,
      day: dayAt(START),
      dataVersion: 'v1',
      sampleFrom: dayAt(0),
      sampleDays: START,
      seed: `band ${STRATEGY} 0 ${dayAt(START)} v1`,
    });
    expect(new Set(runs.map(({ end_date }) => end_date))).toEqual(new Set([dayAt(START)]));
    for (const edge of ['lower', 'upper', 'innerLower', 'innerUpper'] as const)
      expect(band?.[edge]).toHaveLength(BAND_DAYS);
  });

  it('stand when the prices behind them are restated', async () => {
    const one = await keeper();
    await follow('ann');
    await decide(START);
    await pass(one);
    const before = await fixed();
    expect(before).toHaveLength(1);
    closes = closes.map((close, i) => (i < START ? close * (1 + 0.2 * Math.sin(i)) : close));
    version = 'v2';
    await nights(1, [one]);
    await pass(await keeper());
    expect(await fixed()).toEqual(before);
  });

  it('are left once, on the first day outside, however long the record stays there', async () => {
    const [one, other] = [await keeper(), await keeper()];
    await follow('ann');
    await decide(START);
    await pass(one);
    await nights(3, [one, other]);
    expect(await left()).toEqual([]);
    const [band] = await fixed();
    for (let i = START + 4; i < closes.length; i += 1) closes[i] = (closes[i] as number) * 0.6;
    await nights(2, [one, other]);
    await nights(2, [one, other]);
    const growth = (closes[START + 4] as number) / (closes[START] as number);
    expect(await left()).toEqual([
      {
        strategyId: STRATEGY,
        startDay: dayAt(START),
        number: 1,
        day: dayAt(START + 4),
        seenDay: dayAt(START + 5),
        side: 'below',
        value: expect.closeTo(growth, 12),
        edge: band?.lower[3],
      },
    ]);
  });

  it('are looked at again on the same day where its prices are restated', async () => {
    const one = await keeper();
    await follow('ann');
    await decide(START);
    await pass(one);
    await nights(2, [one]);
    expect(await left()).toEqual([]);
    closes[START + 2] = (closes[START + 2] as number) * 0.6;
    version = 'v2';
    await pass(one);
    expect(await left()).toMatchObject([{ day: dayAt(START + 2), seenDay: dayAt(START + 2) }]);
  });

  it('are looked at again where the decision of the day could not be read yet', async () => {
    let isBehind = false;
    // One read model knows that the day is decided, the other one does not have the decision.
    const find: ReadModels['find'] = async (collection, query) => {
      const name: string = collection;
      const found = await stores.readModels.find(collection, query);
      return isBehind && name === decisionsProjection.collection.name ? found.slice(1) : found;
    };
    const behind = new Proxy(stores.readModels, {
      get: (target, name: keyof ReadModels) =>
        name === 'find' ? find : (target[name] as (...given: unknown[]) => unknown).bind(target),
    });
    const one = await keeper(behind);
    await follow('ann');
    await decide(START);
    await pass(one);
    closes[START + 1] = (closes[START + 1] as number) * 0.6;
    isBehind = true;
    await nights(1, [one]);
    expect(await left()).toEqual([]);
    isBehind = false;
    await pass(one);
    expect(await left()).toMatchObject([{ day: dayAt(START + 1) }]);
  });

  it('are followed by a further one after a year, fixed on the last day of the first', async () => {
    const one = await keeper();
    await follow('ann');
    await decide(START);
    await pass(one);
    await nights(BAND_DAYS - 1, [one]);
    expect(await fixed()).toHaveLength(1);
    await nights(1, [one]);
    await nights(1, [one]);
    expect((await fixed()).map(({ number, day, sampleDays }) => [number, day, sampleDays])).toEqual([
      [1, dayAt(START), START],
      [2, dayAt(START + BAND_DAYS), START + BAND_DAYS],
    ]);
  });

  it('are not fixed on less than a year, nor for those who have left, and it is known why', async () => {
    const one = await keeper();
    last = 200;
    await follow('ann');
    await decide(last);
    await pass(one);
    await pass(one);
    expect(await fixed()).toEqual([]);
    const id = `${STRATEGY}-${dayAt(200)}`;
    const check = () => stores.readModels.get<BandCheckDocument>(BAND_CHECKS.name, id);
    expect(await check()).toMatchObject({ missing: 'too_short', day: dayAt(200) });
    expect(runs).toHaveLength(1);
    await act(followStream, followId({ userId: 'ann', strategyId: STRATEGY }), { type: 'UnfollowStrategy' });
    await nights(1, [one]);
    expect(runs).toHaveLength(1);
  });

  it('are not fixed where no run is to be had, and no further one is tried with the same prices', async () => {
    const one = await keeper();
    refusal = refuse(422, 'took_too_long', 'It takes too long.');
    await follow('ann');
    await decide(START);
    await pass(one);
    await pass(one);
    expect(await fixed()).toEqual([]);
    expect(runs).toHaveLength(1);
    const check = await stores.readModels.get<BandCheckDocument>(
      BAND_CHECKS.name,
      `${STRATEGY}-${dayAt(START)}`,
    );
    expect(check).toMatchObject({ missing: 'not_run' });
  });

  it('are not fixed for a strategy that is deleted, whoever follows it', async () => {
    const one = await keeper();
    await follow('ann');
    await decide(START);
    await act(strategyStream, STRATEGY, { type: 'DeleteStrategy', caller: { userId: 'ann', features: [] } });
    await pass(one);
    expect(await fixed()).toEqual([]);
    expect(runs).toEqual([]);
  });
});
