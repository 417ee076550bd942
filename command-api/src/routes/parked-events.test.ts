import {
  PARKED_EVENTS,
  type ParkedEventDocument,
  parkedEventId,
} from '@quantloom/domain/kernel/parked-event';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startTestApi, type TestApi } from '../../testing/test-api.ts';

const PARKED: ParkedEventDocument = {
  id: parkedEventId('listings', '01J00000000000000000000001'),
  projection: 'listings',
  eventId: '01J00000000000000000000001',
  eventType: 'StrategyRenamed',
  stream: 'strategy-s1',
  revision: 3,
  position: '7',
  reason: 'A test',
  stack: null,
  isWaiting: false,
  parkedAt: '2026-11-01T00:00:00.000Z',
  attempts: 1,
  _revision: 3,
  _position: '7',
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await api.deps.readModels.ensureCollection(PARKED_EVENTS);
  await api.deps.readModels.put(PARKED_EVENTS.name, PARKED);
});
afterAll(() => api.close());

const replay = (id: string, caller: Caller = 'admin') =>
  api.call(caller, 'POST', `/api/v1/admin/parked-events/${id}/replay`, {});
async function requests(): Promise<{ stream: string; data: unknown }[]> {
  const found: { stream: string; data: unknown }[] = [];
  for await (const { type, stream, data } of api.deps.eventStore.readAll(0n))
    if (type === 'ParkedEventReplayRequested') found.push({ stream, data });
  return found;
}

describe('replaying an event that was parked', () => {
  it('asks its projection for it, which is the only one that acts on it', async () => {
    const answer = await replay(PARKED.id);
    expect(answer.statusCode, answer.body).toBe(202);
    expect(answer.json()).toMatchObject({ id: PARKED.id, requested: true });
    const { projection, stream, eventId } = PARKED;
    expect(await requests()).toEqual([
      { stream: 'parkedEvents-listings', data: { projection, stream, eventId } },
    ]);
  });

  it('asks for nothing where it is not parked, or no administrator asks', async () => {
    const before = await requests();
    const gone = await replay(parkedEventId('listings', '01J00000000000000000000002'));
    expect(gone.json()).toMatchObject({ status: 404, code: 'parked_event_not_found' });
    expect([403, 404]).toContain((await replay(PARKED.id, 'paid')).statusCode);
    expect(await requests()).toEqual(before);
  });
});
