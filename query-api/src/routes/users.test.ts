import { expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountUserQueries } from './users.ts';

it('tells a person when the account goes, and one who is too young for the lists what the log has', async () => {
  const document = {
    ...{ id: 'ann', email: 'new@example.com', planId: 'api', features: ['web.admin.view'] },
    eraseAt: '2026-03-11T10:00:00.000Z',
  };
  const server = await openReadServer(mountUserQueries, {
    readModels: { get: async (_: string, id: string) => (id === 'ann' ? document : null) },
  });
  expect((await server.get('ann', '/users/me')).body).toEqual({
    ...{ id: 'ann', email: 'new@example.com', plan_id: 'api', features: ['web.admin.view'] },
    erase_at: '2026-03-11T10:00:00.000Z',
  });
  expect((await server.get('bob', '/users/me')).body).toEqual({
    ...{ id: 'bob', email: 'bob@example.com', plan_id: 'free', features: [], erase_at: null },
  });
  await server.close();
});
