import { describe, expect, it } from 'vitest';
import { day, formatDay } from './day.ts';
import { annualVolatility, checkSeries, splitLike } from './series-checks.ts';
import { sessionsBetween } from './trading-calendar.ts';

const sessions = sessionsBetween(day('2015-01-02'), day('2019-12-31'));
const at = (i: number) => formatDay(sessions[i] as number);

/** Closes that go to and fro between two prices. */
const toAndFro = (length: number, low = 100, high = 101) =>
  Array.from({ length }, (_, i) => (i % 2 === 0 ? low : high));

/** What is found in closes on consecutive sessions, and what is said of it. */
function found(closes: readonly number[], days: Int32Array = sessions.slice(0, closes.length), more = {}) {
  const context = { lastDay: days.at(-1) as number, ...more };
  return checkSeries({ ticker: 'X', days, closes: Float64Array.from(closes) }, context);
}
const kinds = (...args: Parameters<typeof found>) => found(...args).map(({ kind }) => kind);
/** 80 of them, with others from one of them on. */
const with80 = (from: number, ...others: readonly number[]) =>
  toAndFro(80).toSpliced(from, others.length, ...others);

describe('a price that is undone', () => {
  it('is told with its size and both days', () => {
    expect(found(with80(51, 130))).toEqual([
      {
        ticker: 'X',
        kind: 'reverting_move',
        from: at(51),
        to: at(52),
        message: `+30.0% on ${at(51)}, undone by ${at(52)}: probably a bad price`,
      },
    ]);
    expect(found(with80(51, 60))[0]?.message).toMatch(/^-40\.0% on /);
  });

  it('has moved by more than a quarter', () => {
    expect(kinds(with80(51, 125))).toEqual([]);
    expect(kinds(with80(51, 125.5))).toEqual(['reverting_move']);
    // Down, the way back counts: 20% less is 25% more.
    expect(kinds(with80(51, 80))).toEqual([]);
    expect(kinds(with80(51, 79.5))).toEqual(['reverting_move']);
  });

  it('comes back the next day, or within three where it moved by more than half', () => {
    expect(kinds(with80(51, 130, 131))).toEqual([]);
    expect(found(with80(51, 160, 161, 162))).toMatchObject([
      { kind: 'reverting_move', from: at(51), to: at(54) },
    ]);
    expect(kinds(with80(51, 160, 161, 162, 163))).toEqual(['large_move']);
    // On the last day nobody knows yet.
    expect(kinds([...toAndFro(79), 165])).toEqual(['large_move']);
    expect(kinds([...toAndFro(79), 135])).toEqual([]);
  });

  it('is back within 15% of the way', () => {
    expect(kinds(with80(51, 140, 106))).toEqual([]);
    expect(kinds(with80(51, 140, 105.9))).toEqual(['reverting_move']);
    expect(kinds(with80(51, 140, 94.1))).toEqual(['reverting_move']);
    expect(kinds(with80(51, 140, 93.9))).toEqual([]);
  });

  it('is eight times what is usual in the quarter before', () => {
    const wild = (price: number, length = 80) => toAndFro(length, 100, 105).toSpliced(-9, 1, price);
    // Five percent a day: 8 times are 39%.
    expect(kinds(wild(137))).toEqual([]);
    expect(kinds(wild(145))).toEqual(['reverting_move']);
    // Calm since 60 days: what was before does not count.
    const calm = (days: number) => [
      ...toAndFro(100, 100, 112),
      ...toAndFro(days),
      130,
      ...toAndFro(10, 101, 100),
    ];
    expect(kinds(calm(62))).toContain('reverting_move');
    expect(kinds(calm(40))).not.toContain('reverting_move');
  });
});

