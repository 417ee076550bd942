import { defineRoute } from '@quantloom/domain/contracts/http/route';
import { type Identity, IdentityError } from '@quantloom/domain/ports/identity';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from './principal.ts';
import { mountRoute } from './routes.ts';
import { administratorsNeedSecondFactor } from './second-factor.ts';
import { createServer } from './server.ts';

const route = (id: string, kind: 'admin' | 'user') =>
  defineRoute({
    id,
    method: 'GET',
    path: `/api/v1/${id}`,
    side: 'query',
    tag: 'Test',
    summary: id,
    access: kind === 'admin' ? { kind } : { kind, machine: true },
    answer: Type.Object({}),
  });
const caller = (
  subject: string,
  features: Principal['features'],
  clientId: string | null = null,
): Principal => ({
  userId: subject,
  subject,
  email: 'a@example.com',
  planId: 'api',
  features,
  clientId,
  scopes: [],
  actor: { kind: 'user', userId: subject },
});
const CALLERS: Readonly<Record<string, Principal>> = {
  admin: caller('admin', ['web.admin.view']),
  second: caller('second', ['web.admin.view']),
  person: caller('person', []),
  program: caller('admin', ['web.admin.view'], 'c1'),
};

describe('where administrators need a second factor', () => {
  let app: ReturnType<typeof createServer>;
  let factor: boolean | null;
  let asked: string[];
  let isAway: boolean;
  let identity: Pick<Identity, 'account'>;

  beforeEach(async () => {
    [factor, asked, isAway] = [false, [], false];
    identity = {
      account: async (subject) => {
        asked.push(subject);
        if (isAway) throw new IdentityError('unavailable', 'away');
        return {
          subject,
          email: 'a@example.com',
          userId: null,
          isEmailVerified: true,
          hasSecondFactor: factor,
        };
      },
    };
    await listen();
  });
  afterEach(() => app.close());
  /** @param knownForMs how long a factor that was seen counts */
  async function listen(knownForMs?: number): Promise<void> {
    app = createServer({ authenticate: async (header) => CALLERS[header ?? ''] ?? null });
    administratorsNeedSecondFactor(app, identity, knownForMs);
    mountRoute(app, route('secrets', 'admin'), () => ({}));
    mountRoute(app, route('own', 'user'), () => ({}));
    await app.ready();
  }
  const get = (path: string, who: string) =>
    app.inject({ url: `/api/v1/${path}`, headers: { authorization: who } });

  it('one without it is refused what only administrators may, and is told what to do', async () => {
    const refused = await get('secrets', 'admin');
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      code: 'second_factor_needed',
      error: expect.stringContaining('Password and security'),
    });
    expect((await get('own', 'admin')).statusCode).toBe(200);
  });

  it('one who adds it goes on at once, and is not asked about with every call', async () => {
    await get('secrets', 'admin');
    factor = true;
    for (let call = 0; call < 5; call += 1) expect((await get('secrets', 'admin')).statusCode).toBe(200);
    expect(asked).toHaveLength(2);
    // That says nothing of the next administrator.
    factor = false;
    expect((await get('secrets', 'second')).json().code).toBe('second_factor_needed');
    expect((await get('secrets', 'admin')).statusCode).toBe(200);
  });

  it('one who takes it away is refused once it is asked again', async () => {
    await app.close();
    await listen(0);
    factor = true;
    expect((await get('secrets', 'admin')).statusCode).toBe(200);
    factor = false;
    expect((await get('secrets', 'admin')).json().code).toBe('second_factor_needed');
  });

  it('others are refused as ever, and nobody asks about them', async () => {
    for (const who of ['person', 'program'])
      expect((await get('secrets', who)).json()).not.toMatchObject({ code: 'second_factor_needed' });
    expect((await get('secrets', 'person')).statusCode).toBe(403);
    expect((await get('secrets', 'program')).statusCode).toBe(403);
    expect(asked).toEqual([]);
  });

  it('a provider that does not tell has rules of its own', async () => {
    factor = null;
    expect((await get('secrets', 'admin')).statusCode).toBe(200);
  });

  it('an issuer that does not answer opens nothing', async () => {
    isAway = true;
    expect((await get('secrets', 'admin')).statusCode).toBe(503);
  });
});
