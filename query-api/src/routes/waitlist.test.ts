import { ERASED } from '@quantloom/domain/personal-data';
import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountWaitlistQueries } from './waitlist.ts';

const ADDRESSES: Readonly<Record<string, string | null>> = {
  w1: '"=cmd",x@example.com',
  w2: 'ann@example.com',
  w3: null,
};

describe('the waitlist', () => {
  let server: Awaited<ReturnType<typeof openReadServer>>;
  let finds: FindQuery[];
  beforeEach(async () => {
    finds = [];
    const find = async (_: string, query: FindQuery) => {
      finds.push(query);
      const { order } = query.where as { order?: object };
      if (order) return [];
      return Object.keys(ADDRESSES).map((id) => ({ id, at: `2026-03-0${id.slice(1)}`, order: id }));
    };
    server = await openReadServer(mountWaitlistQueries, {
      readModels: { find, count: async () => 7 },
      eventStore: {
        async *readStream(id: string) {
          const email = ADDRESSES[id];
          if (email) yield { data: { email } };
        },
      },
    });
  });
  afterEach(() => server.close());

  it('is a page of the newest, with how many there are, for administrators', async () => {
    const { body } = await server.get('admin', '/admin/waitlist');
    expect(body).toMatchObject({
      total: 7,
      entries: [
        { email: '"=cmd",x@example.com', at: '2026-03-01' },
        { email: 'ann@example.com', at: '2026-03-02' },
        { email: ERASED, at: '2026-03-03' },
      ],
    });
    expect(finds).toEqual([{ where: {}, sort: [['order', 'desc']], limit: 50, skip: 0 }]);
    await server.get('admin', '/admin/waitlist?limit=2&skip=4');
    expect(finds[1]).toMatchObject({ limit: 2, skip: 4 });
    expect((await server.get('ann', '/admin/waitlist')).status).toBe(403);
    expect(finds).toHaveLength(2);
  });

  it('is asked for one address however it is written, and for none that is no address', async () => {
    await server.get('admin', '/admin/waitlist?email=ANN%40example.com');
    await server.get('admin', '/admin/waitlist?email=ann%40example.com');
    expect(finds).toHaveLength(2);
    expect(finds[0]?.where).toEqual(finds[1]?.where);
    expect(finds[0]?.where).not.toEqual({});
    expect((await server.get('admin', '/admin/waitlist?email=ann')).body).toEqual({ entries: [], total: 0 });
    expect(finds).toHaveLength(2);
  });

  it('is a file that no spreadsheet runs and that keeps its columns', async () => {
    const { text, headers } = await server.get('admin', '/admin/waitlist?format=csv');
    expect(headers['content-disposition']).toBe('attachment; filename="waitlist.csv"');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text.split('\r\n')).toEqual([
      'Address,At',
      '"""=cmd"",x@example.com",2026-03-01',
      'ann@example.com,2026-03-02',
      `${ERASED},2026-03-03`,
      '',
    ]);
  });

  it('is a file of one address alone where only that is asked for', async () => {
    await server.get('admin', '/admin/waitlist?email=ann%40example.com');
    await server.get('admin', '/admin/waitlist?email=ann%40example.com&format=csv');
    const [page, ...file] = finds.map(({ where }) => where as object);
    expect(file).toEqual([page, { ...page, order: { lt: 'w3' } }]);
  });
});
