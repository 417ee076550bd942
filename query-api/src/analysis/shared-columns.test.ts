import type { ColumnReading, ResultStore } from '@quantloom/domain/ports/result-store';
import { expect, it, vi } from 'vitest';
import { SharedColumns } from './shared-columns.ts';

/** Columns of 100 rows: 800 bytes each. */
function storeOf() {
  const readColumns = vi.fn(async (_id: string, columns: readonly ColumnReading[]) => {
    for (const { into } of columns) into.fill(7);
  });
  return { store: { countRows: async () => 100, readColumns } as unknown as ResultStore, readColumns };
}

const same = async <T>(column: T) => column;

it('reads a column once, also for requests at the same time', async () => {
  const { store, readColumns } = storeOf();
  const columns = new SharedColumns(store);
  const [first, second] = await Promise.all([columns.use('b', 'x', same), columns.use('b', 'x', same)]);
  expect(first).toBe(second);
  expect(first[99]).toBe(7);
  expect(first.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(readColumns).toHaveBeenCalledTimes(1);
});

it('lets go of the column that was not used for longest, and of failures', async () => {
  const { store, readColumns } = storeOf();
  const columns = new SharedColumns(store, 1_600);
  for (const name of ['x', 'y', 'x', 'z', 'x']) await columns.use('b', name, same);
  expect(readColumns.mock.calls.map(([, [column]]) => column?.name)).toEqual(['x', 'y', 'z']);
  await columns.use('b', 'y', same);
  expect(readColumns).toHaveBeenCalledTimes(4);
  readColumns.mockRejectedValueOnce(new Error('no'));
  await expect(columns.use('c', 'x', same)).rejects.toThrow('no');
  expect((await columns.use('c', 'x', same))[0]).toBe(7);
});

it('uses the memory of a column again that nobody keeps', async () => {
  const columns = new SharedColumns(storeOf().store, 800);
  const buffers = new Set<ArrayBufferLike>();
  for (const name of ['x', 'y', 'z', 'x'])
    await columns.use('b', name, async (column) => {
      expect(column[99]).toBe(7);
      buffers.add(column.buffer);
    });
  // The one that is read now and the one that makes room for it take turns.
  expect(buffers.size).toBeLessThanOrEqual(2);
});

it('leaves a column to those who still have it', async () => {
  const columns = new SharedColumns(storeOf().store, 800);
  await columns.use('b', 'x', (kept) =>
    columns.use('b', 'y', async (used) => {
      kept.fill(1);
      used.fill(2);
      for (const name of ['z', 'v', 'w', 'y'])
        await columns.use('b', name, async (other) => {
          expect(other.buffer).not.toBe(kept.buffer);
          expect(other.buffer).not.toBe(used.buffer);
        });
      expect([kept[99], used[99]]).toEqual([1, 2]);
    }),
  );
  await expect(columns.use('b', 'x', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
