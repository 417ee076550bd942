import type { CollectionName, FindQuery, ReadDocument } from '@quantloom/domain/ports/read-models';
import { describe, expect, it } from 'vitest';
import { csvInLogOrder } from './csv-in-log-order.ts';

type Line = Pick<ReadDocument, 'id'> & { readonly order: string; readonly kind: string };

/** A collection of so many lines, and what is asked of it. */
function lines(count: number) {
  const all = Array.from(
    { length: count },
    (_, i): Line => ({
      id: `l${i}`,
      order: String(i).padStart(6, '0'),
      kind: i % 2 === 0 ? 'even' : 'odd',
    }),
  );
  const asked: FindQuery[] = [];
  const find = async (_: string, query: FindQuery) => {
    asked.push(query);
    const { kind, order } = query.where as { kind?: string; order?: { lt?: string; lte?: string } };
    const [below, upTo] = [order?.lt, order?.lte];
    return all
      .filter((one) => kind === undefined || one.kind === kind)
      .filter((one) => below === undefined || one.order < below)
      .filter((one) => upTo === undefined || one.order <= upTo)
      .sort((a, b) => (query.sort?.[0]?.[1] === 'desc' ? 1 : -1) * b.order.localeCompare(a.order))
      .slice(0, query.limit);
  };
  return { readModels: { find } as never, asked };
}

const LINES = 'lines_v1' as CollectionName<ReadDocument & Line>;
const write = async (documents: readonly Line[]) => documents.map(({ order }) => `${order}\r\n`);

async function fileOf(count: number, where: { readonly kind?: string } = {}) {
  const { readModels, asked } = lines(count);
  const file: string[] = [];
  for await (const part of csvInLogOrder(readModels, LINES, where, ['Order', 'What'], write)) file.push(part);
  return { file: file.join(''), asked };
}

describe('a list as a file', () => {
  it.each([199, 200, 201, 400, 401])('has each of %i lines once, the newest first', async (count) => {
    const { file } = await fileOf(count);
    const orders = Array.from({ length: count }, (_, i) => String(count - 1 - i).padStart(6, '0'));
    expect(file).toBe(`${['Order,What', ...orders].join('\r\n')}\r\n`);
  });

  it('is its header where nothing is listed', async () => {
    expect((await fileOf(0)).file).toBe('Order,What\r\n');
  });

  it('has what matches only, on every page of it', async () => {
    const { file, asked } = await fileOf(500, { kind: 'odd' });
    const orders = file.trimEnd().split('\r\n').slice(1).map(Number);
    expect(orders).toHaveLength(250);
    expect(orders.every((order) => order % 2 === 1)).toBe(true);
    expect(asked.map(({ where }) => where)).toEqual([
      { kind: 'odd' },
      { kind: 'odd', order: { lt: '000101' } },
      { kind: 'odd', order: { lt: '000001' } },
    ]);
  });
});
