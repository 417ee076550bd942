import { expect, it } from 'vitest';
import { Lanes } from './lanes.ts';

it('keeps the order of a key, and lets other keys go past it', async () => {
  const lanes = new Lanes(4);
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lanes.run('a', async () => {
    await gate.promise;
    seen.push('a1');
  });
  const second = lanes.run('a', async () => void seen.push('a2'));
  await lanes.run('b', async () => void seen.push('b1'));
  expect(seen).toEqual(['b1']);
  expect(lanes.size).toBeGreaterThanOrEqual(2);
  gate.resolve();
  await Promise.all([first, second]);
  expect(seen).toEqual(['b1', 'a1', 'a2']);
  await lanes.below(1);
  expect(lanes.size).toBe(0);
});

it('runs no more at a time than its width, and goes on after a failure', async () => {
  const lanes = new Lanes(2);
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
  };
  const failing = lanes.run('x', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  await Promise.all(Array.from({ length: 20 }, (_, i) => lanes.run(String(i), work)));
  await lanes.run('x', work);
  expect(most).toBe(2);
});

it('has room for so many of a key and so many of all, and keeps no key waiting for another one', async () => {
  const lanes = new Lanes(4);
  const most = { ofKey: 2, ofAll: 4 };
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const works: Promise<void>[] = [];
  const begin = async (key: string) => {
    await lanes.room(key, most);
    begun.push(key);
    works.push(lanes.run(key, () => gate.promise));
  };
  await begin('a');
  await begin('a');
  const third = begin('a');
  await begin('b');
  await begin('b');
  const beyond = begin('c');
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'a', 'b', 'b']);
  gate.resolve();
  await Promise.all([third, beyond]);
  await Promise.all(works);
  await lanes.below(1);
  expect(begun.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
});

it('keeps the order of a key for what comes while a later work of it is under way', async () => {
  const lanes = new Lanes(4);
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lanes.run('a', async () => void seen.push('a1'));
  const second = lanes.run('a', async () => {
    await gate.promise;
    seen.push('a2');
  });
  await first;
  await new Promise(setImmediate);
  const third = lanes.run('a', async () => void seen.push('a3'));
  await new Promise(setImmediate);
  gate.resolve();
  await Promise.all([second, third]);
  expect(seen).toEqual(['a1', 'a2', 'a3']);
});

it('gives places to those who have waited longest, and tells when there are fewer than a limit', async () => {
  const lanes = new Lanes(1);
  const begun: string[] = [];
  const gates = ['a', 'b', 'c'].map((key) => ({ key, ...Promise.withResolvers<void>() }));
  const works = gates.map(({ key, promise }) =>
    lanes.run(key, async () => {
      begun.push(key);
      await promise;
    }),
  );
  let isBelow = false;
  const below = lanes.below(2).then(() => {
    isBelow = true;
  });
  const ends: [string, boolean][] = [];
  for (const [i, { resolve }] of gates.entries()) {
    await new Promise(setImmediate);
    ends.push([begun.join(''), isBelow]);
    resolve();
    await works[i];
  }
  await below;
  expect(ends).toEqual([
    ['a', false],
    ['ab', false],
    ['abc', true],
  ]);
});
