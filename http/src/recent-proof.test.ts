import { defineRoute } from '@quantloom/domain/contracts/http/route';
import { IdentityError } from '@quantloom/domain/ports/identity';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN } from '../testing/ann.ts';
import type { Principal } from './principal.ts';
import { guardWithRecentProof } from './recent-proof.ts';
import { mountRoute } from './routes.ts';
import { createServer } from './server.ts';

const TEN_MINUTES = 10 * 60_000;
const route = (id: string) =>
  defineRoute({
    id,
    method: 'GET',
    path: `/api/v1/${id}`,
    side: 'command',
    tag: 'Test',
    summary: id,
    access: { kind: 'user', machine: true },
    answer: Type.Object({}),
  });
const secret = route('secret');
const person: Principal = { ...ANN, sessionId: 'session-1' };

describe('a route that waits for a fresh password', () => {
  let app: ReturnType<typeof createServer>;
  let caller: Principal;
  /** When the caller said who he is; null: the provider does not tell. */
  let provedAt: () => Promise<number | null>;
  let asked: string[];
  const now = 1_000_000_000;

  beforeEach(async () => {
    [caller, asked, provedAt] = [person, [], async () => now];
    const lastProof = async (sessionId: string) => {
      asked.push(sessionId);
      return await provedAt();
    };
    app = createServer({ authenticate: async () => caller });
    guardWithRecentProof(app, { identity: { lastProof }, now: () => now, guarded: [secret] });
    mountRoute(app, secret, () => ({}));
    mountRoute(app, route('other'), () => ({}));
    await app.ready();
  });
  afterEach(() => app.close());
  const get = async (id = 'secret') => {
    const answer = await app.inject({ url: `/api/v1/${id}` });
    return { status: answer.statusCode, code: (answer.json() as { readonly code?: string }).code };
  };
  const refused = { status: 403, code: 'confirmation_needed' };
  const open = { status: 200, code: undefined };

  it('opens for less than ten minutes, for the session in which it was entered', async () => {
    provedAt = async () => now - TEN_MINUTES + 1;
    expect(await get()).toEqual(open);
    provedAt = async () => now - TEN_MINUTES;
    expect(await get()).toEqual(refused);
    expect(asked).toEqual(['session-1', 'session-1']);
  });

  it('opens where there is nobody to ask: a provider that does not tell, and a sign-in without a session', async () => {
    provedAt = async () => null;
    expect(await get()).toEqual(open);
    caller = { ...person, sessionId: null };
    expect(await get()).toEqual(open);
    expect(asked).toEqual(['session-1']);
  });

  it('asks nothing of programs, and nothing on other routes', async () => {
    provedAt = async () => now - TEN_MINUTES;
    expect(await get('other')).toEqual(open);
    caller = { ...person, clientId: 'c1', scopes: ['api:backtester', 'read'] };
    await get();
    expect(asked).toEqual([]);
  });

  it('stays closed while the provider is away', async () => {
    provedAt = () => Promise.reject(new IdentityError('unavailable', 'away'));
    expect(await get()).toEqual({ status: 503, code: 'unavailable' });
  });
});
