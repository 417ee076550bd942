import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import type { DecisionCorrected, DecisionMade } from '@quantloom/domain/forward-test/decision';
import type { EvaluationFailed } from '@quantloom/domain/forward-test/failure';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { day as dayNumber, formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStores, type Stores } from '../../testing/batch-stack.ts';
import { evaluatorsHere } from '../../testing/evaluators.ts';
import { createProjectors, type Projectors } from '../projectors.ts';
import { evaluateStrategy } from './evaluation.ts';
import { evaluatorsOnBus, startEvaluating } from './evaluation-jobs.ts';
import { SETTLED, type SettledDocument } from './evaluations.ts';
import { type Evaluators, type NightlyEvaluation, startNightlyEvaluation } from './nightly.ts';

const STRATEGY = 's1';
const SESSIONS = [...sessionsBetween(dayNumber('2019-01-02'), dayNumber('2020-12-31'))];
const [MONDAY, TUESDAY, WEDNESDAY] = ['2020-06-08', '2020-06-09', '2020-06-10'] as const;

let stores: Stores;
let projectors: Projectors;
let now: Date;
/** The newest day of the prices; all but TLT have it. */
let lastDay: string;
/** The last day of TLT, which the strategy needs. */
let tltEnds: string;
let version: string;
/** Percent of SPY on a day; the rest is TLT. */
let share: (day: string) => number;
/** What closes are multiplied by, as dividends do. */
let factor: number;
let runs: BacktestRequest[];
let failing: (() => Error) | null;
const open: { close(): Promise<void> }[] = [];
const clock = { now: () => now };

const daysUntil = (end: string) => SESSIONS.filter((day) => day <= dayNumber(end));
const marketData = {
  current: async () => ({ version, createdAt: '', label: '', isSimulated: false, lastDay, assetCount: 2 }),
  load: async (of: string, tickers: readonly string[]) =>
    new Map<string, PriceSeries>(
      tickers.map((ticker) => {
        const days = daysUntil(lastDay);
        const isOther = (day: number) => of === 'restated' && day === dayNumber(MONDAY);
        const closes = Float64Array.from(days, (day) => (100 + (day % 7) + Number(isOther(day))) * factor);
        return [ticker, { ticker, days: Int32Array.from(days), closes }];
      }),
    ),
};
const backtestRunner = {
  run: async (request: BacktestRequest): Promise<BacktestAnswer> => {
    runs.push(request);
    if (failing) throw failing();
    const ends = request.end_date < tltEnds ? request.end_date : tltEnds;
    const days = daysUntil(ends);
    const shares = days.map((day) => share(formatDay(day)));
    return {
      calculated_dates: { last_day_decided_by: ends < request.end_date ? ['TLT'] : [] },
      history: {
        timestamps: days.map((day) => day * 86_400),
        value: days.map(() => 1),
        tickers: { SPY: shares, TLT: shares.map((one) => 100 - one) },
        turnover: days.map((day) => (formatDay(day) === TUESDAY ? 0 : 0.5)),
      },
      provenance: { data_version: version, engine_version: '4', is_simulated: false },
    } as unknown as BacktestAnswer;
  },
};
const deps = () => ({ ...stores, marketData, backtestRunner, clock, log: NO_LOG, lookEveryMs: 1e9 });

async function act<Command, State, Event extends DomainEvent>(
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
) {
  const commandId = ulid();
  const actor = { kind: 'user', userId: 'ann' } as const;
  const context = { commandId, correlationId: commandId, actor, now: now.toISOString() };
  const result = await handleCommand(stores.eventStore, kind, id, command, context);
  if (isRefusal(result)) throw new Error(result.detail);
}
const follow = async (userId: string, strategyId = STRATEGY) => {
  const follow = { userId, strategyId, revision: 0, startDay: MONDAY, registration: null };
  await act(followStream, followId(follow), { type: 'FollowStrategy', follow });
};
const create = (strategyId: string) =>
  act(strategyStream, strategyId, {
    type: 'CreateStrategy',
    strategyId,
    name: 'Another',
    isPublic: true,
    status: 'draft',
    algorithm: STARTERS[0]?.build(ulid),
    caller: { userId: 'ann', features: [] },
  });
const caughtUp = async () => projectors.whenReached(await stores.eventStore.head(), { timeoutMs: 30_000 });

const annFollows = async () => {
  await follow('ann');
  await caughtUp();
};

