import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import { combine, correlations, exposures, type Member, REBALANCE_PERIODS } from './combine.ts';

const DAY = 86_400_000;
const day = (i: number) => new Date(Date.parse('2024-01-01') + i * DAY).toISOString().slice(0, 10);

function member(id: string, percent: number, from = 0, count = 400): Member {
  const random = new Random(id);
  let value = 50;
  const values = Array.from({ length: count }, () => {
    value *= 1 + 0.01 * random.normal();
    return value;
  });
  return { id, percent, curve: { days: values.map((_, i) => day(from + i)), values } };
}

/** The same with weights that drift, by returns instead of shares. */
function byReturns(members: readonly Member[], rebalance: (typeof REBALANCE_PERIODS)[number], from: number) {
  const last = Math.max(...members.map(({ curve }) => curve.days.length)) - 1;
  const period = (i: number) => {
    const date = new Date(Date.parse(day(i)));
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    if (rebalance === 'daily') return i;
    if (rebalance === 'never') return 0;
    return Math.floor(month / { monthly: 1, quarterly: 3, yearly: 12 }[rebalance]);
  };
  let weights = members.map(({ percent }) => percent / 100);
  let value = 1;
  const values = [1];
  const added = members.map(() => 0);
  for (let i = from + 1; i <= last; i += 1) {
    const returns = members.map(({ curve }) => (curve.values[i] ?? 0) / (curve.values[i - 1] ?? 0) - 1);
    const growth = 1 + weights.reduce((sum, weight, k) => sum + weight * (returns[k] ?? 0), 0);
    for (const [k, weight] of weights.entries())
      added[k] = (added[k] ?? 0) + value * weight * (returns[k] ?? 0);
    weights = weights.map((weight, k) => (weight * (1 + (returns[k] ?? 0))) / growth);
    value *= growth;
    values.push(value);
    if (i < last && period(i) !== period(i + 1)) weights = members.map(({ percent }) => percent / 100);
  }
  return { values, added };
}

describe('strategies together', () => {
  it.each(REBALANCE_PERIODS)('are what their returns by drifting weights come to, traded %s', (rebalance) => {
    const members = [member('a', 50), member('b', 30), member('c', 12.5)];
    const { days, values, contributions } = combine(members, { rebalance, start: 'all' });
    const expected = byReturns(members, rebalance, 0);
    expect(days).toHaveLength(400);
    for (const [i, value] of values.entries()) expect(value).toBeCloseTo(expected.values[i] ?? 0, 12);
    for (const [k, { id }] of members.entries())
      expect(contributions.get(id)).toBeCloseTo(expected.added[k] ?? 0, 12);
    const sum = [...contributions.values()].reduce((all, one) => all + one, 0);
    expect(sum).toBeCloseTo((values.at(-1) ?? 0) - 1, 12);
  });

  it('begin with the first of them, the shares of the others in cash until they begin', () => {
    const [a, b] = [member('a', 60, 0, 100), member('b', 40, 50, 50)];
    const { days, values } = combine([a, b], { rebalance: 'never', start: 'first' });
    expect(days).toHaveLength(100);
    const worth = (curve: Member['curve'], from: number, to: number) =>
      (curve.values[to] ?? 0) / (curve.values[from] ?? 1);
    const half = 0.4 + 0.6 * worth(a.curve, 0, 50);
    expect(values[50]).toBeCloseTo(half, 12);
    // Both have their weights on the day on which the second one begins.
    expect(values[99]).toBeCloseTo(half * (0.6 * worth(a.curve, 50, 99) + 0.4 * worth(b.curve, 0, 49)), 12);
  });

  it('begin with the last of them where all are wanted, and keep the last value of one that has ended', () => {
    const [a, b] = [member('a', 50, 0, 60), member('b', 50, 20, 100)];
    const { days, values } = combine([a, b], { rebalance: 'never', start: 'all' });
    expect([days[0], days.at(-1)]).toEqual([day(20), day(119)]);
    const own = (a.curve.values[59] ?? 0) / (a.curve.values[20] ?? 1);
    expect(values.at(-1)).toBeCloseTo(
      0.5 * own + 0.5 * ((b.curve.values[99] ?? 0) / (b.curve.values[0] ?? 1)),
      12,
    );
  });

  it('are nothing where nothing has a weight or a day', () => {
    const empty = { ...member('a', 50), curve: { days: [], values: [] } };
    for (const members of [[], [member('a', 0)], [empty]])
      expect(combine(members, { rebalance: 'daily', start: 'all' }).days).toEqual([]);
  });
});

