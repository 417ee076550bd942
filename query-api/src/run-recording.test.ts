import { treeFingerprint } from '@quantloom/domain/batch/reuse';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { POSITION_HEADER } from '@quantloom/domain/contracts/http/headers';
import { storedFingerprint } from '@quantloom/domain/strategy/run-hashes';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { asset, root } from '../testing/blocks.ts';
import { createRunRecorder, termsOf } from './run-recording.ts';

const DAYS = { start_date: '2020-01-02', end_date: '2020-12-31' };
const terms = (given: object) => termsOf({ ...DAYS, ...given } as Omit<BacktestRequest, 'trading_bot'>);

describe('the terms of a run that is kept', () => {
  it('have the defaults written out', () => {
    expect(terms({})).toEqual({
      ...DAYS,
      starting_balance: 10_000,
      slippage_bps: 10,
      benchmark_ticker: 'SPY',
    });
  });

  it('have what was asked for, a slippage of nothing, too', () => {
    const asked = { starting_balance: 5, slippage_bps: 0, benchmark_ticker: 'QQQ', fill: 'next_open' };
    expect(terms(asked)).toEqual({ ...DAYS, ...asked });
    expect(terms({ slippage_bps: '2.5', starting_balance: '100' })).toMatchObject({
      slippage_bps: 2.5,
      starting_balance: 100,
    });
  });

  it('have what cash earned and which prices the indicators read, where that was not the usual', () => {
    for (const asked of [{ cash: { rate: 2 } }, { cash: { ticker: 'BIL' } }, { indicator_prices: 'raw' }])
      expect(terms(asked)).toEqual({ ...terms({}), ...asked });
    expect(terms({ cash: null, indicator_prices: null })).toEqual(terms({}));
  });

  it('say nothing of the fill that every run has had from the beginning', () => {
    expect(terms({ fill: 'close' })).not.toHaveProperty('fill');
  });
});

describe('a run that came to its end', () => {
  const hashes = { tree: 't', text: 'x', run: 'r', trial: 'r', stored: { tree: 't2', text: 'x2' } };
  const saved = { id: 's', ownerId: 'ann', _revision: 4, isDeleted: false, tree: { hash: 'x' } };

  /** Records runs of what the read models have as the strategy. */
  function recorder(strategy: object | null = saved, sent: Readonly<Record<string, string>> = {}) {
    const eventStore = new MemoryEventStore();
    const [headers, failures]: [Record<string, unknown>, unknown[]] = [{}, []];
    const used = { bytes: 0 };
    const readModels = { get: async () => strategy, sum: async () => used.bytes };
    const waited: unknown[] = [];
    const consistency = { whenReached: async (position: unknown) => waited.push(position) > 0 };
    const { record } = createRunRecorder({ eventStore, readModels, consistency } as never);
    const call = {
      request: { headers: sent, log: { error: (about: unknown) => failures.push(about) } },
      reply: { header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) },
      principal: { userId: 'ann', planId: 'free' },
    };
    const run = async (resultHash = 'h', given: object = {}) => {
      const figures = {
        ...{ metrics: {}, firstDay: DAYS.start_date, lastDay: DAYS.end_date, line: [1, Number.NaN, 2] },
        provenance: {
          ...{ data_version: 'v', engine_version: '4', is_simulated: true, result_hash: resultHash },
        },
      };
      const context = {
        ...{ commandId: ulid(), correlationId: 'test', now: '2026-03-04T10:00:00.000Z' },
        actor: { kind: 'user', userId: 'ann' },
      };
      const ended = { wanted: DAYS, hashes: { ...hashes, ...given }, figures };
      await record(call as never, 's', ended as never, context as never);
      return context.commandId;
    };
    return { run, headers, failures, used, waited, events: eventStore.events };
  }

  it('is kept with the strategy that was run, and named in the answer with its position', async () => {
    const { run, headers, events } = recorder();
    const runId = await run();
    expect(events.map(({ stream, data }) => [stream, data])).toMatchObject([
      [
        'strategyRuns-s-2026-03',
        { runId, strategyId: 's', ownerId: 'ann', revision: 4, treeHash: 't', line: [1, 2] },
      ],
    ]);
    expect(headers).toEqual({
      'x-quantloom-run': runId,
      'x-quantloom-position': String(events[0]?.position),
    });
  });

  it('is kept once as long as it says the same, and named as it was', async () => {
    const { run, headers, events } = recorder();
    const first = await run();
    await run();
    expect([events.length, headers['x-quantloom-run']]).toEqual([1, first]);
    const other = await run('another result');
    expect([events.length, headers['x-quantloom-run']]).toEqual([2, other]);
  });

  it.each([
    ['of somebody else', { ...saved, ownerId: 'anna' }, {}],
    ['of a deleted strategy', { ...saved, isDeleted: true }, {}],
    ['of none', null, {}],
    ['of another tree than is saved', saved, { text: 'y' }],
  ])('is not kept %s', async (_, strategy, given) => {
    const { run, headers, failures, events } = recorder(strategy);
    await run('h', given);
    expect([events, headers, failures]).toEqual([[], {}, []]);
  });

  it('is not kept without room, and the answer is not held back by what fails', async () => {
    const full = recorder();
    full.used.bytes = Number.MAX_SAFE_INTEGER;
    await full.run();
    expect([full.events, full.headers, full.failures]).toEqual([[], {}, []]);
    const broken = recorder({ ...saved, tree: undefined, algorithm: undefined });
    await broken.run();
    expect(broken.headers).toEqual({});
  });

  it('is that of the saved tree also where it was sent as it would be stored', async () => {
    const { run, events } = recorder({ ...saved, tree: { hash: 'x2' } });
    await run();
    expect(events.map(({ data }) => (data as { treeHash: string }).treeHash)).toEqual(['t2']);
  });

  it('is looked for once what the caller has just saved can be read', async () => {
    const { run, waited } = recorder(saved, { [POSITION_HEADER]: '41' });
    await run();
    expect(waited).toEqual([41n]);
    const soon = recorder();
    await soon.run();
    expect(soon.waited).toEqual([]);
  });

  it('is that of a small saved tree, as it was sent, as it would be stored, or as both would be', async () => {
    const algorithm = root(asset('node_a', 'SPY')) as unknown as Algorithm;
    const kept = async (given: object, of: Algorithm = algorithm) => {
      const { run, events } = recorder({ ...saved, tree: undefined, algorithm: of });
      await run('h', given);
      return events.map(({ data }) => (data as { treeHash: string }).treeHash);
    };
    const tree = treeFingerprint(algorithm);
    const none = { tree: 'another', text: 'x' };
    expect(await kept({ tree, stored: none })).toEqual([tree]);
    expect(await kept({ tree: 'another', stored: { tree, text: 'x' } })).toEqual([tree]);
    expect(await kept({ tree: 'another', stored: none })).toEqual([]);
    // Saved before the version was written: it is named as it is saved.
    const { version: _, ...older } = algorithm as Algorithm & { version?: string };
    const old = older as Algorithm;
    expect(treeFingerprint(old)).not.toBe(storedFingerprint(old));
    const now = { tree: storedFingerprint(old), text: 'x' };
    expect(await kept({ ...now, stored: now }, old)).toEqual([treeFingerprint(old)]);
  });
});
