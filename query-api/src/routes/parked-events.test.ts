import { PARKED_EVENTS, parkedEventId } from '@quantloom/domain/kernel/parked-event';
import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountParkedEventQueries } from './parked-events.ts';

const parked = (eventId: string, more: object = {}) => ({
  ...{ id: parkedEventId('listings', eventId), projection: 'listings', eventId, revision: 3, position: '7' },
  ...{ eventType: 'StrategyRenamed', stream: 'strategy-s1', reason: 'A test', stack: 'at apply' },
  ...{ isWaiting: false, parkedAt: '2026-03-01T00:00:00.000Z', attempts: 2, ...more },
});

describe('events that were parked', () => {
  let server: Awaited<ReturnType<typeof openReadServer>>;
  let calls: unknown[];
  beforeEach(async () => {
    calls = [];
    server = await openReadServer(mountParkedEventQueries, {
      readModels: {
        ensureCollection: async ({ name }: { name: string }) => void calls.push(name),
        find: async (collection: string, query: FindQuery) => {
          calls.push([collection, query]);
          return [parked('e1'), parked('e2', { isWaiting: true, stack: null })];
        },
      },
    });
  });
  afterEach(() => server.close());

  it('say what happened to which event, and which of them only wait behind another', async () => {
    const { body } = await server.get('admin', '/admin/parked-events');
    expect(body[0]).toEqual({
      ...{ id: parkedEventId('listings', 'e1'), projection: 'listings', event_id: 'e1', revision: 3 },
      ...{ event: 'StrategyRenamed', stream: 'strategy-s1', position: '7', reason: 'A test' },
      ...{ stack: 'at apply', is_waiting: false, parked_at: '2026-03-01T00:00:00.000Z', attempts: 2 },
    });
    expect(body[1]).toMatchObject({ event_id: 'e2', is_waiting: true, stack: null });
  });

  it('are the last parked ones of all projections or of one, where none was ever parked, too', async () => {
    const { name } = PARKED_EVENTS;
    const sort = [['parkedAt', 'desc']];
    await server.get('admin', '/admin/parked-events');
    await server.get('admin', '/admin/parked-events?projection=batches&limit=5&skip=10');
    expect(calls).toEqual([
      name,
      [name, { sort, limit: 100, skip: 0 }],
      name,
      [name, { where: { projection: 'batches' }, sort, limit: 5, skip: 10 }],
    ]);
  });

  it('are for administrators', async () => {
    expect((await server.get('ann', '/admin/parked-events')).status).toBe(403);
    expect(calls).toEqual([]);
  });
});