/** A process that looks for what has to be evaluated, here or by whoever is given. */
async function looker(evaluators: Evaluators = evaluatorsHere(deps()), askAgainMs = 0) {
  const one = await startNightlyEvaluation({ ...deps(), evaluators, askAgainMs });
  open.push(one);
  await one.pass();
  await caughtUp();
  return one;
}
const evaluate = (round: number, dataVersion = version) =>
  evaluateStrategy(deps(), { strategyId: STRATEGY, dataVersion, round }, new AbortController().signal);
async function look(one: NightlyEvaluation) {
  await caughtUp();
  await one.pass();
  await caughtUp();
}
/** A day later the prices of this day are there. */
function night(day: string, at = `${day}T23:30:00Z`) {
  [lastDay, tltEnds, version, now] = [day, day, `v${day}`, new Date(at)];
}
async function eventsOf<Event extends { readonly type: string; readonly data: unknown }>(
  type: Event['type'],
): Promise<Event['data'][]> {
  const found: Event['data'][] = [];
  for await (const { data } of stores.eventStore.readAll(-1n, { filter: { eventTypes: [type] } }))
    found.push(data as Event['data']);
  return found;
}
const made = () => eventsOf<DecisionMade>('DecisionMade');
const failures = () => eventsOf<EvaluationFailed>('EvaluationFailed');

beforeEach(async () => {
  [runs, failing, factor] = [[], null, 1];
  share = () => 60;
  night(MONDAY);
  stores = await openStores();
  projectors = createProjectors({ ...stores, projections: PROJECTIONS, catalogue: EVENT_CATALOGUE, clock });
  await projectors.start();
  await create(STRATEGY);
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await projectors.stop();
  await stores.close();
  stores.remove();
});

