import { isDeepStrictEqual } from 'node:util';
import type { Where } from '@quantloom/domain/ports/read-models';
import { expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountAdminUserQueries, newestFirst } from './admin-users.ts';

it('puts the newest line on top, of those at the same instant the one that came last', () => {
  const at = (second: number, text: string) => ({ at: `2026-01-01T00:00:0${second}.000Z`, text });
  const user = [at(1, 'registered'), at(1, 'plan changed'), at(3, 'signed out'), at(3, 'unlocked')];
  const client = [at(2, 'made'), at(2, 'deleted')];
  expect(newestFirst([...user, ...client]).map(({ text }) => text)).toEqual([
    'unlocked',
    'signed out',
    'deleted',
    'made',
    'plan changed',
    'registered',
  ]);
});

it('finds one user by a whole id, subject or client id, and others by a part of their address', async () => {
  const asked: Where[] = [];
  const known: readonly Where[] = [{ id: 'u1' }, { subject: 'auth0|1' }, { apiClientIds: { has: 'c1' } }];
  const server = await openReadServer(mountAdminUserQueries, {
    readModels: {
      find: async (_: string, { where }: { readonly where: Where }) => {
        asked.push(where);
        return [];
      },
      count: async (_: string, where: Where) => known.filter((one) => isDeepStrictEqual(one, where)).length,
    },
  });
  for (const search of ['u1', 'auth0%7C1', '%20c1%20', 'Ann@']) {
    const { status } = await server.get('admin', `/admin/users?search=${search}`);
    expect(status).toBe(200);
  }
  expect(asked).toEqual([...known, { emailKey: { contains: 'ann@' } }]);
  await server.close();
});
