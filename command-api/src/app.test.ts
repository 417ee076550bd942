import type { ReadModelProgress } from '@quantloom/http/read-own-writes';
import { expect, it } from 'vitest';
import { openMemoryServer } from '../testing/memory-server.ts';
import { mountVariableLists } from './routes/variable-lists.ts';

it('answers a write when it can be read, and a refusal at once', async () => {
  const reached = Promise.withResolvers<boolean>();
  const waits: Parameters<ReadModelProgress['whenReached']>[] = [];
  const consistency: ReadModelProgress = {
    whenReached: async (...given) => {
      waits.push(given);
      return await reached.promise;
    },
  };
  const server = await openMemoryServer(mountVariableLists, { consistency });
  const create = (name: string) =>
    server.call('paid', 'POST', '/variable-lists', { name, variables: ['SPY'] });
  expect((await create('')).status).toBe(422);
  expect(waits).toEqual([]);
  let isAnswered = false;
  const answer = create('Mine').finally(() => {
    isAnswered = true;
  });
  await expect.poll(() => waits.length).toBe(1);
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  const [[position, { projections } = { projections: [] }] = []] = waits;
  expect(position).toBe(await server.eventStore.head());
  expect(projections.map(({ name }) => name)).toContain('variableLists');
  reached.resolve(true);
  expect((await answer).status).toBe(201);
  await server.app.close();
});
