import type { ResultQuery } from '@quantloom/domain/ports/result-store';
import { expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountBatchResults } from './results.ts';

const ROWS = 25_000;
const batch = { id: 'b1', userId: 'ann', isPublic: false, status: 'Finished', combinations: ROWS };
const definition = { id: 'b1', variableNames: [], variables: {}, templateBot: {}, backtestConfig: {} };

it('a page of rows has a thousand, or as many as are asked for up to ten thousand, and says where to go on', async () => {
  const asked: ResultQuery[] = [];
  const played = {
    readModels: {
      get: async (collection: string) => (collection.includes('efinition') ? definition : batch),
    },
    resultStore: {
      storedRanges: async () => [{ from: 0, to: ROWS }],
      query: async (_: string, query: ResultQuery) => {
        asked.push(query);
        const count = Math.min(query.limit ?? 0, ROWS - (query.offset ?? 0));
        return { columns: ['combination'], rows: Array.from({ length: count }, (_, i) => [i]), total: ROWS };
      },
    },
  };
  const server = await openReadServer(mountBatchResults, played, ['web.batch-backtests.create']);
  const page = async (query: string) => {
    const { body } = await server.get('ann', `/batch-backtests/b1/results?format=json${query}`);
    return { rows: body.rows.length as number, next: body.next_cursor as string | null };
  };
  expect(await page('')).toMatchObject({ rows: 1_000 });
  expect(await page('&limit=3')).toMatchObject({ rows: 3 });
  const first = await page('&limit=100000');
  expect(first.rows).toBe(10_000);
  const second = await page(`&limit=100000&cursor=${first.next}`);
  const third = await page(`&limit=100000&cursor=${second.next}`);
  expect([second.rows, third]).toEqual([10_000, { rows: 5_000, next: null }]);
  expect(asked.slice(2).map(({ offset = 0 }) => offset)).toEqual([0, 10_000, 20_000]);
  await server.close();
});
