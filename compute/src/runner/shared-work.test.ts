import { expect, it } from 'vitest';
import { SharedWork } from './shared-work.ts';

/** Work that a test ends, with the signal that it was begun with. */
function work() {
  const result = Promise.withResolvers<string>();
  let signal: AbortSignal | undefined;
  const shared = new SharedWork((given) => {
    signal = given;
    return result.promise;
  });
  const failures: string[] = [];
  shared.onFailure(() => failures.push('given up or failed'));
  return { shared, ...result, isGivenUp: () => signal?.aborted, failures };
}
const LEFT = new Error('left');

it('is done once for all who wait for it', async () => {
  const { shared, resolve, isGivenUp } = work();
  const waiting = [0, 1].map(() => shared.wait(new AbortController().signal));
  resolve('done');
  expect(await Promise.all(waiting)).toEqual(['done', 'done']);
  // Whoever comes later has it, too.
  expect(await shared.wait(new AbortController().signal)).toBe('done');
  expect(isGivenUp()).toBe(false);
});

it('goes on for the others when one leaves, and is given up when the last has left', async () => {
  const { shared, resolve, isGivenUp, failures } = work();
  const [one, other] = [new AbortController(), new AbortController()];
  const first = shared.wait(one.signal);
  const second = shared.wait(other.signal);
  one.abort(LEFT);
  await expect(first).rejects.toBe(LEFT);
  expect([isGivenUp(), failures]).toEqual([false, []]);
  other.abort(LEFT);
  await expect(second).rejects.toBe(LEFT);
  expect(isGivenUp()).toBe(true);
  expect(failures).toHaveLength(1);
  resolve('too late');
});

it('is not given up by whoever comes and has left already, nor after it is done', async () => {
  const { shared, resolve, isGivenUp } = work();
  await expect(shared.wait(AbortSignal.abort(LEFT))).rejects.toBe(LEFT);
  expect(isGivenUp()).toBe(false);
  const waiting = shared.wait(new AbortController().signal);
  resolve('done');
  await waiting;
  expect(isGivenUp()).toBe(false);
});

it('is given up when the last has left, also after somebody came who had left already', async () => {
  const { shared, isGivenUp } = work();
  const last = new AbortController();
  const waiting = shared.wait(last.signal);
  await expect(shared.wait(AbortSignal.abort(LEFT))).rejects.toBe(LEFT);
  expect(isGivenUp()).toBe(false);
  last.abort(LEFT);
  await expect(waiting).rejects.toBe(LEFT);
  expect(isGivenUp()).toBe(true);
});

it('fails for all who wait for it', async () => {
  const { shared, reject, failures } = work();
  const waiting = [0, 1].map(() => shared.wait(new AbortController().signal));
  reject(new Error('The engine stumbled'));
  for (const one of waiting) await expect(one).rejects.toThrow('The engine stumbled');
  expect(failures.length).toBeGreaterThan(0);
});
