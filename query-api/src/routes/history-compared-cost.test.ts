import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { readTree } from '@quantloom/domain/strategy/stored-tree';
import { type StrategyCommand, strategyStream } from '@quantloom/domain/strategy/strategy';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { storeTree } from '@quantloom/http/documents/trees';
import { createServer } from '@quantloom/http/server';
import { expect, it } from 'vitest';
import { asset, largeRoot, root } from '../../testing/blocks.ts';
import { principalOf } from '../../testing/read-server.ts';
import type { ReadDeps } from '../deps.ts';
import { mountHistoryQueries } from './history.ts';

const SPENT_MS = 3_000;

it('charges a comparison of large trees that was ended as too hard', async () => {
  const log = new MemoryEventStore();
  const context = (step: number) => ({
    commandId: derivedId(1, String(step)),
    correlationId: 'c',
    actor: { kind: 'user', userId: 'ann' } as const,
    now: '2026-11-27T00:00:00.000Z',
  });
  const caller = { userId: 'ann', features: [] };
  const change = async (step: number, command: StrategyCommand) =>
    expect(isRefusal(await handleCommand(log, strategyStream, 's', command, context(step)))).toBe(false);
  await change(0, {
    type: 'CreateStrategy',
    strategyId: 's',
    caller,
    name: 'Grown',
    isPublic: false,
    status: 'draft',
    algorithm: root(asset('node_a', 'SPY')),
  });
  const tree = readTree(largeRoot('SPY'), null);
  if (isRefusal(tree) || !tree.held.tree || tree.text === null) throw new Error('This is no large tree');
  const { now, ...more } = context(1);
  const metadata = { ...more, causationId: more.commandId, recordedAt: now, schemaVersion: 1 };
  await storeTree(log, { hash: tree.held.tree.hash, text: tree.text }, { metadata });
  await change(1, { type: 'UpdateStrategy', caller, algorithm: tree });

  const rateLimits = createMemoryRateLimits();
  const app = createServer({ authenticate: async () => principalOf('ann', 'api'), rateLimits });
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
