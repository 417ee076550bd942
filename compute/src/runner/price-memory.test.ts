import { expect, test } from 'vitest';
import { PriceMemory } from './price-memory.ts';

const MB = 1024 * 1024;

/** Takes memory for runs by name; answers what has begun, in order. */
function rig(megabytes: number) {
  const memory = new PriceMemory(megabytes * MB);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string, size: number, signal?: AbortSignal) =>
    memory.take(name.slice(0, 3), size * MB, signal).then((end) => {
      begun.push(name);
      ends.set(name, end);
    });
  return { begun, take, end: (name: string) => ends.get(name)?.() };
}

test('runs wait while prices of others fill the memory, and owners take turns', async () => {
  const { begun, take, end } = rig(100);
  await take('ann1', 60);
  const waiting = [take('ann2', 60), take('ann3', 60), take('bob1', 60)];
  expect(begun).toEqual(['ann1']);
  end('ann1');
  await waiting[0];
  end('ann2');
  await waiting[2];
  expect(begun).toEqual(['ann1', 'ann2', 'bob1']);
  end('bob1');
  await waiting[1];
});

test('small runs never wait, and one that is too large for all runs alone', async () => {
  const { begun, take, end } = rig(100);
  await take('ann1', 500);
  await take('bob1', 1);
  const next = take('bob2', 50);
  expect(begun).toEqual(['ann1', 'bob1']);
  end('ann1');
  await next;
});

test('runs are small below 16 MB', async () => {
  const { begun, take, end } = rig(100);
  await take('ann1', 100);
  const next = take('bob1', 16);
  await take('cid1', 15.9);
  expect(begun).toEqual(['ann1', 'cid1']);
  end('ann1');
  await next;
});

test('who leaves the line is not waited for', async () => {
  const { take, end } = rig(100);
  await take('ann1', 90);
  const gone = new AbortController();
  const left = take('ann2', 90, gone.signal);
  const next = take('bob1', 90);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  end('ann1');
  await next;
});

test('who stood behind somebody who leaves begins at once where there is room', async () => {
  const { begun, take } = rig(100);
  await take('ann1', 60);
  const gone = new AbortController();
  const left = take('bob1', 60, gone.signal);
  const next = take('cid1', 30);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await new Promise(setImmediate);
  expect(begun).toEqual(['ann1', 'cid1']);
  await next;
});

test('the memory is used to its last byte', async () => {
  const { begun, take } = rig(100);
  await take('ann1', 60);
  void take('bob1', 40);
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual(['ann1', 'bob1']);
});

test('nobody goes past those who wait, however little is needed', async () => {
  const { begun, take, end } = rig(100);
  await take('ann1', 60);
  const waiting = [take('bob1', 60), take('cid1', 30)];
  await new Promise(setImmediate);
  expect(begun).toEqual(['ann1']);
  end('ann1');
  await Promise.all(waiting);
  expect(begun).toEqual(['ann1', 'bob1', 'cid1']);
});
