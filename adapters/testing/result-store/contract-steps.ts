import { randomUUID } from 'node:crypto';
import type { ResultQuery, ResultStore, ResultVariable } from '@quantloom/domain/ports/result-store';
import { sampleBlock } from '../../src/result-store/sample-block.ts';

/** Values out of order on purpose: texts of both cases, and numbers that text order would misplace. */
export const UNSORTED: readonly ResultVariable[] = [
  { name: '$T', values: ['SPY', 'QQQ', 'BRK.B', 'agg'] },
  { name: '$WINDOW', values: [200, 5, 10.5] },
];
export const SIZES = UNSORTED.map(({ values }) => values.length);

/** A batch that nobody else uses. */
export const freshBatch = () => `batch-${randomUUID()}`;
export const isoDay = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
export const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

export async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** What the contract's tests do again and again with the store of the moment. */
export function contractSteps(store: () => ResultStore) {
  return {
    async batchOf(
      variables: readonly ResultVariable[],
      ...blocks: readonly { from: number; count: number; failEvery?: number }[]
    ): Promise<string> {
      const batchId = freshBatch();
      await store().createBatch(batchId, variables);
      const sizes = variables.map(({ values }) => values.length);
      for (const { failEvery, ...range } of blocks) {
        await store().append(sampleBlock(batchId, range, sizes, failEvery));
      }
      return batchId;
    },
    async combinations(batchId: string, query: ResultQuery = {}): Promise<number[]> {
      const { rows } = await store().query(batchId, { ...query, columns: ['combination'] });
      return rows.map(([k]) => k as number);
    },
  };
}
