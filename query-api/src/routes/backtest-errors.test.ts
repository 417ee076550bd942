import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountBacktestErrorQueries } from './backtest-errors.ts';

const error = (id: string, subject: { readonly kind: string }) => ({
  ...{ id, createdAt: '2026-03-01T00:00:00.000Z', message: 'Index out of range', userId: 'ann' },
  ...{ subject, subjectKind: subject.kind, outcome: 'open', engineVersion: '7', debugData: { bars: 5 } },
  replays: [{ kind: 'failed', detail: 'again', at: '2026-03-02T00:00:00.000Z', engineVersion: '8' }],
});
const ERRORS: Readonly<Record<string, object>> = {
  part: error('part', { kind: 'batch', ...{ batchId: 'b1', partition: 0 } }),
  single: error('single', { kind: 'backtest', ...{ dataVersion: 'v3', request: { fill: 'close' } } }),
};

describe('defects that the engine has met', () => {
  let server: Awaited<ReturnType<typeof openReadServer>>;
  let asked: unknown[];
  beforeEach(async () => {
    asked = [];
    server = await openReadServer(mountBacktestErrorQueries, {
      readModels: {
        get: async (_: string, id: string) => ERRORS[id] ?? null,
        find: async (_: string, query: FindQuery) => {
          asked.push(query);
          return Object.values(ERRORS);
        },
        count: async (_: string, where: object) => {
          asked.push(where);
          return 41;
        },
      },
    });
  });
  afterEach(() => server.close());
  const path = '/backtests/errors';

  it('name the partition of a batch, or the request and the data of a single backtest', async () => {
    expect((await server.get('admin', `${path}/part`)).body).toMatchObject({
      ...{ id: 'part', kind: 'batch', user_id: 'ann', engine_version: '7', debug_data: { bars: 5 } },
      ...{ batch_id: 'b1', partition: 0, data_version: null, request: null },
      replays: [{ kind: 'failed', detail: 'again', at: '2026-03-02T00:00:00.000Z', engine_version: '8' }],
    });
    expect((await server.get('admin', `${path}/single`)).body).toMatchObject({
      ...{ kind: 'backtest', batch_id: null, partition: null },
      ...{ data_version: 'v3', request: { fill: 'close' } },
    });
    expect((await server.get('admin', `${path}/never`)).status).toBe(404);
  });

  it('are a page of the newest, with how many there are of what was asked for', async () => {
    const { body, headers } = await server.get('admin', `${path}?kind=batch&limit=2&skip=40`);
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['part', 'single']);
    expect(headers['x-total-count']).toBe('41');
    const where = { subjectKind: 'batch' };
    expect(asked).toEqual([{ where, sort: [['createdAt', 'desc']], limit: 2, skip: 40 }, where]);
    await server.get('admin', path);
    expect(asked[2]).toMatchObject({ where: {}, limit: 200, skip: 0 });
  });

  it('are for administrators', async () => {
    for (const url of [path, `${path}/part`]) expect((await server.get('ann', url)).status).toBe(403);
    expect(asked).toEqual([]);
  });
});
