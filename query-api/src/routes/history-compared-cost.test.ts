import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { readTree } from '@quantloom/domain/strategy/stored-tree';
import { type StrategyCommand, strategyStream } from '@quantloom/domain/strategy/strategy';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { storeTree } from '@quantloom/http/documents/trees';
import type { Principal } from '@quantloom/http/principal';
import { createServer } from '@quantloom/http/server';
import { expect, it } from 'vitest';
import type { ReadDeps } from '../deps.ts';
import { mountHistoryQueries } from './history.ts';

const ANN = {
  userId: 'ann',
  planId: 'api',
  features: [],
  clientId: null,
  scopes: [],
} as unknown as Principal;
const caller = { userId: 'ann', features: [] };
const actor = { kind: 'user', userId: 'ann' } as const;
const SPENT_MS = 3_000;

function largeTree(ticker: string) {
  const asset = (i: number) => ({
    id: `a${i}`,
    node_type: 'asset',
    weight: { num: '100', den: '100' },
    ticker,
  });
  const children = Array.from({ length: 300 }, (_, i) => asset(i));
  return {
    id: 'root',
    node_type: 'root',
    weight: { num: '100', den: '100' },
    name: 'Large',
    type: 'bot',
    rebalance: 'daily',
    children,
  };
}

it('charges a comparison of large trees that was ended as too hard', async () => {
  const log = new MemoryEventStore();
  const save = async (step: number, ticker: string, commandOf: (algorithm: unknown) => StrategyCommand) => {
    const tree = readTree(largeTree(ticker), null);
    if (isRefusal(tree) || !tree.held.tree) throw new Error(`No large tree: ${JSON.stringify(tree)}`);
    const metadata = { correlationId: 'c', causationId: 'c', actor, recordedAt: '2026-11-27T00:00:00.000Z' };
    await storeTree(
      log,
      { hash: tree.held.tree.hash, text: tree.text ?? '' },
      { metadata: { ...metadata, schemaVersion: 1 } as never },
    );
    const result = await handleCommand(log, strategyStream, 's', commandOf(tree), {
      commandId: derivedId(1, String(step)),
      correlationId: 'c',
      actor,
      now: '2026-11-27T00:00:00.000Z',
    });
    expect(isRefusal(result)).toBe(false);
  };
  await save(0, 'SPY', (algorithm) => ({
    type: 'CreateStrategy',
    strategyId: 's',
    caller,
    name: 'Large',
    isPublic: false,
    status: 'draft',
    algorithm,
  }));
  await save(1, 'QQQ', (algorithm) => ({ type: 'UpdateStrategy', caller, algorithm }));

  const rateLimits = createMemoryRateLimits();
  const app = createServer({ authenticate: async () => ANN, rateLimits });
  app.documents.run = async (_owner, _kind, _given, onSpent) => {
    onSpent?.(SPENT_MS);
    throw new RefusalError(refuse(422, 'too_hard', 'This takes too long'));
  };
  mountHistoryQueries(app, { eventStore: log } as unknown as ReadDeps);
  const answer = await app.inject({
    url: '/api/v1/trading-bots/s/history',
    headers: { authorization: 'Bearer ann' },
  });
  expect(answer.statusCode).toBe(422);
  expect((await rateLimits.hit('cost:ann', 60_000, 0)).hits).toBeGreaterThanOrEqual(SPENT_MS);
  await app.close();
});
