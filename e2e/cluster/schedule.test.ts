import { describe, expect, it } from 'vitest';
import { lengthOf, scheduleOf } from './schedule.ts';

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
      new Set(['kill', 'freeze', 'duplicate', 'cut', 'restart', 'hang', 'server-disk']),
    );
    expect(kindsOf({ mayOrderLog: true })).toEqual(
      new Set(['kill', 'freeze', 'duplicate', 'slow-log', 'refusing-log']),
    );
  });

  it('touches the server of the log only where there is one, and draws the same for a seed without', () => {
    const options = { members, lengthMs: 5_000, faults: 8, mayTouchServers: true, mayCutLinks: true };
    const touched = (more: object) =>
      Array.from({ length: 40 }, (_, seed) => scheduleOf(seed, { ...options, ...more }))
        .flat()
        .flatMap((fault) => ('server' in fault ? fault.server : 'servers' in fault ? fault.servers : []));
    expect(touched({})).not.toContain('eventstoredb');
    expect(touched({ hasLogServer: true })).toContain('eventstoredb');
    expect(scheduleOf(301, options).slice(0, 3)).toEqual([
      { kind: 'kill', at: 839, member: 'projectors-1' },
      { kind: 'cut', at: 873, member: 'compute-1', servers: ['kafka'], forMs: 3_276 },
      { kind: 'hang', at: 1_693, server: 'kafka', forMs: 4_388 },
    ]);
  });

  it('draws outages of every order of length up to the longest one, where it may', () => {
    const options = { members, lengthMs: 5_000, faults: 8, mayTouchServers: true, mayCutLinks: true };
    const durations = Array.from({ length: 100 }, (_, seed) =>
      scheduleOf(seed, { ...options, longestOutageMs: 300_000 }),
    )
      .flat()
      .flatMap((fault) => ('forMs' in fault ? [fault.forMs] : 'downMs' in fault ? [fault.downMs] : []));
    expect(Math.min(...durations)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...durations)).toBeLessThanOrEqual(300_000);
    // A third of them each, by the logarithm: 1 to 6.7 s, to 45 s, to 300 s.
    for (const from of [1_000, 6_694, 44_814]) {
      const share = durations.filter((ms) => ms >= from && ms < from * 6.694).length / durations.length;
      expect(share).toBeGreaterThan(0.27);
      expect(share).toBeLessThan(0.4);
    }
  });

  it('knows how long its faults keep people waiting', () => {
    expect(
      lengthOf([
        { kind: 'kill', at: 1, member: 'compute-1' },
        { kind: 'hang', at: 2, server: 'kafka', forMs: 300 },
        { kind: 'restart', at: 3, server: 'mongodb', downMs: 40 },
      ]),
    ).toBe(340);
  });
});