describe('the night of a followed strategy', () => {
  it('calls a decision late that is made when the next session has opened, whatever the data know', async () => {
    await annFollows();
    // The closes of Monday, with which a strategy is followed on Tuesday at noon.
    now = new Date('2020-06-09T16:00:00Z');
    const one = await looker();
    night(TUESDAY);
    await look(one);
    expect((await made()).map(({ day, isLate }) => [day, isLate])).toEqual([
      [MONDAY, true],
      [TUESDAY, false],
    ]);
  });

  it('keeps what was traded on the day, which is nothing where weights only drift', async () => {
    await annFollows();
    const one = await looker();
    night(TUESDAY);
    await look(one);
    expect((await made()).map(({ turnover }) => turnover)).toEqual([0.5, 0]);
  });

  it('corrects a decision as soon as closes of the same day are corrected, and once', async () => {
    await annFollows();
    const one = await looker();
    [version, share] = ['restated', () => 30];
    await look(one);
    await look(await looker());
    const corrected = await eventsOf<DecisionCorrected>('DecisionCorrected');
    const was = 100 + (dayNumber(MONDAY) % 7);
    const restated = ['SPY', 'TLT'].map((ticker) => ({ ticker, day: MONDAY, was, is: was + 1 }));
    expect(corrected).toMatchObject([{ day: MONDAY, weights: { SPY: 30, TLT: 70 }, restated }]);
    expect(await made()).toHaveLength(1);
  });

  it('is evaluated with the prices that it was asked for, and with no others', async () => {
    await Promise.all([annFollows(), looker({ ask: async () => {}, areBusy: async () => false })]);
    await evaluate(1, 'v of yesterday');
    expect([runs, await made()]).toEqual([[], []]);
    await evaluate(1);
    expect((await made()).map(({ day }) => day)).toEqual([MONDAY]);
  });

  it('is given up in the third round where it takes too long, and never because a server is away', async () => {
    await annFollows();
    await looker({ ask: async () => {}, areBusy: async () => false });
    failing = () => new DependencyAwayError('results', 'it has not answered');
    await expect(evaluate(3)).rejects.toThrow('it has not answered');
    failing = () => new RefusalError(refuse(422, 'took_too_long', 'It took too long'));
    await evaluate(2);
    expect(await failures()).toEqual([]);
    await evaluate(3);
    expect(await failures()).toMatchObject([{ day: MONDAY, code: 'took_too_long' }]);
    const outcome = await stores.readModels.get<SettledDocument>(SETTLED.name, STRATEGY);
    expect(outcome).toMatchObject({ isFailed: true, missing: null });
  });

  it('is given up in the first round where it is refused for what it is', async () => {
    await Promise.all([annFollows(), looker({ ask: async () => {}, areBusy: async () => false })]);
    failing = () => new RefusalError(refuse(400, 'unknown_ticker', 'There are no prices'));
    await evaluate(1);
    expect(await failures()).toMatchObject([{ day: MONDAY, code: 'unknown_ticker' }]);
  });

  it('tells of a night without closes two hours before the next session, and decides when they have come', async () => {
    await annFollows();
    const one = await looker();
    night(TUESDAY);
    tltEnds = MONDAY;
    await look(one);
    await look(one);
    expect(await failures()).toEqual([]);
    // Tried once with these prices, and told once.
    const tried = runs.length;
    now = new Date('2020-06-10T11:29:00Z');
    await look(one);
    expect(await failures()).toEqual([]);
    now = new Date('2020-06-10T11:30:00Z');
    await look(one);
    await look(await looker());
    expect(await failures()).toMatchObject([{ code: 'prices_missing', day: TUESDAY, tickers: ['TLT'] }]);
    expect(runs.length).toBe(tried);
    // They come in the morning, in time.
    [tltEnds, version] = [TUESDAY, 'later'];
    await look(one);
    expect((await made()).map(({ day, isLate }) => [day, isLate])).toEqual([
      [MONDAY, false],
      [TUESDAY, false],
    ]);
  });

  it('misses nothing on days without a session, which only other series have closes of', async () => {
    await annFollows();
    const one = await looker();
    night('2020-06-12');
    await look(one);
    [lastDay, version, now] = ['2020-06-14', 'sunday', new Date('2020-06-15T13:00:00Z')];
    await look(one);
    await look(one);
    expect(await failures()).toEqual([]);
    expect((await made()).at(-1)?.day).toBe('2020-06-12');
    // One run for each version, and those of the days in between: it is not asked for again.
    const before = runs.length;
    await look(one);
    expect(runs.length).toBe(before);
  });

  it('corrects nothing where only the rounding of closes has changed, as after a dividend', async () => {
    await annFollows();
    const one = await looker();
    night(TUESDAY);
    [factor, share] = [0.987, () => 60.001];
    await look(one);
    expect(await eventsOf<DecisionCorrected>('DecisionCorrected')).toEqual([]);
    night(WEDNESDAY);
    share = () => 61;
    factor = 0.98;
    await look(one);
    const corrected = await eventsOf<DecisionCorrected>('DecisionCorrected');
    expect(corrected.map(({ day }) => day).sort()).toEqual([MONDAY, TUESDAY]);
    // All closes times one factor are no closes that were restated.
    expect(corrected.flatMap(({ restated }) => restated)).toEqual([]);
  });

  it('evaluates a private strategy for its owner alone', async () => {
    await follow('ben');
    await act(strategyStream, STRATEGY, {
      type: 'UpdateStrategy',
      isPublic: false,
      caller: { userId: 'ann', features: [] },
    });
    await caughtUp();
    const one = await looker();
    expect(runs).toEqual([]);
    await follow('ann');
    await look(one);
    expect((await made()).map(({ day }) => day)).toEqual([MONDAY]);
  });

  it('evaluates no strategy that is deleted, whoever followed it', async () => {
    await follow('ann');
    await act(strategyStream, STRATEGY, { type: 'DeleteStrategy', caller: { userId: 'ann', features: [] } });
    await caughtUp();
    await looker();
    expect(runs).toEqual([]);
    expect(await made()).toEqual([]);
  });

  it('calls a decision late where the closes of a later day are known, whatever the clock says', async () => {
    await annFollows();
    night(TUESDAY, `${MONDAY}T23:30:00Z`);
    await looker();
    expect((await made()).map(({ day, isLate }) => [day, isLate])).toEqual([
      [MONDAY, true],
      [TUESDAY, false],
    ]);
  });

  it('corrects a decision again where prices are changed back to what they were', async () => {
    await annFollows();
    const one = await looker();
    for (const [day, percent] of [
      [TUESDAY, 40],
      [WEDNESDAY, 60],
    ] as const) {
      share = () => percent;
      night(day);
      await look(one);
    }
    const corrected = (await eventsOf<DecisionCorrected>('DecisionCorrected')).filter(
      ({ day }) => day === MONDAY,
    );
    expect(corrected.map(({ weights }) => weights.SPY)).toEqual([40, 60]);
  });

  it('evaluates nothing for those who have left since it was asked for', async () => {
    await follow('ann');
    await act(followStream, followId({ userId: 'ann', strategyId: STRATEGY }), { type: 'UnfollowStrategy' });
    await caughtUp();
    const asked = { strategyId: STRATEGY, dataVersion: version, round: 1 };
    await evaluateStrategy(deps(), asked, new AbortController().signal);
    expect(runs).toEqual([]);
  });

  it('records that the engine failed, after three tries', async () => {
    await annFollows();
    failing = () => new Error('a defect');
    const one = await looker();
    await look(one);
    expect(await failures()).toEqual([]);
    for (let i = 0; i < 4; i += 1) await look(one);
    expect(await failures()).toMatchObject([{ code: 'engine_error', day: MONDAY }]);
    expect(runs).toHaveLength(3);
  });

  it('asks for quick ones first, so that slow ones hold up nobody else', async () => {
    const slow = 's0';
    await create(slow);
    for (const strategyId of [slow, STRATEGY]) await follow('ann', strategyId);
    await caughtUp();
    await looker();
    const settled = await stores.readModels.get<SettledDocument>(SETTLED.name, slow);
    if (!settled) throw new Error('It was not evaluated');
    await stores.readModels.put(SETTLED.name, { ...settled, milliseconds: 30_000 } as SettledDocument);
    night(TUESDAY);
    const asked: string[] = [];
    await looker({
      ask: async (evaluations) => void asked.push(...evaluations.map(({ strategyId }) => strategyId)),
      areBusy: async () => false,
    });
    expect(asked).toEqual([STRATEGY, slow]);
  });

  it('waits with what it asked for as long as others wait for the same evaluators', async () => {
    await annFollows();
    const asked: string[] = [];
    let areBusy = true;
    const one = await looker({
      ask: async (evaluations) =>
        void asked.push(...evaluations.map(({ strategyId, round }) => `${strategyId} ${round}`)),
      areBusy: async () => areBusy,
    });
    await look(one);
    expect(asked).toEqual([`${STRATEGY} 1`]);
    // What nobody has asked for yet does not wait for that.
    await create('s2');
    await follow('ann', 's2');
    await look(one);
    expect(asked).toEqual([`${STRATEGY} 1`, 's2 1']);
    areBusy = false;
    await look(one);
    expect(asked.slice(2).sort()).toEqual([`${STRATEGY} 2`, 's2 2'].sort());
    // Nor does anything wait that other prices ask for, however often it was asked for with these.
    areBusy = true;
    night(TUESDAY);
    await look(one);
    expect(asked.slice(4).sort()).toEqual([`${STRATEGY} 1`, 's2 1'].sort());
  });
});

