import { type Static, Type } from 'typebox';
import { defineRoute } from './route.ts';

const Bytes = Type.Integer({ minimum: 0 });

export const StorageSchema = Type.Object({
  used_bytes: Type.Integer({
    minimum: 0,
    description:
      'Strategies, variable lists and batches with all of their revisions; what is deleted does not count',
  }),
  limit_bytes: Bytes,
  written_bytes: Type.Integer({ minimum: 0, description: 'Written within the day that ends next' }),
  daily_limit_bytes: Bytes,
});
export type Storage = Static<typeof StorageSchema>;

export const getStorage = defineRoute({
  id: 'getStorage',
  method: 'GET',
  path: '/api/v1/users/me/storage',
  side: 'query',
  tag: 'Account',
  summary: 'The room that the user takes, and what his plan has',
  access: { kind: 'user', machine: true },
  answer: StorageSchema,
  example: {
    answer: {
      used_bytes: 1_250_000,
      limit_bytes: 1_048_576_000,
      written_bytes: 84_000,
      daily_limit_bytes: 524_288_000,
    },
  },
});
