import type { ResultQuery } from '@quantloom/domain/ports/result-store';
import { expect, it } from 'vitest';
import { rowsOf } from './analysed-batch.ts';

it('finds the rows of any number of combinations, each once, with what they have', async () => {
  const pages: number[] = [];
  const store = {
    query: async (_: string, { columns = [], filters = [], limit = 0 }: ResultQuery) => {
      const wanted = filters[0]?.value as unknown as readonly number[];
      pages.push(wanted.length);
      // The second column of every third row has nothing in it.
      const cells = (k: number) => [k, k % 2, k % 3 === 0 ? null : k / 10].slice(0, columns.length);
      return { rows: wanted.slice(0, limit).map(cells) };
    },
  };
  const combinations = Array.from({ length: 2_500 }, (_, i) => 2_499 - i);
  const rows = await rowsOf(store as never, 'b1', combinations, ['first', 'second']);
  expect([...rows.keys()]).toEqual(combinations);
  expect(pages).toEqual([1_000, 1_000, 500]);
  expect(rows.get(0)).toEqual({ first: 0, second: null });
  expect(rows.get(1_499)).toEqual({ first: 1, second: 149.9 });
});