describe('a move that stays', () => {
  const stays = (ratio: number, from = 51) => [
    ...toAndFro(from),
    ...toAndFro(80 - from, 100 * ratio, 101 * ratio),
  ];

  it.each([
    [1.55, ['+53.5']],
    [1.5, []],
    [0.44, ['-56.4']],
    [0.51 * 1.05, []],
  ])('to %d of the price is shown above a half', (ratio, expected) => {
    const messages = found(stays(ratio, 50)).map(({ message }) => message);
    expect(messages).toEqual(expected.map((percent) => `${percent}% on ${at(50)}`));
  });

  it.each([
    [0.5, '2:1'],
    [0.5 * 1.025, '2:1'],
    [0.5 * 1.026, null],
    [0.5 * 0.9751, '2:1'],
    [0.5 * 0.974, null],
    [2 / 3, '3:2'],
    [(2 / 3) * 1.0049, '3:2'],
    [(2 / 3) * 1.006, null],
    // Half as much again is no reverse split.
    [1.5, null],
    [2, '1:2'],
    [50 * 1.02, '1:50'],
    [1 / 25, '25:1'],
    [1 / 30, null],
    [1, null],
  ])('of %d looks like a split of %s', (ratio, split) => expect(splitLike(ratio)).toBe(split));

  it('says which split it looks like, unless a gap lies between', () => {
    const days = (gap: number) =>
      Int32Array.from([...sessions.slice(0, 50), ...sessions.slice(50 + gap, 80 + gap)]);
    const halved = [...toAndFro(50), ...toAndFro(30, 50.5, 51)];
    expect(found(halved)).toEqual([
      {
        ticker: 'X',
        kind: 'split_like_move',
        from: at(50),
        to: at(50),
        message: `-50.0% on ${at(50)} looks like an unadjusted 2:1 split`,
      },
    ]);
    expect(kinds(halved, days(8))).toEqual(['gap']);
  });

  it('of more than a quarter is shown after weeks in which the price stood still more often than not', () => {
    const halfStill = (length: number) => Array.from({ length }, (_, i) => 100 + (Math.floor(i / 2) % 2));
    const after = toAndFro(10, 135, 136);
    expect(kinds([...halfStill(100), ...after])).not.toContain('move_while_barely_traded');
    const still = halfStill(98).toSpliced(81, 0, 100);
    const flags = found([...still, ...after]);
    expect(flags.map(({ kind }) => kind)).toContain('move_while_barely_traded');
    expect(flags.find(({ kind }) => kind === 'move_while_barely_traded')).toEqual({
      ticker: 'X',
      kind: 'move_while_barely_traded',
      from: at(99),
      to: at(99),
      message: `+35.0% on ${at(99)} after weeks in which the price hardly changed`,
    });
    // It stood still, but that is long ago.
    const recovered = [...Array<number>(70).fill(100.5), ...toAndFro(62), ...toAndFro(10, 135, 136)];
    expect(kinds(recovered)).not.toContain('move_while_barely_traded');
    // Too few days to tell.
    expect(kinds([...Array<number>(60).fill(100.5), ...after])).not.toContain('move_while_barely_traded');
    expect(kinds([...Array<number>(61).fill(100.5), ...after])).toContain('move_while_barely_traded');
  });
});

