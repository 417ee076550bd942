import type { Projectors } from '@quantloom/projectors/projectors';
import { expect, it } from 'vitest';
import { areAtWork, outsideSentence, silentSide } from './readiness.ts';

it('names the side of the API that nobody answers for', () => {
  const some = { areThere: () => true };
  const none = { areThere: () => false };
  const told = (command: typeof some, query: typeof some) =>
    silentSide([
      ['command', command],
      ['query', query],
    ]);
  expect(told(some, some)).toBeNull();
  expect(told(some, none)).toBe('No process of the query API is ready');
  expect(told(none, some)).toBe('No process of the command API is ready');
});

it('names each group once that a process has not joined', () => {
  expect(outsideSentence({ outside: () => [] })).toBeNull();
  expect(outsideSentence({ outside: () => ['compute', 'progress', 'compute'] })).toContain(
    '(compute, progress)',
  );
});

it('takes projectors for ready that work or stand by, and no others', () => {
  type Status = ReturnType<Projectors['status']>[number];
  const ready = (...states: readonly Status['state'][]) =>
    areAtWork({ status: () => states.map((state) => ({ state }) as Status) });
  expect([ready('running', 'standby'), ready('standby')]).toEqual([true, true]);
  expect([ready('running', 'failing'), ready('standby', 'stopped')]).toEqual([false, false]);
});
