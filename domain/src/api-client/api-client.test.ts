import { describe, expect, it } from 'vitest';
import { API_SCOPES } from '../identity/api-scopes.ts';
import { isRefusal } from '../kernel/refusal.ts';
import { historyOf } from '../user/history.ts';
import {
  API_CLIENT_EVENTS,
  type ApiClientCommand,
  type ApiClientState,
  apiClientDecider,
  MAX_API_CLIENTS,
  mainClient,
  UNRESTRICTED,
} from './api-client.ts';

const NOW = '2026-11-23T12:00:00.000Z';
const TOMORROW = '2026-11-24T12:00:00.000Z';
const LATER = '2026-11-25T00:00:00.000Z';
const create = (clientId: string, wanted: Partial<ApiClientCommand & { type: 'CreateApiClient' }> = {}) =>
  ({ type: 'CreateApiClient', userId: 'u1', clientId, ...UNRESTRICTED, now: NOW, ...wanted }) as const;
const replace = (clientId: string, successorId: string, now = NOW) =>
  ({ type: 'ReplaceApiClient', userId: 'u1', clientId, successorId, endsAt: TOMORROW, now }) as const;

/** The state after these commands, each of which must be taken. */
function after(...commands: readonly ApiClientCommand[]): ApiClientState {
  return commands.reduce((state, command) => {
    const events = apiClientDecider.decide(command, state);
    if (isRefusal(events)) throw new Error(events.detail);
    return events.reduce(apiClientDecider.evolve, state);
  }, apiClientDecider.initialState);
}
const told = (command: ApiClientCommand, state: ApiClientState) => apiClientDecider.decide(command, state);

describe('API clients', () => {
  it('are several, each with a name, scopes and an end', () => {
    const state = after(create('c1'), create('c2', { name: 'CI', scopes: ['read'], endsAt: LATER }));
    expect(state.clients).toEqual([
      { clientId: 'c1', name: 'API client', scopes: API_SCOPES, endsAt: null, successorId: null },
      { clientId: 'c2', name: 'CI', scopes: ['read'], endsAt: LATER, successorId: null },
    ]);
    expect(told(create('c2'), state)).toEqual([]);
  });

  it('are one where only one is wanted', () => {
    const only = create('c2', { isOnlyOne: true });
    expect(told(only, after(create('c1')))).toMatchObject({ code: 'api_client_exists' });
    expect(told(only, after())).toMatchObject([{ type: 'ApiClientCreated' }]);
    // One that has ended or was replaced is not the one that is meant.
    const ended = after(create('c1', { endsAt: '2026-01-01T00:00:00.000Z' }));
    expect(told(only, ended)).toMatchObject([{ type: 'ApiClientDeleted' }, { type: 'ApiClientCreated' }]);
  });

  it('are at most ten, not counting what has ended', () => {
    const ten = Array.from({ length: MAX_API_CLIENTS }, (_, index) => create(`c${index}`));
    expect(told(create('more'), after(...ten))).toMatchObject({ code: 'too_many_api_clients' });
    const [first, ...others] = ten;
    if (!first) throw new Error('There is no client');
    const state = after({ ...first, endsAt: LATER }, ...others);
    expect(told(create('more', { now: LATER }), state)).toMatchObject([
      { type: 'ApiClientDeleted', data: { clientId: 'c0' } },
      { type: 'ApiClientCreated', data: { clientId: 'more' } },
    ]);
  });

  it('are replaced by one of the same kind, and work for a day more', () => {
    const state = after(create('c1', { name: 'CI', scopes: ['batches'] }), replace('c1', 'c2'));
    expect(state.clients).toEqual([
      { clientId: 'c1', name: 'CI', scopes: ['batches'], endsAt: TOMORROW, successorId: 'c2' },
      { clientId: 'c2', name: 'CI', scopes: ['batches'], endsAt: null, successorId: null },
    ]);
    expect(mainClient(state.clients, NOW)?.clientId).toBe('c2');
    expect(told(replace('c1', 'c2'), state)).toEqual([]);
    expect(told(replace('c1', 'c3'), state)).toMatchObject({ code: 'api_client_replaced' });
    expect(told(replace('c9', 'c3'), state)).toMatchObject({ code: 'api_client_missing' });
  });

  it('never work longer because they are replaced', () => {
    const soon = '2026-11-23T13:00:00.000Z';
    const state = after(create('c1', { endsAt: soon }), replace('c1', 'c2'));
    expect(state.clients.map(({ endsAt }) => endsAt)).toEqual([soon, soon]);
    expect(told(replace('c2', 'c3', LATER), state)).toMatchObject({ code: 'api_client_replaced' });
  });

  it('work for a day more, not until their own end, which is that of the successor', () => {
    const state = after(create('c1', { endsAt: LATER }), replace('c1', 'c2'));
    expect(state.clients.map(({ endsAt }) => endsAt)).toEqual([TOMORROW, LATER]);
  });

  it('do not pile up by being replaced again and again', () => {
    const chain = Array.from({ length: 19 }, (_, index) => replace(`c${index}`, `c${index + 1}`));
    const state = after(create('c0'), ...chain);
    expect(told(replace('c19', 'c20'), state)).toMatchObject({ code: 'too_many_api_clients' });
    // What has ended meanwhile goes, and counts no longer.
    const events = told(replace('c19', 'c20', LATER), state);
    if (isRefusal(events)) throw new Error(events.detail);
    const gone = events.filter(({ type }) => type === 'ApiClientDeleted');
    expect(gone.map(({ data }) => data.clientId)).toEqual(chain.map(({ clientId }) => clientId));
    expect(events.slice(gone.length).map(({ type }) => type)).toEqual([
      'ApiClientCreated',
      'ApiClientReplaced',
    ]);
  });

  it('that the identity provider has lost go, and count as none', () => {
    const lost = create('c2', { isOnlyOne: true, lost: ['c1'] });
    expect(told(lost, after(create('c1')))).toMatchObject([
      { type: 'ApiClientDeleted', data: { clientId: 'c1' } },
      { type: 'ApiClientCreated', data: { clientId: 'c2' } },
    ]);
  });

  it('are deleted one by one', () => {
    const remove = { type: 'DeleteApiClient', userId: 'u1', clientId: 'c1' } as const;
    const state = after(create('c1'), create('c2'), remove);
    expect(state.clients.map(({ clientId }) => clientId)).toEqual(['c2']);
    expect(told(remove, state)).toMatchObject({ code: 'api_client_missing' });
  });

  it('of logs from before there were several have a name and every scope', () => {
    const stored = API_CLIENT_EVENTS.events.find(({ type }) => type === 'ApiClientCreated');
    const data = stored?.upcasters?.[0]?.({ userId: 'u1', clientId: 'old' });
    // The history for administrators reads the log itself, where they are as they were written.
    const metadata = { schemaVersion: 1, recordedAt: NOW, actor: { kind: 'user', userId: 'u1' } };
    const written = { type: 'ApiClientCreated', data: { userId: 'u1', clientId: 'old' }, metadata };
    expect(historyOf(written as never).text).toBe('API client old created');
    const state = apiClientDecider.evolve({ clients: [] }, { type: 'ApiClientCreated', data } as never);
    expect(state.clients).toEqual([
      { clientId: 'old', name: 'API client', scopes: API_SCOPES, endsAt: null, successorId: null },
    ]);
  });
});
