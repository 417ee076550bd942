import type { BacktestAnswer, BacktestHistory } from '@quantloom/domain/contracts/backtest';
import {
  type BandFixed,
  bandCommandId,
  bandId,
  bandStream,
  bandsId,
} from '@quantloom/domain/forward-test/band';
import { BAND_CHECKS, type BandCheckDocument } from '@quantloom/domain/forward-test/band-projection';
import {
  type Decided,
  type DecisionCommand,
  decisionId,
  decisionStream,
  evaluationId,
} from '@quantloom/domain/forward-test/decision';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { day as dayNumber } from '@quantloom/domain/market-data/day';
import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, openBatchApi, wholeAnswer } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

const lived = (id: string, user = 'u1') =>
  api.call('GET', `/api/v1/trading-bots/${id}/as-lived`, undefined, user);

async function createBot(name: string): Promise<string> {
  const algorithm = root(asset('node_a', 'SPY'));
  const created = await api.call('POST', '/api/v1/trading-bots', { name, is_public: false, algorithm });
  expect(created.status).toBe(201);
  return created.body.id;
}

const decidedOn = (
  strategyId: string,
  day: string,
  weights: Record<string, number>,
  more: Partial<Decided> = {},
): Decided => ({
  strategyId,
  revision: 0,
  day,
  runFrom: '2025-12-27',
  dataVersion: 'v0',
  engineVersion: '1',
  isSimulated: true,
  weights,
  conditions: [],
  branches: [],
  closes: {},
  ...more,
});

async function record(command: DecisionCommand, correcting = ''): Promise<void> {
  const { decided } = command;
  await handleCommand(api.stores.eventStore, decisionStream, decisionId(decided), command, {
    commandId: evaluationId(decided, correcting),
    correlationId: 'test',
    actor: { kind: 'system', name: 'nightly' },
    now: `${decided.day}T23:00:00Z`,
  });
}

/** Made in order; resolves when the last of them is seen. */
async function decide(id: string, commands: readonly DecisionCommand[]): Promise<void> {
  for (const command of commands) await record(command, command.type === 'CorrectDecision' ? 'v0' : '');
  const wanted = new Set(commands.map(({ decided }) => decided.day)).size;
  await until(async () => {
    const { body } = await api.call('GET', `/api/v1/trading-bots/${id}/decisions`);
    const corrections = body.filter((one: { correction: unknown }) => one.correction !== null).length;
    const awaited = commands.filter(({ type }) => type === 'CorrectDecision').length;
    return body.length >= wanted && corrections >= awaited;
  });
}

/** A backtest over these days that comes to these values. */
function answering(days: readonly string[], value: readonly number[]): void {
  const history: BacktestHistory = {
    timestamps: days.map((day) => dayNumber(day) * 86_400),
    value,
    benchmark_value: value.map(() => 50),
    tickers: {},
    indicators: {},
    turnover: [],
  };
  api.engine.answer = (): BacktestAnswer => ({ ...wholeAnswer(), history });
}

