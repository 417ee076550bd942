import { expect, it } from 'vitest';
import { keystrokesOf, type TraceEvent } from './keystrokes.ts';

const THREAD = { ph: 'X', pid: 1, tid: 1 };
const event = (name: string, ts: number, dur: number, tdur?: number, type?: string): TraceEvent => ({
  ...THREAD,
  name,
  ts,
  dur,
  ...(tdur !== undefined && { tdur }),
  ...(type !== undefined && { args: { data: { type } } }),
});

/** A key whose handler and frame take 2 ms and 4 ms of the processor, with 10 ms more in which others had it. */
const key = (at: number): TraceEvent[] => [
  event('EventDispatch', at, 5_000, 2_000, 'keydown'),
  event('FunctionCall', at, 4_900, 1_900),
  // So short that it has no time of its own.
  event('RunTask', at + 6_000, 3),
  event('Commit', at + 14_500, 500, 400),
  event('RunTask', at + 7_000, 8_000, 4_000),
];

it('counts each event once, by the clock of the thread alone', () => {
  const [first, second] = keystrokesOf([...key(100_000), ...key(300_000)], 1);
  expect(first?.toPaint).toBeCloseTo(6.003, 6);
  expect(first?.script).toBeCloseTo(2, 6);
  expect(second?.toPaint).toBeCloseTo(6.003, 6);
});

it('says nothing of a key that no frame follows', () => {
  const [only] = keystrokesOf([event('EventDispatch', 100_000, 5_000, 2_000, 'keydown')], 1);
  expect(only?.toPaint).toBeNull();
});
