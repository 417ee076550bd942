import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountSharedResultQueries } from './shared-results.ts';

const SHARED = 33;

it('lists what was shared some at a time, since each holds a whole result, and nothing twice', async () => {
  let documents = Array.from({ length: SHARED }, (_, i) => documentOf(SHARED - i));
  const sizes: number[] = [];
  const readModels = {
    get: async () => ({ id: 's', ownerId: 'ann', isDeleted: false }),
    find: async (_: string, { limit = 0, skip = 0 }: FindQuery) => {
      sizes.push(limit);
      const found = documents.slice(skip, skip + limit);
      // Another one is shared meanwhile.
      if (skip === 0) documents = [documentOf(SHARED + 1), ...documents];
      return found;
    },
  };
  const server = await openReadServer(mountSharedResultQueries, { readModels });
  const answer = await server.get('ann', '/trading-bots/s/shared-results');
  const ids = (answer.body as { id: string }[]).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: SHARED }, (_, i) => `share${SHARED - i}`));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
  await server.close();
});

it('says nothing of what others have shared', async () => {
  const readModels = {
    get: async () => ({ id: 's', ownerId: 'bob', isPublic: true, isDeleted: false }),
    find: async () => [documentOf(1)],
  };
  const server = await openReadServer(mountSharedResultQueries, { readModels });
  const answer = await server.get('ann', '/trading-bots/s/shared-results');
  expect([answer.status, answer.text.includes('share1')]).toEqual([404, false]);
  await server.close();
});

function documentOf(number: number) {
  const result = { firstDay: '2020-01-02', lastDay: '2020-12-31' };
  const shared = { shareId: `share${number}`, key: 'k', strategyId: 's', runId: 'r', revision: 0, name: 'S' };
  return {
    id: shared.shareId,
    at: '2026-11-26T00:00:00.000Z',
    shared: { ...shared, strategyText: null, result },
  };
}
