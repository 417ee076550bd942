import { describe, expect, it } from 'vitest';
import type { Actor, RecordedEvent } from '../kernel/event.ts';
import { accountHistoryProjection, eventSentence, orderOf, usersOf } from './projection.ts';

const event = (actor: Actor, data: unknown): RecordedEvent => ({
  id: 'e1',
  type: 'StrategyRenamed',
  data,
  stream: 'strategy-s1',
  revision: 3,
  position: 42n,
  metadata: {
    schemaVersion: 1,
    commandId: 'c',
    correlationId: 'k',
    causationId: 'c',
    actor,
    recordedAt: '2026-11-20T10:00:00.000Z',
  },
});
const byUser: Actor = { kind: 'user', userId: 'u1' };
const bySystem: Actor = { kind: 'system', name: 'nightly' };

describe('the history of an account', () => {
  it.each<[string, Actor, unknown, string[]]>([
    ['whoever did it', byUser, {}, ['u1']],
    ['whoever it was done to, too', byUser, { userId: 'u2' }, ['u1', 'u2']],
    ['whose thing it is', byUser, { ownerId: 'u3' }, ['u1', 'u3']],
    ['everybody once', byUser, { userId: 'u1', ownerId: 'u1' }, ['u1']],
    ['the person behind a client', { kind: 'apiClient', userId: 'u4', clientId: 'c' }, {}, ['u4']],
    ['nobody where it was the system', bySystem, {}, []],
    ['nobody of whom nothing is known', bySystem, { userId: '', ownerId: 7 }, []],
    ['nobody in data that are none', bySystem, null, []],
    ['nobody in a text', bySystem, 'x', []],
  ])('is of %s', (_, actor, data, users) => expect(usersOf(event(actor, data))).toEqual(users));

  it('has a line for each of them, in the order of the log', () => {
    const happened = event(byUser, { userId: 'u2' });
    expect(accountHistoryProjection.keys(happened)).toEqual(['e1.u1', 'e1.u2']);
    expect(accountHistoryProjection.evolve(null, happened, 'e1.u2')).toEqual({
      id: 'e1.u2',
      userId: 'u2',
      order: '00000000000000000042',
      eventId: 'e1',
      at: '2026-11-20T10:00:00.000Z',
      type: 'StrategyRenamed',
      stream: 'strategy-s1',
      revision: 3,
      actor: byUser,
      correlationId: 'k',
    });
    expect([100n, 9n, 20n].map(orderOf).sort()).toEqual([9n, 20n, 100n].map(orderOf));
  });

  it.each([
    ['StrategyVisibilityChanged', 'Strategy visibility changed'],
    ['ApiClientDeleted', 'API client deleted'],
    ['OAuth2Begun', 'Oauth2 begun'],
    ['Rapid', 'Rapid'],
  ])('tells %s as "%s"', (type, sentence) => expect(eventSentence(type)).toBe(sentence));
});
