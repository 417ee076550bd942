import { ERASED } from '@quantloom/domain/personal-data';
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

describe('the lines of the audit', () => {
  const users = ['ann', 'bob'].map((id) => ({ id, email: `${id}@example.com` }));
  const act = (id: string, more: object) => ({
    ...{ id, order: id, at: `2026-03-0${id}T10:00:00.000Z`, act: 'AccountDisabled', userId: 'bob' },
    ...{ actorId: 'ann', actorName: null, stream: 'user-bob', revision: Number(id) },
    ...more,
  });
  const acts = [
    act('4', { actorId: null, actorName: 'erase-accounts' }),
    act('3', { actorId: 'gone' }),
    act('2', { userId: 'gone', stream: 'user-gone' }),
    act('1', {}),
  ];
  let asked: string[][];
  let server: Awaited<ReturnType<typeof openReadServer>>;
  beforeEach(async () => {
    asked = [];
    server = await openReadServer(mountAdminActQueries, {
      readModels: {
        find: async (collection: string, { where = {} }: FindQuery) => {
          if (collection.startsWith('users')) return users.slice(0, 2);
          const before = (where as { order?: { lt?: string } }).order?.lt ?? '9';
          return acts.filter(({ order }) => order < before);
        },
        count: async () => acts.length,
        getMany: async (_: string, ids: readonly string[]) => {
          asked.push([...ids]);
          return users.filter(({ id }) => ids.includes(id));
        },
      },
      eventStore: {
        readStream: async function* (stream: string, { fromRevision }: { fromRevision: number }) {
          const data = { userId: stream.slice(5), reason: `Reason ${fromRevision}`, at: '' };
          const metadata = { schemaVersion: 1, actor: { kind: 'system', name: 'x' }, recordedAt: '' };
          yield { type: 'AccountDisabled', data, metadata, revision: fromRevision, stream };
        },
      },
    });
  });
  afterEach(() => server.close());

  it('name who did it and to whom as the accounts say now; who is erased, and parts of the system, too', async () => {
    const { body } = await server.get('admin', '/admin/acts');
    expect(body.acts.map((one: Record<string, unknown>) => [one.actor, one.person])).toEqual([
      [
        { id: null, name: 'erase-accounts' },
        { id: 'bob', name: 'bob@example.com' },
      ],
      [
        { id: 'gone', name: ERASED },
        { id: 'bob', name: 'bob@example.com' },
      ],
      [
        { id: 'ann', name: 'ann@example.com' },
        { id: 'gone', name: ERASED },
      ],
      [
        { id: 'ann', name: 'ann@example.com' },
        { id: 'bob', name: 'bob@example.com' },
      ],
    ]);
    // Of each act its own event, and not the first one of the account.
    for (const [index, revision] of [4, 3, 2, 1].entries())
      expect(body.acts[index].text).toContain(`Reason ${revision}`);
    expect(asked).toEqual([['bob', 'gone', 'ann']]);
  });

  it('are a file of the same, each line once', async () => {
    const { text, headers } = await server.get('admin', '/admin/acts?format=csv');
    expect(headers['content-disposition']).toContain('administrator-acts.csv');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + acts.length);
    expect(lines[1]).toMatch(
      /^2026-03-04T10:00:00.000Z,AccountDisabled,erase-accounts,,bob@example.com,bob,/,
    );
  });

  it('of an address that two accounts have are those of both', async () => {
    const wheres: unknown[] = [];
    await server.close();
    server = await openReadServer(mountAdminActQueries, {
      readModels: {
        find: async (collection: string, { where }: FindQuery) => {
          if (collection.startsWith('users')) {
            expect(where).toEqual({ emailKey: 'same@example.com' });
            return users;
          }
          wheres.push(where);
          return [];
        },
        count: async () => 0,
        getMany: async () => [],
      },
    });
    await server.get('admin', '/admin/acts?person=Same%40Example.com');
    expect(wheres).toEqual([{ userId: { in: ['ann', 'bob'] } }]);
  });
});