describe('what came of decisions as they were made', () => {
  it('is nothing before the first one, and nobody else’s', async () => {
    const id = await createBot('New');
    expect(await lived(id)).toMatchObject({ status: 200, body: { days: [], lived: [], gap: null } });
    expect((await lived(id, 'u2')).status).toBe(404);
  });

  it('equals the backtest of the same days where nothing was restated', async () => {
    const id = await createBot('Even');
    const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
    await decide(
      id,
      days.map((day) => ({
        type: 'MakeDecision',
        decided: decidedOn(id, day, { SPY: 100 }),
        isLate: false,
      })),
    );
    answering(['2025-12-31', ...days], [104, 105, 106, 107]);
    const { body } = await lived(id);
    expect(body).toMatchObject({
      days,
      lived: [1, expect.closeTo(106 / 105, 12), expect.closeTo(107 / 105, 12)],
      backtest: [1, 106 / 105, 107 / 105],
      benchmark: [1, 1, 1],
      gap: expect.closeTo(0, 12),
      reasons: [],
      missing_closes: [],
      marks: [],
      backtest_revision: 0,
      slippage_bps: 10,
      is_simulated: true,
    });
  });

  it('stands without a backtest that cannot be run any more, and is simulated where any decision is', async () => {
    const id = await createBot('Gone');
    const days = ['2026-01-01', '2026-01-02'];
    await decide(
      id,
      days.map((day, i) => ({
        type: 'MakeDecision',
        decided: decidedOn(id, day, { SPY: 100 }, { isSimulated: i === 1 }),
        isLate: false,
      })),
    );
    api.engine.defect = new RefusalError(refuse(400, 'unknown_ticker', 'There is no ticker SPY'));
    const { status, body } = await lived(id);
    api.engine.defect = null;
    expect([status, body.days]).toEqual([200, days]);
    expect(body).toMatchObject({ backtest: null, benchmark: null, backtest_revision: null, gap: null });
    expect([body.reasons, body.is_simulated]).toEqual([[], true]);
  });

  it('explains the gap: which prices were changed, who decides since, what was late', async () => {
    const id = await createBot('Uneven');
    const [one, two, three] = ['2026-01-01', '2026-01-02', '2026-01-03'];
    const restated = ['28', '29', '30'].map((day) => ({
      ...{ ticker: 'TLT', day: `2025-12-${day}` },
      ...{ was: 90, is: 91 },
    }));
    await decide(id, [
      { type: 'MakeDecision', decided: decidedOn(id, one, {}), isLate: false },
      { type: 'MakeDecision', decided: decidedOn(id, two, { SPY: 100 }), isLate: true },
      {
        type: 'CorrectDecision',
        decided: decidedOn(id, one, { SPY: 100 }, { dataVersion: 'v1' }),
        restated,
      },
      { type: 'MakeDecision', decided: decidedOn(id, three, { SPY: 100 }, { revision: 1 }), isLate: false },
    ]);
    answering([one, two, three], [100, 101, 102]);
    const { body } = await lived(id);
    // Cash on the first day, whatever would be held today, and on the second, which came too late; then
    // bought at 10 bps.
    expect(body.lived).toEqual([1, 1, expect.closeTo(1 - 0.001, 12)]);
    expect(body.gap).toBeCloseTo(0.999 - 1.02, 12);
    expect(body.reasons).toEqual([
      'Prices were changed after a decision that would come out otherwise today: TLT on ' +
        '2025-12-28, TLT on 2025-12-29, TLT on 2025-12-30.',
      'The strategy was changed: revision 1 decides from 2026-01-03 on.',
      'One decision was made too late and not traded.',
    ]);
    expect(body.marks.map(({ kind, day }: { kind: string; day: string }) => [kind, day])).toEqual([
      ['restated', one],
      ['late', two],
      ['revision', three],
    ]);
  });

  it('names three of the prices that were changed, and how many there are besides', async () => {
    const id = await createBot('Restated');
    const [one, two] = ['2026-01-01', '2026-01-02'];
    const restated = ['26', '27', '28', '29', '30'].map((day) => ({
      ...{ ticker: 'TLT', day: `2025-12-${day}` },
      ...{ was: 90, is: 91 },
    }));
    await decide(id, [
      { type: 'MakeDecision', decided: decidedOn(id, one, {}), isLate: false },
      {
        type: 'CorrectDecision',
        decided: decidedOn(id, one, { SPY: 100 }, { dataVersion: 'v1' }),
        restated,
      },
      { type: 'MakeDecision', decided: decidedOn(id, two, { SPY: 100 }), isLate: false },
    ]);
    answering([one, two], [100, 101]);
    expect((await lived(id)).body.reasons).toEqual([
      'Prices were changed after a decision that would come out otherwise today: TLT on ' +
        '2025-12-26, TLT on 2025-12-27, TLT on 2025-12-28 and 2 more.',
    ]);
  });

  it('begins on the day of whoever asks, and holds nothing while nobody follows', async () => {
    const id = await createBot('Later');
    await decide(
      id,
      ['2025-12-28', '2025-12-29', '2026-01-01', '2026-01-03', '2026-01-04'].map((day) => ({
        type: 'MakeDecision',
        decided: decidedOn(id, day, { SPY: 100 }),
        isLate: false,
      })),
    );
    answering(['2026-01-01', '2026-01-03', '2026-01-04'], [100, 101, 103]);
    // Everything is the owner's; the day of the data is the first of January.
    expect((await lived(id)).body.days).toHaveLength(5);
    await api.call('POST', `/api/v1/trading-bots/${id}/follow`, {});
    const body = await until(async () => {
      const answer = (await lived(id)).body;
      return answer.days[0] === '2026-01-01' && answer;
    });
    expect(body.lived).toEqual([1, 0.999, expect.closeTo((0.999 * 108) / 107, 12)]);
    expect(body.reasons).toEqual(['Nobody followed before 2026-01-03: nothing was held in between.']);
  });

  it('counts what was registered beforehand from the record as it was lived, so far and at its end', async () => {
    const id = await createBot('Registered');
    const follow = { metric: 'cumulative_return', horizon_days: 4 };
    await api.call('POST', `/api/v1/trading-bots/${id}/follow`, follow);
    const registered = async (days: number) =>
      await until(async () => {
        const { body } = await lived(id);
        return body.registered && body.days.length === days ? body.registered : undefined;
      });
    // From Thursday to Monday, which is two trading days.
    expect(await registered(0)).toMatchObject({
      metric: 'cumulative_return',
      horizon_days: 4,
      revision: 0,
      end_day: '2026-01-05',
      days: 2,
      days_so_far: 0,
      value: null,
      is_decided: false,
    });
    const make = (day: string, revision = 0): DecisionCommand => ({
      type: 'MakeDecision',
      decided: decidedOn(id, day, { SPY: 100 }, { revision }),
      isLate: false,
    });
    await decide(id, [make('2026-01-01'), make('2026-01-02')]);
    expect(await registered(2)).toMatchObject({
      days_so_far: 1,
      value: expect.closeTo(106 / 105 - 1, 12),
      is_decided: false,
      is_revised: false,
    });
    await decide(id, [make('2026-01-05', 1)]);
    const decided = await registered(3);
    expect(decided).toMatchObject({ days_so_far: 2, is_decided: true, is_revised: true });
    const value = (await lived(id)).body.lived.at(-1) - 1;
    expect(decided.value).toBeCloseTo(value, 12);
    // What comes later does not count.
    await decide(id, [make('2026-01-06', 1)]);
    expect(await registered(4)).toEqual(decided);
    expect((await lived(id, 'u2')).status).toBe(404);
  });

  it('shows the record where a close is missing, and says which one and what was assumed', async () => {
    const id = await createBot('Gone');
    await decide(id, [
      {
        type: 'MakeDecision',
        decided: decidedOn(id, '2026-01-01', { GONE: 50, SPY: 50 }),
        isLate: false,
      },
      { type: 'MakeDecision', decided: decidedOn(id, '2026-01-02', { SPY: 100 }), isLate: false },
      { type: 'MakeDecision', decided: decidedOn(id, '2026-01-03', { SPY: 100 }), isLate: false },
    ]);
    answering(['2026-01-01', '2026-01-02', '2026-01-03'], [100, 101, 103]);
    const { status, body } = await lived(id);
    expect(status).toBe(200);
    expect(body.days).toEqual(['2026-01-01', '2026-01-02', '2026-01-03']);
    // SPY from 105 to 106 by half, the other half unmoved.
    const grown = 1 + 0.5 * (106 / 105 - 1);
    const turnover = 0.5 / grown + 1 - (0.5 * (106 / 105)) / grown;
    expect(body.lived[1]).toBeCloseTo(grown * (1 - 0.001 * turnover), 12);
    expect(body.lived[2] / body.lived[1]).toBeCloseTo(107 / 106, 12);
    expect(body.missing_closes).toEqual([
      'GONE was held, and has no close on 2 days from 2026-01-01 to 2026-01-02 in the market data ' +
        'of today. There is none before to repeat, so it counts as if it had not moved.',
    ]);
    expect(body.reasons).toEqual(['Closes are missing, and others were assumed in their place.']);
  });

  it('lays the bands of whoever follows over the record, and says where one was left', async () => {
    const id = await createBot('Banded');
    await api.call('POST', `/api/v1/trading-bots/${id}/follow`, {});
    // The newest day of the market data.
    const key = { strategyId: id, startDay: '2026-01-01', number: 1 };
    const { readModels } = api.stores;
    const check = { id: bandsId(key), day: key.startDay, version: 'v0', _revision: 0, _position: '0' };
    await readModels.ensureCollection(BAND_CHECKS);
    await readModels.put(BAND_CHECKS.name, { ...check, missing: 'too_short' } as BandCheckDocument);
    const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
    await decide(
      id,
      days.map((day) => ({ type: 'MakeDecision', decided: decidedOn(id, day, { SPY: 100 }), isLate: false })),
    );
    answering(days, [105, 106, 107]);
    const without = (await lived(id)).body;
    expect([without.bands, without.no_band]).toEqual([
      [],
      'There is no band: the backtest before has less than a year of returns (252 days).',
    ]);
    const edges = {
      lower: [0.9, 0.8, 0.7],
      upper: [1.1, 1.2, 1.3],
      innerLower: [0.95, 0.9, 0.85],
      innerUpper: [1, 1, 1],
    };
    const band: BandFixed = {
      ...key,
      day: '2026-01-02',
      revision: 0,
      dataVersion: 'v0',
      engineVersion: '1',
      isSimulated: true,
      sampleFrom: '2020-01-01',
      sampleDays: 1500,
      seed: 'seed',
      draws: 2000,
      blockLength: 20,
      ...edges,
    };
    const left = {
      ...key,
      day: '2026-01-03',
      seenDay: '2026-01-03',
      side: 'above',
      value: 1.2,
      edge: 1.1,
    } as const;
    for (const command of [
      { type: 'FixBand', band },
      { type: 'LeaveBand', left },
    ] as const)
      await handleCommand(api.stores.eventStore, bandStream, bandId(key), command, {
        commandId: bandCommandId(command.type, key, band.day),
        correlationId: 'test',
        actor: { kind: 'system', name: 'bands' },
        now: '2026-01-02T23:00:00Z',
      });
    const body = await until(async () => {
      const answer = (await lived(id)).body;
      return answer.bands.length > 0 && answer;
    });
    const base = 106 / 105;
    expect(body.no_band).toBeNull();
    expect(body.bands).toEqual([
      expect.objectContaining({
        number: 1,
        day: '2026-01-02',
        // The record has the third of January; the sessions after it are Monday and Tuesday.
        days: ['2026-01-02', '2026-01-03', '2026-01-05', '2026-01-06'],
        lower: [base, ...edges.lower.map((edge) => base * edge)],
        inner_upper: [base, base, base, base],
        left: { day: '2026-01-03', side: 'above', value: 1.2, edge: 1.1 },
      }),
    ]);
  });
});
