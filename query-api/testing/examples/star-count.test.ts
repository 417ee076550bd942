import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { starsProjection } from '@quantloom/domain/testing/examples/stars';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadServer } from '../read-server.ts';
import { mountStarCount } from './star-count.ts';

const strategy = (id: string) => ({ id, ownerId: 'ann', isDeleted: false });
/** What the read models hold, by collection. */
const DOCUMENTS: Readonly<Record<string, readonly { readonly id: string; readonly stars?: number }[]>> = {
  [strategySummariesProjection.collection.name]: [strategy('marked'), strategy('new')],
  [starsProjection.collection.name]: [{ id: 'marked', stars: 3 }],
};
const readModels = {
  get: async (collection: string, id: string) => DOCUMENTS[collection]?.find((one) => one.id === id) ?? null,
};

describe('the stars of a strategy', () => {
  let server: Awaited<ReturnType<typeof openReadServer>>;
  beforeAll(async () => {
    server = await openReadServer(mountStarCount, { readModels });
  });
  afterAll(() => server.close());
  // Callers are named by their ids; nothing stands for a visitor.
  const starsOf = (id: string, caller = 'ann') => server.get(caller, `/trading-bots/${id}/star-count`);

  it('are counted for its owner', async () => {
    expect(await starsOf('marked')).toMatchObject({ status: 200, body: { strategy_id: 'marked', stars: 3 } });
    expect((await starsOf('new')).body.stars).toBe(0);
  });

  it('are not told to others', async () => {
    expect(await starsOf('marked', 'ben')).toMatchObject({
      status: 404,
      body: { code: 'strategy_not_found' },
    });
    expect((await starsOf('unknown')).status).toBe(404);
    expect((await starsOf('marked', '')).status).toBe(401);
  });
});
