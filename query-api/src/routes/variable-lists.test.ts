import { variableListsProjection } from '@quantloom/domain/variable-list/projection';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountVariableListQueries } from './variable-lists.ts';

const list = (id: string, more: object = {}) => ({
  ...{ id, name: id, ownerId: 'bob', isPublic: false, isDeleted: false, variables: ['SPY', 'QQQ'] },
  ...{ createdAt: '2026-03-01T00:00:00.000Z', updatedAt: '2026-03-02T00:00:00.000Z', _revision: 4 },
  ...more,
});

describe('a variable list', () => {
  let server: Awaited<ReturnType<typeof openReadServer>>;
  beforeEach(async () => {
    const lists = [
      list('own', { ownerId: 'ann' }),
      list('public', { isPublic: true }),
      list('private'),
      list('deleted', { ownerId: 'ann', isDeleted: true }),
    ];
    server = await openReadServer(mountVariableListQueries, {
      readModels: {
        get: async (collection: string, id: string) => {
          expect(collection).toBe(variableListsProjection.collection.name);
          return lists.find((one) => one.id === id) ?? null;
        },
      },
    });
  });
  afterEach(() => server.close());

  it('is read with the revision that a change of it names', async () => {
    const { status, headers, body } = await server.get('ann', '/variable-lists/own');
    expect([status, headers.etag]).toEqual([200, '"4"']);
    expect(body).toEqual({
      ...{ id: 'own', name: 'own', is_public: false, user_id: 'ann', variables: ['SPY', 'QQQ'] },
      ...{ created_at: '2026-03-01T00:00:00.000Z', updated_at: '2026-03-02T00:00:00.000Z', revision: 4 },
    });
  });

  it('of somebody else is there only as long as it is public, and one that is deleted for nobody', async () => {
    expect((await server.get('ann', '/variable-lists/public')).status).toBe(200);
    for (const id of ['private', 'deleted', 'never']) {
      const { status, headers, text } = await server.get('ann', `/variable-lists/${id}`);
      expect([id, status, headers.etag]).toEqual([id, 404, undefined]);
      expect(text).not.toContain('SPY');
    }
  });
});
