import type { FindQuery, Where } from '@quantloom/domain/ports/read-models';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountAdminActQueries } from './admin-acts.ts';

describe('the audit of administrators', () => {
  let server: Awaited<ReturnType<typeof openReadServer>>;
  let finds: FindQuery[];
  let counts: Where[];
  beforeEach(async () => {
    finds = [];
    counts = [];
    server = await openReadServer(mountAdminActQueries, {
      readModels: {
        find: async (collection: string, query: FindQuery) => {
          // Nobody has the address that is asked for: it is taken for an id.
          if (collection.startsWith('users')) return [];
          finds.push(query);
          return [];
        },
        count: async (_: string, where: Where) => {
          counts.push(where);
          return 7;
        },
        getMany: async () => [],
      },
    });
  });
  afterEach(() => server.close());

  it('holds the days that are asked for from their first to their last millisecond', async () => {
    await server.get('admin', '/admin/acts?from=2026-03-01&to=2026-03-02');
    await server.get('admin', '/admin/acts?to=2026-03-02');
    await server.get('admin', '/admin/acts?from=2026-03-01');
    expect(finds.map(({ where }) => where)).toEqual([
      { at: { gte: '2026-03-01T00:00:00.000Z', lte: '2026-03-02T23:59:59.999Z' } },
      { at: { lte: '2026-03-02T23:59:59.999Z' } },
      { at: { gte: '2026-03-01T00:00:00.000Z' } },
    ]);
  });

  it('counts what it was asked for, however many of it a page shows', async () => {
    const query = 'actor=ann&person=%20bob%20&act=AccountDisabled&to=2026-03-02&limit=2&skip=4';
    expect((await server.get('admin', `/admin/acts?${query}`)).body).toMatchObject({ total: 7 });
    expect(finds).toEqual([
      expect.objectContaining({ sort: [['order', 'desc']], limit: 2, skip: 4, where: counts[0] }),
    ]);
    expect(counts).toEqual([
      {
        actorId: { in: ['ann'] },
        userId: { in: ['bob'] },
        act: 'AccountDisabled',
        at: { lte: '2026-03-02T23:59:59.999Z' },
      },
    ]);
  });
});
