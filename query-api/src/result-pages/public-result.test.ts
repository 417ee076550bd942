import { encodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { StrategyDocument } from '@quantloom/domain/strategy/projection';
import { writeTree } from '@quantloom/domain/strategy/written-tree';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { usersProjection } from '@quantloom/domain/user/projection';
import { CostGate } from '@quantloom/http/costs';
import { DocumentThreads } from '@quantloom/http/documents/document-threads';
import { clock, openStores, type Stores } from '@quantloom/projectors/testing/batch-stack';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { wholeAnswer } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';
import { createPublicResults } from './public-result.ts';

const TREE = root(asset('node_a', 'A1'));
const SIZE = { blocks: 1, tickers: 1, depth: 1, comparisons: 0, ownSeries: 0 };
const log = { error: () => undefined } as never;

let stores: Stores;
let documents: DocumentThreads;
let rateLimits: ReturnType<typeof countedLimits>;
/** What a run waits for, and which strategies' owners were run for. */
let gate: Promise<void>;
let runs: string[];
/** What the next run fails with. */
let failure: Error | null;
beforeEach(async () => {
  stores = await openStores();
  await stores.readModels.ensureCollection(usersProjection.collection);
  documents = new DocumentThreads();
  rateLimits = countedLimits();
  gate = Promise.resolve();
  runs = [];
  failure = null;
});
afterEach(async () => {
  await documents.close();
  await stores.close();
});

function results() {
  const runAs: BacktestRunner['runAs'] = async (_form, _request, { owner = '', onSpent } = {}) => {
    runs.push(owner);
    await gate;
    if (failure) throw failure;
    onSpent?.(2_000);
    return encodeColumns(wholeAnswer() as never);
  };
  const deps = {
    ...stores,
    clock,
    consistency: {} as never,
    marketData: { current: async () => ({ version: 'v1' }) } as never,
    backtestRunner: { runAs } as never,
  };
  return createPublicResults(deps, { documents, costs: new CostGate({ rateLimits }) });
}

const strategy = (id: string, ownerId: string) =>
  ({ id, ownerId, _revision: 0, _position: 1 }) as unknown as StrategyDocument;
const visit = (all: ReturnType<typeof results>, id: string, ownerId = 'ann') =>
  all.of(strategy(id, ownerId), SIZE, async () => writeTree(TREE), log);

it('shows what is known, and says at once what is not, while another is computed', async () => {
  const all = results();
  expect(await visit(all, 'known')).toMatchObject({ kind: 'result', result: { dataVersion: 'v1' } });
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const first = visit(all, 'slow', 'bob');
  while (runs.length < 2) await new Promise((turn) => setImmediate(turn));
  expect(await visit(all, 'known')).toMatchObject({ kind: 'result' });
  expect(await visit(all, 'third', 'cid')).toEqual({ kind: 'busy' });
  resolve();
  expect(await first).toMatchObject({ kind: 'result' });
  // It was begun all the same, and is there for who comes again.
  while (runs.length < 3) await new Promise((turn) => setImmediate(turn));
  expect(await visit(all, 'third', 'cid')).toMatchObject({ kind: 'result' });
  expect(runs).toEqual(['ann', 'bob', 'cid']);
});

it('pays from the owner’s budget, of which visitors may use half, what a run took', async () => {
  const half = (USE_LIMITS.free.costPerMinute * 1000) / 2;
  const all = results();
  for (let i = 0; i < 5; i++) expect(await visit(all, `s${i}`)).toMatchObject({ kind: 'result' });
  expect(rateLimits.hits.get('cost:ann')).toBe(half);
  expect(await visit(all, 's5')).toEqual({ kind: 'busy' });
  expect(runs).toHaveLength(5);
  expect(rateLimits.hits.get('cost:ann')).toBe(half);
  expect(await visit(all, 's6', 'bob')).toMatchObject({ kind: 'result' });
});

it('keeps what is wrong with a strategy, and not what is wrong with the machine: that may be over soon', async () => {
  const all = results();
  failure = new RefusalError(refuse(400, 'no_common_dates', 'A1 and B1 have no common dates'));
  const told = { kind: 'failure', reason: 'A1 and B1 have no common dates' };
  expect(await visit(all, 'wrong')).toEqual(told);
  failure = new RefusalError(refuse(429, 'too_many_at_once', 'Too many runs'));
  expect(await visit(all, 'unlucky')).toEqual({ kind: 'busy' });
  failure = new Error('division by zero');
  expect(await visit(all, 'met a defect')).toEqual({ kind: 'busy' });
  failure = null;
  expect(await visit(all, 'wrong')).toEqual(told);
  for (const id of ['unlucky', 'met a defect'])
    expect(await visit(all, id)).toMatchObject({ kind: 'result' });
});
