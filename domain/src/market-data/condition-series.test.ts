import { describe, expect, it } from 'vitest';
import {
  asKnownOn,
  firstDayKnownOtherwise,
  isSeriesName,
  mergeObservations,
  seriesName,
  usualLag,
  withLag,
  withVintages,
} from './condition-series.ts';

const sessions = Int32Array.from({ length: 10 }, (_, i) => 100 + i);
const shown = (observations: Parameters<typeof asKnownOn>[0]) => {
  const { days, values } = asKnownOn(observations, sessions);
  return [...days].map((day, i) => `${day}:${values[i]}`);
};

describe('asKnownOn', () => {
  it('shows a value on the day on which it is known, and never before', () => {
    expect(shown(withLag([100, 101, 103], [1, 2, 3], 2))).toEqual([
      '102:1', '103:2', '104:2', '105:3', '106:3', '107:3', '108:3', '109:3',
    ]); // biome-ignore format: a list
  });

  it('shows a revision from its own day on, and the newest observation whatever becomes of older ones', () => {
    const observations = withVintages(
      [
        { day: 90, published: 100, value: 1 },
        { day: 90, published: 103, value: 1.5 },
        { day: 95, published: 105, value: 2 },
        { day: 90, published: 107, value: 9 },
      ],
      3,
    );
    expect(shown(observations)).toEqual([
      '100:1', '101:1', '102:1', '103:1.5', '104:1.5', '105:2', '106:2', '107:2', '108:2', '109:2',
    ]); // biome-ignore format: a list
  });

  it('takes what was in the oldest vintage as known after the lag', () => {
    const { known } = withVintages(
      [
        { day: 10, published: 100, value: 1 },
        { day: 99, published: 100, value: 1 },
        { day: 104, published: 106, value: 1 },
      ],
      5,
    );
    expect([...known]).toEqual([15, 100, 106]);
  });

  it('holds nothing where nothing is known yet, and where there is nothing', () => {
    expect(shown(withLag([100], [1], 50))).toEqual([]);
    expect(shown(withLag([], [], 1))).toEqual([]);
  });

  it('keeps values of zero and below', () => {
    expect(shown(withLag([108], [-0.5], 0))).toEqual(['108:-0.5', '109:-0.5']);
  });
});

describe('mergeObservations', () => {
  it('never loses an observation, and takes what comes for the others', () => {
    const { merged, added, changed, kept } = mergeObservations(
      withLag([1, 2, 3], [10, 20, 30], 1),
      withLag([3, 4], [31, 40], 1),
    );
    expect({ added, changed, kept }).toEqual({ added: 1, changed: 1, kept: 2 });
    expect([...merged.values]).toEqual([10, 20, 31, 40]);
  });

  it('puts what is kept among what comes, each with the day on which it is known, revisions in their order', () => {
    const revised = (day: number, value: number) => [
      { day, published: day + 9, value: value + 1 },
      { day, published: day + 4, value },
    ];
    const stored = withVintages([...revised(20, 2), ...revised(40, 4)], 0);
    const { merged } = mergeObservations(stored, withVintages([...revised(30, 3), ...revised(10, 1)], 0));
    const rows = Array.from(merged.days, (day, i) => [day, merged.known[i], merged.values[i]]);
    expect(rows).toEqual(
      [10, 20, 30, 40].flatMap((day) => [
        // What was in the oldest vintage had been known before.
        [day, day === 10 || day === 20 ? day : day + 4, day / 10],
        [day, day + 9, day / 10 + 1],
      ]),
    );
  });
});

describe('names and lags', () => {
  it('knows names', () => {
    expect(['@vixcls', '@T10Y2Y', '@MY_OWN', '@A', 'VIXCLS', '@', '@A/B', '@@X', '@_A'].map(seriesName)).toEqual([
      '@VIXCLS', '@T10Y2Y', '@MY_OWN', '@A', null, null, null, null, null,
    ]); // biome-ignore format: a list
  });

  it('tells them from tickers by their first sign', () => {
    expect(['@VIXCLS', ' @VIXCLS', 'VIXCLS', 'A@'].map(isSeriesName)).toEqual([true, true, false, false]);
  });

  it('is careful where nobody says a lag', () => {
    const every = (distance: number) => Int32Array.from({ length: 20 }, (_, i) => i * distance);
    expect([1, 7, 30, 91, 365].map((distance) => usualLag(every(distance)))).toEqual([1, 14, 62, 185, 550]);
    expect(usualLag(Int32Array.of(5))).toBe(62);
  });
});

describe('firstDayKnownOtherwise', () => {
  const old = withLag([100, 101, 103], [1, 2, 3], 2);

  it.each([
    ['nothing has changed', withLag([100, 101, 103], [1, 2, 3], 2), null],
    ['a value has come at the end', withLag([100, 101, 103, 104], [1, 2, 3, 4], 2), 106],
    ['a value is another one', withLag([100, 101, 103], [1, 5, 3], 2), 103],
    ['values are known earlier', withLag([100, 101, 103], [1, 2, 3], 1), 101],
    ['values are known later', withLag([100, 101, 103], [1, 2, 3], 5), 102],
    ['a value is gone', withLag([100, 103], [1, 3], 2), 103],
  ])('where %s', (_, now, expected) => expect(firstDayKnownOtherwise(old, now)).toBe(expected));

  it('is the first day of a series that is new', () => {
    expect(firstDayKnownOtherwise(null, old)).toBe(102);
    expect(firstDayKnownOtherwise(null, withLag([], [], 1))).toBeNull();
  });
});