describe('a price that stands still', () => {
  const stillFor = (days: number, from = 30) => with80(from, ...Array<number>(days + 1).fill(102));

  it('is shown from ten days on, also at the end', () => {
    expect(kinds(stillFor(9))).toEqual([]);
    expect(found(stillFor(11))).toEqual([
      {
        ticker: 'X',
        kind: 'stale_run',
        from: at(30),
        to: at(41),
        message: `the price stood still for 11 days from ${at(30)}`,
      },
    ]);
    expect(kinds(stillFor(10))).toEqual(['stale_run']);
    expect(found(with80(69, ...Array<number>(11).fill(105)))).toMatchObject([
      { kind: 'stale_run', from: at(69), to: at(79) },
    ]);
  });

  it('is nothing special where it hardly ever moves', () => {
    const calm = (step: number) => toAndFro(80, 100, 100 + step).fill(100, 30, 45);
    expect(kinds(calm(0.15))).toEqual([]);
    expect(kinds(calm(0.3))).toEqual(['stale_run']);
    expect(kinds([100])).toEqual([]);
  });

  it('is barely traded above 8% of all days, where there is a year of them', () => {
    const thin = (length: number, every: number) => {
      const closes = Array.from({ length }, (_, i) => 100 + Math.sin(i));
      for (let i = every; i < length; i += every) closes[i] = closes[i - 1] as number;
      return closes;
    };
    expect(found(thin(301, 10))).toEqual([
      {
        ticker: 'X',
        kind: 'barely_traded',
        from: at(0),
        to: at(300),
        message: 'the price did not change on 10.0% of all days',
      },
    ]);
    expect(kinds(thin(251, 10))).toEqual(['barely_traded']);
    expect(kinds(thin(250, 10))).toEqual([]);
    // 24 of 300 are just as many as may be.
    expect(kinds(thin(301, 13).with(14, thin(301, 13)[13] as number))).toEqual([]);
    expect(kinds(thin(301, 12))).toEqual(['barely_traded']);
  });
});

describe('how much a price moves in a year', () => {
  it('is the deviation of its daily returns, in trading days', () => {
    // Returns of +10% and -10%: the mean is 0, and the sample deviation is 10% times the root of 2.
    expect(annualVolatility(Float64Array.of(100, 110, 99))).toBeCloseTo(Math.sqrt(0.02 * 252), 12);
    expect(annualVolatility(Float64Array.of(100, 110, 121, 133.1))).toBeCloseTo(0, 9);
    // Returns of 20%, 0 and 10%.
    expect(annualVolatility(Float64Array.of(100, 120, 120, 132))).toBeCloseTo(0.1 * Math.sqrt(252), 12);
    expect(annualVolatility(Float64Array.of(100, 200))).toBe(0);
  });
});

describe('coarse rounding', () => {
  it('is shown with its decimals and the worst share', () => {
    const cheap = Array.from({ length: 120 }, (_, i) => (i < 20 || i > 99 ? 60 : 2) + (i % 7) / 10);
    expect(found(cheap).filter(({ kind }) => kind === 'coarse_rounding')).toEqual([
      {
        ticker: 'X',
        kind: 'coarse_rounding',
        from: at(20),
        to: at(99),
        message: 'rounded to 1 decimals, which is up to 2.50% of the price',
      },
    ]);
  });

  it('is none of prices that are large, exact or few', () => {
    const tenths = (length: number, base: number) =>
      Array.from({ length }, (_, i) => base + (i % 7) / 10).map((close) => Number(close.toFixed(1)));
    expect(kinds(tenths(100, 10))).toEqual(['coarse_rounding']);
    expect(kinds(tenths(99, 10))).toEqual([]);
    // A twentieth is a thousandth of 50.
    expect(kinds(tenths(100, 50))).toEqual([]);
    expect(kinds(tenths(100, 49))).toEqual(['coarse_rounding']);
    const exact = Array.from({ length: 100 }, (_, i) => 1.00001 + (i % 7) / 100);
    expect(kinds(exact)).toEqual([]);
    const fourDecimals = Array.from({ length: 100 }, (_, i) => 0.0101 + (i % 7) / 10_000);
    expect(kinds(fourDecimals)).toContain('coarse_rounding');
  });
});