describe('correlations', () => {
  it('are those of the textbook over the days in common', () => {
    const [a, b] = [member('a', 50, 0, 300), member('b', 50, 100, 250)];
    const returns = ({ curve }: Member) =>
      new Map(
        curve.days.slice(1).map((one, i) => [one, (curve.values[i + 1] ?? 0) / (curve.values[i] ?? 1) - 1]),
      );
    const [ra, rb] = [returns(a), returns(b)];
    const common = [...ra.keys()].filter((one) => rb.has(one));
    const mean = (of: Map<string, number>) =>
      common.reduce((sum, one) => sum + (of.get(one) ?? 0), 0) / common.length;
    const [ma, mb] = [mean(ra), mean(rb)];
    const cross = (x: Map<string, number>, mx: number, y: Map<string, number>, my: number) =>
      common.reduce((sum, one) => sum + ((x.get(one) ?? 0) - mx) * ((y.get(one) ?? 0) - my), 0);
    const expected = cross(ra, ma, rb, mb) / Math.sqrt(cross(ra, ma, ra, ma) * cross(rb, mb, rb, mb));
    expect(common).toHaveLength(199);
    const found = correlations([a, b]);
    expect(found[0]?.[1]).toBeCloseTo(expected, 12);
    expect(found[1]?.[0]).toBe(found[0]?.[1]);
    expect(found[0]?.[0]).toBe(1);
  });

  it('leave out what was earned over days that the curve itself lacks', () => {
    const [a, b] = [member('a', 50, 0, 100), member('b', 50, 0, 100)];
    const without = (one: Member, missing: number): Member => {
      const has = (_: unknown, i: number) => i !== missing;
      const { days, values } = one.curve;
      return { ...one, curve: { days: days.filter(has), values: values.filter(has) } };
    };
    // Of day 40 and of the day after it nothing is known: as if both curves began anew there.
    const column = (one: Member) =>
      one.curve.values.flatMap((value, i) =>
        i === 0 || i === 40 || i === 41 ? [] : [value / (one.curve.values[i - 1] as number) - 1],
      );
    const curveOf = (returns: readonly number[]) => {
      const values = [1];
      for (const one of returns) values.push((values.at(-1) as number) * (1 + one));
      return { curve: { days: values.map((_, i) => day(i)), values } };
    };
    const expected = correlations([curveOf(column(a)), curveOf(column(b))])[0]?.[1] as number;
    expect(correlations([without(a, 40), b])[0]?.[1]).toBeCloseTo(expected, 12);
  });

  it('are unknown with too few days in common, or of what does not move', () => {
    const flat = {
      id: 'f',
      percent: 1,
      curve: { days: Array.from({ length: 50 }, (_, i) => day(i)), values: new Array(50).fill(1) },
    };
    expect(correlations([member('a', 1, 0, 30), member('b', 1, 15, 30)])[0]?.[1]).toBeNull();
    expect(correlations([member('a', 1, 0, 50), flat])[0]?.[1]).toBeNull();
    // Of 21 days in common there are 20 returns.
    expect(correlations([member('a', 1, 0, 30), member('b', 1, 9, 30)])[0]?.[1]).not.toBeNull();
    expect(correlations([member('a', 1, 0, 30), member('b', 1, 10, 30)])[0]?.[1]).toBeNull();
  });
});

it('the exposure adds up over strategies, and the rest is cash', () => {
  const members = [
    { id: 'a', percent: 40, holdings: { SPY: 50, TLT: 25 } },
    { id: 'b', percent: 50, holdings: { SPY: 100 } },
    { id: 'c', percent: 0, holdings: { GLD: 100 } },
  ];
  expect(exposures(members)).toEqual({
    rows: [
      { ticker: 'SPY', percent: 70, heldBy: ['a', 'b'] },
      { ticker: 'TLT', percent: 10, heldBy: ['a'] },
    ],
    cash: 20,
  });
});

it('exposures of one size stand in the order of the alphabet', () => {
  const { rows } = exposures([{ id: 'a', percent: 100, holdings: { TLT: 25, SPY: 50, GLD: 25 } }]);
  expect(rows.map(({ ticker }) => ticker)).toEqual(['SPY', 'GLD', 'TLT']);
});
