import { describe, expect, it } from 'vitest';
import { scheduleOf } from './schedule.ts';

const members = ['compute-1', 'projectors-1'];
const kindsOf = (options: object) =>
  new Set(
    Array.from({ length: 40 }, (_, seed) =>
      scheduleOf(seed, { members, lengthMs: 5_000, faults: 8, ...options }),
    )
      .flat()
      .map(({ kind }) => kind),
  );

describe('scheduleOf', () => {
  it('gives a seed the same faults every time, in order of time, and another seed others', () => {
    const options = { members, lengthMs: 5_000, faults: 8, mayCutLinks: true };
    const faults = scheduleOf(7, options);
    expect(scheduleOf(7, options)).toEqual(faults);
    expect(scheduleOf(8, options)).not.toEqual(faults);
    expect(faults.map(({ at }) => at)).toEqual(faults.map(({ at }) => at).toSorted((a, b) => a - b));
  });

  it('knows only the faults that it may make', () => {
    expect(kindsOf({})).toEqual(new Set(['kill', 'freeze', 'duplicate']));
    expect(kindsOf({ mayFillDisk: true })).toEqual(new Set(['kill', 'freeze', 'duplicate', 'full-disk']));
    expect(kindsOf({ mayTouchServers: true, mayCutLinks: true })).toEqual(
      new Set(['kill', 'freeze', 'duplicate', 'cut', 'restart', 'hang']),
    );
  });
});