describe('the days of a series', () => {
  const closesOf = (days: Int32Array) => Array.from(days, (_, i) => 100 + Math.sin(i));
  const onDays = (days: Int32Array, more = {}) => found(closesOf(days), days, more);
  const year = sessions.slice(0, 300);
  const without = (...dropped: readonly number[]) => year.filter((_, i) => !dropped.includes(i));

  it('begin late more than 30 days after the listing, and stop early more than 10 before the end', () => {
    const [first, last] = [year[0] as number, year.at(-1) as number];
    expect(onDays(year, { listedOn: first - 30 })).toEqual([]);
    expect(onDays(year, { listedOn: first - 31 })).toEqual([
      {
        ticker: 'X',
        kind: 'starts_late',
        from: '2015-01-02',
        to: '2015-01-02',
        message: 'starts on 2015-01-02, though it was listed on 2014-12-02',
      },
    ]);
    expect(onDays(year, { lastDay: last + 10 })).toEqual([]);
    expect(onDays(year, { lastDay: last + 11 })).toEqual([
      {
        ticker: 'X',
        kind: 'stops_early',
        from: at(299),
        to: at(299),
        message: `stops on ${at(299)}, 11 days before the data set does`,
      },
    ]);
  });

  it('have a gap where more than ten days lie between two', () => {
    // Friday 9 January to Tuesday 20 January 2015: eleven days.
    const gap = year.filter((one) => one <= day('2015-01-09') || one >= day('2015-01-20'));
    expect(onDays(gap)).toEqual([
      {
        ticker: 'X',
        kind: 'gap',
        from: '2015-01-09',
        to: '2015-01-20',
        message: 'no price between 2015-01-09 and 2015-01-20, 11 days',
      },
    ]);
    // Monday 12 January to Thursday 22 January: ten days, six sessions of which are missing.
    const ten = year.filter((one) => one <= day('2015-01-12') || one >= day('2015-01-22'));
    expect(onDays(ten).map(({ kind }) => kind)).toEqual(['missing_sessions']);
  });

  it('that are missing are listed, the first eight of them', () => {
    expect(onDays(without(100))).toEqual([
      {
        ticker: 'X',
        kind: 'missing_sessions',
        from: at(100),
        to: at(100),
        message: `no price on ${at(100)}, though the exchange was open`,
      },
    ]);
    const several = [100, 110, 120, 130, 140, 150, 160, 170];
    const long = (...dropped: readonly number[]) => sessions.filter((_, i) => !dropped.includes(i));
    const listed = several.map(at).join(', ');
    expect(onDays(long(...several))[0]?.message).toBe(`no price on ${listed}, though the exchange was open`);
    expect(onDays(long(...several, 180, 190))[0]?.message).toBe(
      `no price on ${listed} and 2 more days, though the exchange was open`,
    );
  });

  it('on which the exchange was closed are listed', () => {
    const extra = Int32Array.from([...sessions.slice(0, 300), day('2015-07-04')].sort((a, b) => a - b));
    expect(onDays(extra)).toEqual([
      {
        ticker: 'X',
        kind: 'off_calendar_days',
        from: '2015-07-04',
        to: '2015-07-04',
        message: 'a price on 2015-07-04, though the exchange was closed',
      },
    ]);
  });

  it('that follow another calendar altogether are counted, where there are a hundred', () => {
    const weekly = (count: number) => sessions.filter((_, i) => i % 4 === 0).slice(0, count);
    expect(onDays(weekly(99))).toEqual([]);
    const [flag, ...more] = onDays(weekly(100));
    expect(more).toEqual([]);
    expect(flag).toMatchObject({ kind: 'missing_sessions', from: at(0), to: at(396) });
    expect(flag?.message).toBe(
      'its days do not follow the New York calendar: 297 sessions missing, 0 days on which the exchange was closed',
    );
    // Two of a hundred are still listed by themselves.
    const few = sessions.filter((_, i) => i !== 20 && i !== 40).slice(0, 100);
    expect(onDays(few)[0]?.message).toMatch(/^no price on /);
  });

  it('of before 1970 are not held against a calendar that nobody has', () => {
    const old = Int32Array.from({ length: 60 }, (_, i) => day('1969-10-01') + i);
    expect(onDays(old)).toEqual([]);
  });
});