describe('evaluations on the bus', () => {
  it('decide each day once, whoever asks and however often', async () => {
    await annFollows();
    for (let node = 0; node < 2; node += 1) open.push(await startEvaluating(deps()));
    const lookers = [
      await looker(await evaluatorsOnBus(stores.bus)),
      await looker(await evaluatorsOnBus(stores.bus)),
    ];
    for (const day of [MONDAY, TUESDAY, WEDNESDAY]) {
      night(day);
      for (const one of lookers) await look(one);
      await expect.poll(async () => (await made()).at(-1)?.day, { timeout: 20_000 }).toBe(day);
    }
    expect((await made()).map(({ day, isLate }) => [day, isLate])).toEqual([
      [MONDAY, false],
      [TUESDAY, false],
      [WEDNESDAY, false],
    ]);
  });

  it('leave out prices that are older, or not here yet', async () => {
    await annFollows();
    open.push(await startEvaluating(deps()));
    const value = { strategyId: STRATEGY, dataVersion: 'of yesterday', round: 1 };
    await stores.bus.publish(TOPICS.evaluations.name, [{ key: STRATEGY, value }]);
    const { areBusy } = await evaluatorsOnBus(stores.bus);
    await expect.poll(areBusy, { timeout: 20_000 }).toBe(false);
    expect(runs).toEqual([]);
  });

  it('are tried again where the run took too long, and told of where it is refused', async () => {
    await annFollows();
    open.push(await startEvaluating(deps()));
    let code = 'took_too_long';
    failing = () => new RefusalError(refuse(422, code, 'It is refused.'));
    const one = await looker(await evaluatorsOnBus(stores.bus));
    await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(1);
    code = 'unknown_ticker';
    await expect
      .poll(
        async () => {
          await look(one);
          return (await failures()).map((failed) => failed.code);
        },
        { timeout: 20_000 },
      )
      .toEqual(['unknown_ticker']);
  });
});
