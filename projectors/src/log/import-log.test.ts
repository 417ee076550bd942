import type { NewEvent } from '@quantloom/domain/kernel/event';
import { WrongExpectedRevisionError } from '@quantloom/domain/ports/event-store';
import { expect, it } from 'vitest';
import { importLog } from './import-log.ts';
import type { LogLine } from './log-lines.ts';

const line = (stream: string, revision: number, data: unknown = { n: revision }): LogLine => ({
  ...{ id: `${stream}${revision}`, type: 'Counted', stream, revision, data },
  metadata: {} as LogLine['metadata'],
});
async function* linesOf(lines: readonly LogLine[]): AsyncGenerator<LogLine> {
  yield* lines;
}
/** A store that gives the positions that it is told to, and remembers what came together. */
function storeAt(...positions: readonly bigint[]) {
  const appends: string[] = [];
  let next = 0;
  return {
    appends,
    append: async (stream: string, events: readonly NewEvent[], expected: unknown) => {
      appends.push(`${stream} ${events.length} behind ${String(expected)}`);
      next += 1;
      return { revision: 0, position: positions[next - 1] ?? BigInt(next) };
    },
  };
}

it('counts every event that stands behind ones that it precedes in the source', async () => {
  const lines = [line('a', 0), line('b', 0), line('b', 1), line('b', 2), line('c', 0)];
  const store = storeAt(5n, 3n, 6n);
  expect(await importLog(store, linesOf(lines))).toEqual({ events: 5, outOfPlace: 3 });
  expect(store.appends).toEqual(['a 1 behind noStream', 'b 3 behind noStream', 'c 1 behind noStream']);
});

it('puts together what follows in a stream, as far as servers take it at once, and where the target ends', async () => {
  const many = Array.from({ length: 501 }, (_, i) => line('a', i));
  const store = storeAt();
  await importLog(store, linesOf(many));
  expect(store.appends).toEqual(['a 500 behind noStream', 'a 1 behind 499']);
  const large = Array.from({ length: 3 }, (_, i) => line('b', i, 'x'.repeat(128 * 1024 - 2)));
  const other = storeAt();
  await importLog(other, linesOf(large));
  expect(other.appends).toEqual(['b 2 behind noStream', 'b 1 behind 1']);
  const third = storeAt();
  const end = { stream: 'a', revision: 1, id: 'a1' };
  await importLog(third, linesOf(many.slice(0, 4)), { end });
  expect(third.appends).toEqual(['a 2 behind noStream', 'a 2 behind 1']);
});

it('tells how far it is once in fifty thousand events', async () => {
  const told: number[] = [];
  const many = Array.from({ length: 100_200 }, (_, i) => line('a', i));
  const onProgress = (events: number) => void told.push(events);
  expect((await importLog(storeAt(), linesOf(many), { onProgress })).events).toBe(100_200);
  expect(told).toEqual([50_000, 100_000]);
});

it('says where the target holds something else', async () => {
  const store = {
    append: async () => Promise.reject(new WrongExpectedRevisionError('a', 'noStream', 4)),
  };
  await expect(importLog(store, linesOf([line('a', 0)]))).rejects.toThrow(
    'The target log holds other events in a: it ends at revision 4, revision 0 of the file does not fit',
  );
});
