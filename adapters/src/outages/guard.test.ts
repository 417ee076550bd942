import { expect, it } from 'vitest';
import type { Breaker } from './breaker.ts';
import { guarded, guardedWrites } from './guard.ts';

/** A breaker that lets all through, and tells what it was asked. */
function rig() {
  const asked: string[] = [];
  const breaker = {
    run: async (work: () => Promise<unknown>, kind = '', mayRepeat = true) => {
      asked.push(['run', kind, mayRepeat ? '' : 'once'].filter((word) => word !== '').join(' '));
      return await work();
    },
    goOn: async (work: () => Promise<unknown>) => {
      asked.push('goOn');
      return await work();
    },
  } as unknown as Breaker;
  const returned: string[] = [];
  let held: Promise<void> = Promise.resolve();
  const rows = (): AsyncIterable<number> => {
    let next = 0;
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => (next < 2 ? { done: false, value: ++next } : { done: true, value: undefined }),
        return: async () => {
          returned.push('return');
          await held;
          return { done: true, value: undefined };
        },
      }),
    };
  };
  const port = {
    name: 'a port',
    one: async () => 1,
    now: () => 2,
    rows,
    file: rows,
    close: async () => 'closed',
    self() {
      return this === port;
    },
  };
  return {
    port,
    breaker,
    asked,
    returned,
    hold: (until: Promise<void>) => {
      held = until;
    },
    guard: guarded(port, breaker, { streams: ['rows'], files: ['file'], free: ['close', 'self'] }),
  };
}

async function all(rows: AsyncIterable<number>): Promise<number[]> {
  const found: number[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

it('every call stands behind the breaker by its own name, but for those that are free', async () => {
  const { guard, asked } = rig();
  expect(await guard.one()).toBe(1);
  expect(await guard.now()).toBe(2);
  expect(asked).toEqual(['run one', 'run now']);
  expect(await guard.close()).toBe('closed');
  // Called on the port itself: its private fields are there.
  expect(guard.self()).toBe(true);
  expect(guard.name).toBe('a port');
  expect(asked).toHaveLength(2);
});

it('what must not be done twice is told so to the breaker, and nothing else is', async () => {
  const { port, breaker, asked } = rig();
  const guard = guarded(port, breaker, { once: ['one'] });
  await guard.one();
  await guard.now();
  expect(asked).toEqual(['run one once', 'run now']);
});

it('every step of a stream stands behind it, and a file that has begun goes on through an outage', async () => {
  const { guard, asked, returned } = rig();
  expect(await all(guard.rows())).toEqual([1, 2]);
  expect(asked.splice(0)).toEqual(['run', 'run once', 'run once', 'run once']);
  expect(await all(guard.file())).toEqual([1, 2]);
  expect(asked).toEqual(['run', 'run once', 'goOn', 'goOn']);
  // What has come to its end is not ended again.
  expect(returned).toEqual([]);
});

it('a stream that is left is let go, without waiting for a server that may be away', async () => {
  const { guard, returned, hold } = rig();
  hold(new Promise<never>(() => {}));
  for await (const row of guard.rows()) {
    expect(row).toBe(1);
    break;
  }
  expect(returned).toEqual(['return']);
});

it('only the named methods stand behind it where reading needs no server', async () => {
  const { port, breaker, asked } = rig();
  const guard = guardedWrites(port, breaker, ['one']);
  expect(await guard.one()).toBe(1);
  expect(guard.now()).toBe(2);
  expect(await all(guard.rows())).toEqual([1, 2]);
  expect(asked).toEqual(['run one']);
});
