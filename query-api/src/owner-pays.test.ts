import { usersProjection } from '@quantloom/domain/user/projection';
import { expect, it } from 'vitest';
import { payerOf } from './owner-pays.ts';

const readModels = {
  get: async (collection: string, id: string) =>
    collection === usersProjection.collection.name && id === 'ann'
      ? { id: 'ann', subject: 'someone', planId: 'api' }
      : null,
} as never;

it('is the owner himself who pays, by his plan, and by the free one where nothing is known of him', async () => {
  expect(await payerOf(readModels, 'ann')).toEqual({ userId: 'ann', planId: 'api' });
  expect(await payerOf(readModels, 'bob')).toEqual({ userId: 'bob', planId: 'free' });
});
