import { describe, expect, test } from 'vitest';
import { Bench, compared, follow, range, SEGMENT_DOUBLES } from '../../../testing/kernel-memory.ts';
import { isEqual, isGreater, ranksAbove } from '../model/comparison.ts';
import { SIMULATION_SCRATCH } from './kernels.ts';
import { LANES } from './shared.ts';

const DAYS = 160;
const SEEDS = [1, 2, 3, 4, 5];

/** Values with ties, near ties, zeros and gaps. */
function awkward(bench: Bench): number {
  return bench.numbers(() => {
    const kind = Math.floor(bench.random() * 5);
    const base = Math.floor(bench.random() * 4) - 1;
    return [base, base * (1 + 5e-13), base + 1e-13, Number.NaN, bench.random()][kind] as number;
  });
}

describe.each(SEEDS)('masks and codes (seed %i)', (seed) => {
  const bench = new Bench(seed, DAYS);
  const { kernels, random } = bench;
  const [a, b] = [awkward(bench), awkward(bench)];
  const [x, y] = [bench.readNumbers(a), bench.readNumbers(b)];
  const out = bench.bytes(() => 7);
  const asMask = (holds: (t: number) => boolean) => range(0, DAYS).map((t) => (holds(t) ? 255 : 0));

  test('comparisons follow the rule for ties', () => {
    kernels.greater(a, b, out, DAYS);
    expect(bench.readBytes(out)).toEqual(asMask((t) => isGreater(x[t] as number, y[t] as number)));
    kernels.ranksAbove(a, b, out, DAYS);
    expect(bench.readBytes(out)).toEqual(asMask((t) => ranksAbove(x[t] as number, y[t] as number)));
    kernels.equal(a, b, out, DAYS);
    expect(bench.readBytes(out)).toEqual(asMask((t) => isEqual(x[t] as number, y[t] as number)));
    for (const number of [-1, 0, 0.5, 2]) {
      kernels.greaterThanNumber(a, number, 1, out, DAYS);
      expect(bench.readBytes(out)).toEqual(asMask((t) => isGreater(x[t] as number, number)));
      kernels.greaterThanNumber(a, number, -1, out, DAYS);
      expect(bench.readBytes(out)).toEqual(asMask((t) => isGreater(number, x[t] as number)));
      kernels.equalToNumber(a, number, out, DAYS);
      expect(bench.readBytes(out)).toEqual(asMask((t) => isEqual(x[t] as number, number)));
    }
  });

  const mask = bench.bytes(() => (random() < 0.4 ? 255 : 0));
  const other = bench.bytes(() => (random() < 0.4 ? 255 : 0));
  const codes = bench.bytes(() => Math.floor(random() * 4));
  const codesToo = bench.bytes(() => Math.floor(random() * 4));
  const [m, n] = [bench.readBytes(mask), bench.readBytes(other)];
  const [c, d] = [bench.readBytes(codes), bench.readBytes(codesToo)];
  const at = (list: readonly number[], t: number) => list[t] as number;

  test('days on which a mask holds, and on which it turns', () => {
    for (const [from, to] of [
      [0, DAYS],
      [1, DAYS],
      [3, 18],
      [5, 22],
      [7, 7],
      [9, 10],
    ] as const) {
      const days = range(from, to);
      expect(kernels.countDays(mask, from, to)).toBe(days.filter((t) => at(m, t) === 255).length);
      if (from === 0) continue;
      expect(kernels.countTurns(mask, from, to)).toBe(days.filter((t) => at(m, t) !== at(m, t - 1)).length);
    }
  });

  test('joining and selecting', () => {
    bench.u8.copyWithin(out, mask, mask + DAYS);
    kernels.andInto(other, out, DAYS);
    expect(bench.readBytes(out)).toEqual(asMask((t) => at(m, t) === 255 && at(n, t) === 255));
    kernels.orInto(mask, out, DAYS);
    expect(bench.readBytes(out)).toEqual(m);
    kernels.select8(mask, codes, codesToo, out, DAYS);
    expect(bench.readBytes(out)).toEqual(c.map((code, t) => (at(m, t) === 255 ? code : at(d, t))));
    const numbers = bench.numbers(() => 0);
    kernels.select64(mask, a, b, numbers, DAYS);
    expect(bench.readNumbers(numbers)).toEqual(x.map((value, t) => (at(m, t) === 255 ? value : at(y, t))));
  });

  test('a rank that no child has is found on whatever day it is', () => {
    const ranks = [
      [2, 0, 3, 1],
      [0, 1, 2, 2],
    ].map((order) => order.map((rank) => bench.bytes(() => rank)));
    const [all, double] = ranks.map((columns) => bench.words(columns));
    const has = (take: number, from: number, to: number) =>
      kernels.hasRanks(all as number, 4, take, from, to);
    expect(has(4, 3, DAYS - 2)).toBe(1);
    expect(has(4, 3, 19)).toBe(1);
    expect(kernels.hasRanks(double as number, 4, 3, 3, DAYS)).toBe(1);
    expect(kernels.hasRanks(double as number, 4, 4, 3, DAYS)).toBe(0);
    const first = ranks[0]?.[1] as number;
    for (const day of [3, 18, 19, 34, DAYS - 3]) {
      bench.u8[first + day] = 1;
      expect(has(1, 3, DAYS - 2)).toBe(0);
      bench.u8[first + day] = 0;
    }
    bench.u8[first + 2] = 1;
    bench.u8[first + DAYS - 2] = 1;
    expect(has(4, 3, DAYS - 2)).toBe(1);
  });

  test('changes lead to the row of the return table that pays for them', () => {
    const TICKERS = 9;
    kernels.changes8(mask, codes, codesToo, out, 1, DAYS, TICKERS);
    const held = c.map((code, t) => (at(m, t) === 255 ? code : at(d, t)));
    const expected = range(1, DAYS).map((t) => {
      const [before, now] = [at(held, t - 1), at(held, t)];
      return before + (before === now ? 0 : now === 0 ? 2 * TICKERS : TICKERS);
    });
    expect(bench.readBytes(out).slice(1)).toEqual(expected);
    const joined = bench.bytes((t) => at(held, t));
    kernels.changesOf8(joined, out, 1, DAYS, TICKERS);
    expect(bench.readBytes(out).slice(1)).toEqual(expected);
  });

  test.each([1, 2])('the first of the children gives its code, of %i bytes', (width) => {
    const winners = range(0, DAYS).map(() => Math.floor(random() * 4) - 1);
    const codesOf = (child: number) =>
      range(0, DAYS).map((t) => (width === 1 ? 0 : 300 * (child + 1)) + ((t * 7 + child) % 200));
    const children = range(0, 3).map((child) => {
      const ranks = bench.bytes((t) => (winners[t] === child ? 0 : 1 + Math.floor(random() * 200)));
      const codes = bench.area(DAYS * width);
      const cells = width === 1 ? bench.u8 : new Uint16Array(bench.u8.buffer);
      cells.set(codesOf(child), codes / width);
      return [ranks, codes];
    });
    const at = bench.area(DAYS * width);
    const first = width === 1 ? kernels.first8 : kernels.first16;
    first(bench.words(children.flat()), 3, at, 16, DAYS - 16);
    const cells = width === 1 ? bench.u8 : new Uint16Array(bench.u8.buffer);
    // Where none has the rank there is cash.
    expect([...cells.slice(at / width + 16, at / width + DAYS)]).toEqual(
      range(16, DAYS)
        .map((t) => codesOf(winners[t] as number)[t] as number)
        .map((code, i) => ((winners[i + 16] as number) < 0 ? 0 : code)),
    );
  });

  test('the chosen stand in the order of the children', () => {
    const ranks = range(0, 4).map(() => bench.bytes(() => 0));
    for (let t = 0; t < DAYS; t++) {
      const order = range(0, 4).sort(() => random() - 0.5);
      ranks.forEach((column, i) => {
        bench.u8[column + t] = order[i] as number;
      });
    }
    const chosen = bench.bytes(() => 0);
    const seen = range(0, DAYS).map(() => [] as number[]);
    ranks.forEach((column, i) => {
      for (const k of [0, 1]) {
        kernels.chosenAs(column, 2, chosen, k, out, DAYS);
        bench.readBytes(out).forEach((byte, t) => {
          if (byte === 255) seen[t]?.splice(k, 0, i);
        });
      }
      kernels.countChosen(column, 2, chosen, DAYS);
    });
    for (let t = 0; t < DAYS; t++) {
      const best = range(0, 4).filter((i) => (bench.u8[(ranks[i] as number) + t] as number) < 2);
      expect(seen[t]).toEqual(best);
    }
  });
});

describe.each(SEEDS)('several holdings (seed %i)', (seed) => {
  const bench = new Bench(seed, DAYS);
  const { kernels, random } = bench;
  const SLIPPAGE = 0.0035;
  const ROWS = 5;
  const STRIDE = DAYS * 8;
  const table = bench.area(ROWS * STRIDE);
  for (let i = DAYS; i < ROWS * DAYS; i++) bench.f64[table / 8 + i] = (random() - 0.48) / 10;
  const rowAt = (code: number, t: number) => bench.f64[table / 8 + code * DAYS + t] as number;

  /** `engine.md` section 4, by day: weights by ticker before and after. */
  function traded(
    before: ReadonlyMap<number, number>,
    after: ReadonlyMap<number, number>,
    t: number,
  ): number {
    let g = 0;
    for (const [code, weight] of before) g += weight * rowAt(code, t);
    let turnover = 0;
    for (const code of new Set([...before.keys(), ...after.keys()])) {
      if (code === 0) continue;
      const drifted = ((before.get(code) ?? 0) * (1 + rowAt(code, t))) / (1 + g);
      turnover += Math.abs((after.get(code) ?? 0) - drifted);
    }
    return (1 + g) * (1 - SLIPPAGE * turnover) - 1;
  }

  test('slots of changing tickers are netted per ticker', () => {
    const codes = range(0, 3).map(() => bench.bytes(() => Math.floor(random() * ROWS)));
    const shares = bench.numbers(() => random() / 3);
    const slots = bench.area(48);
    const part = [0.25, 0, 0.4];
    codes.forEach((column, s) => {
      bench.i32[slots / 4 + s * 4] = column;
      bench.i32[slots / 4 + s * 4 + 1] = s === 1 ? shares : 0;
      bench.f64[slots / 8 + s * 2 + 1] = part[s] as number;
    });
    const weightsOn = (t: number) => {
      const weights = new Map<number, number>();
      codes.forEach((column, s) => {
        const code = bench.u8[column + t] as number;
        const share = s === 1 ? (bench.f64[shares / 8 + t] as number) : (part[s] as number);
        weights.set(code, (weights.get(code) ?? 0) + share);
      });
      return weights;
    };
    const [out, net] = [bench.numbers(() => 0), bench.area(ROWS * 8)];
    const marks = bench.bytes((t) => (t % 3 === 0 ? 0 : 255));
    kernels.trade8(
      slots,
      3,
      table,
      STRIDE,
      SLIPPAGE,
      net,
      marks,
      1,
      DAYS,
      out,
      bench.numbers(() => 0),
    );
    for (let t = 1; t < DAYS; t++) {
      const expected = t % 3 === 0 ? 0 : traded(weightsOn(t - 1), weightsOn(t), t);
      expect(bench.f64[out / 8 + t]).toBeCloseTo(expected, 13);
    }
  });

  const deviations = range(0, 4).map(() => bench.numbers((t) => (t > 3 ? 0.5 + random() : Number.NaN)));
  const inverse = deviations.map((column) => {
    const u = bench.numbers(() => 0);
    expect(kernels.invert(column, u, 4, DAYS)).toBe(0);
    return u;
  });

  /** Weights of inverse volatility of some of the tickers, each as often as it is named. */
  function inverseWeights(tickers: readonly number[]): (t: number) => Map<number, number> {
    return (t) => {
      const all = tickers.map((i) => 1 / (bench.f64[(deviations[i] as number) / 8 + t] as number));
      const sum = all.reduce((total, u) => total + u, 0);
      const weights = new Map<number, number>();
      tickers.forEach((i, k) => {
        weights.set(i + 1, (weights.get(i + 1) ?? 0) + (all[k] as number) / sum);
      });
      return weights;
    };
  }

  test('held tickers, two days at a time', () => {
    const three = inverse.slice(0, 3);
    const shares = three.map(() => bench.numbers(() => 0));
    kernels.inverseShares(bench.words(three), bench.words(shares), 3, 4, DAYS);
    const weightsOn = inverseWeights([0, 1, 2]);
    const parts = bench.area(72);
    shares.forEach((column, i) => {
      const row = table + (i + 1) * STRIDE;
      bench.i32[parts / 4 + i * 6] = row;
      bench.i32[parts / 4 + i * 6 + 1] = column;
      bench.i32[parts / 4 + i * 6 + 4] = row;
    });
    const out = bench.numbers(() => 0);
    kernels.heldWeighted(
      parts,
      3,
      SLIPPAGE,
      5,
      DAYS,
      out,
      bench.numbers(() => 0),
    );
    for (let t = 5; t < DAYS; t++) {
      expect(bench.f64[out / 8 + t]).toBeCloseTo(traded(weightsOn(t - 1), weightsOn(t), t), 13);
    }
  });

  test('inverse volatility is weighed and simulated at once, from the first day of each lane on', () => {
    const kinds = [[0, 1, 2], [0, 1], [1, 1, 2], [3], [3, 2, 1, 0], [2, 2, 2], [1, 2, 3]];
    const lists = range(0, 18).map((lane) => kinds[lane % kinds.length] as number[]);
    const firsts = lists.map((_, lane) => [5, 6, 5, 20, DAYS - 3][lane % 5] as number);
    const a = inverse.map((u, i) => {
      const column = bench.numbers(() => Number.NaN);
      kernels.grown(u, table + (i + 1) * STRIDE, column, 5, DAYS);
      return column;
    });
    const lanes = lists.map((list, lane) => {
      const pairs = list.flatMap((i) => [inverse[i] as number, a[i] as number]);
      return bench.words([firsts[lane] as number, list.length, ...pairs]);
    });
    const cuts = [5, 8, 9, 30, DAYS];
    const segments = cuts.length - 1;
    const out = bench.area(3 * segments * SEGMENT_DOUBLES * 8);
    const scratch = bench.area(SIMULATION_SCRATCH);
    const benchmark = bench.numbers((t) => Math.sin(t) / 50);
    kernels.simulateInverse(
      bench.words(lanes),
      lanes.length,
      SLIPPAGE,
      bench.words(cuts),
      segments,
      out,
      scratch,
      bench.area(lists.length * 16),
      benchmark,
    );
    lists.forEach((list, lane) => {
      const weightsOn = inverseWeights(list);
      const returnOn = (t: number) =>
        t < (firsts[lane] as number) ? 0 : traded(weightsOn(t - 1), weightsOn(t), t);
      for (let i = 0; i < segments; i++) {
        const segment = follow(range(cuts[i] as number, cuts[i + 1] as number).map(returnOn));
        const sofar = follow(range(cuts[0] as number, cuts[i + 1] as number).map(returnOn));
        const eight = Math.floor(lane / LANES);
        const at = out / 8 + (eight * segments + i) * SEGMENT_DOUBLES + (lane % LANES);
        const field = (f: number) => bench.f64[at + f * LANES];
        segment.sums.forEach((sum, f) => {
          expect(field(f)).toBeCloseTo(sum, 13);
        });
        expect(field(4)).toBeCloseTo(segment.value, 13);
        expect(field(6)).toBeCloseTo(sofar.lowest, 13);
        const days = range(cuts[i] as number, cuts[i + 1] as number);
        const [products, below] = compared(days, returnOn, bench.readNumbers(benchmark));
        expect(field(7)).toBeCloseTo(products, 13);
        expect(field(8)).toBeCloseTo(below, 13);
      }
    });
  });

  test('inverse volatility has the same bits whoever runs beside it, and counts the days with a trade', () => {
    // A fifth ticker has the weights and returns of the first, so that nothing is traded between the two.
    const u = [...inverse, inverse[0] as number];
    const a = u.map((column, i) => {
      const grown = bench.numbers(() => Number.NaN);
      const isFlat = i === 0 || i === 4;
      const returns = isFlat ? bench.numbers((t) => (t % 3 === 0 ? 0.01 : 0)) : table + (i + 1) * STRIDE;
      kernels.grown(column, returns, grown, 5, DAYS);
      return grown;
    });
    const lists = [
      [0, 1, 2],
      [0, 1, 3],
      [0, 1, 2],
      [1, 2, 3],
      [1, 2, 0],
      [0, 1, 1],
      [0, 4],
      [0, 4, 1],
      [0, 4, 2],
      [1, 2, 3],
    ];
    const cuts = [5, 40, 71, DAYS];
    const segments = cuts.length - 1;
    const scratch = bench.area(SIMULATION_SCRATCH);
    const benchmark = bench.numbers((t) => Math.sin(t) / 50);
    const run = (some: readonly (readonly number[])[]) => {
      const lanes = some.map((list) =>
        bench.words([5, list.length, ...list.flatMap((i) => [u[i] as number, a[i] as number])]),
      );
      const out = bench.area(2 * segments * SEGMENT_DOUBLES * 8);
      const moved = bench.area(some.length * 16);
      bench.f64.fill(0, moved / 8, moved / 8 + 2 * some.length);
      kernels.simulateInverse(
        bench.words(lanes),
        some.length,
        SLIPPAGE,
        bench.words(cuts),
        segments,
        out,
        scratch,
        moved,
        benchmark,
      );
      return some.map((_, lane) => {
        const eight = Math.floor(lane / LANES) * segments * SEGMENT_DOUBLES;
        const fields = range(0, segments * (SEGMENT_DOUBLES / LANES));
        return [
          ...fields.map((field) => bench.f64[out / 8 + eight + field * LANES + (lane % LANES)]),
          ...bench.f64.slice(moved / 8 + 2 * lane, moved / 8 + 2 * lane + 2),
        ];
      });
    };
    const together = run(lists);
    expect(together).toEqual(lists.flatMap((list) => run([list])));
    // All begin with the same two tickers, block by block.
    expect(run(lists.slice(0, 3))).toEqual(together.slice(0, 3));
    const trades = together.map((fields) => fields.at(-1));
    expect(trades).toEqual(lists.map((list) => (list.length === 2 ? 0 : DAYS - 5)));
  });

  test('the days on which a deviation is 0 are counted', () => {
    const column = bench.numbers((t) => (t % 5 === 0 ? 0 : t));
    const u = bench.numbers(() => -1);
    expect(kernels.invert(column, u, 4, 26)).toBe(5);
    expect(bench.readNumbers(u).slice(3, 27)).toEqual([
      -1,
      ...range(4, 26).map((t) => (t % 5 === 0 ? Infinity : 1 / t)),
      -1,
    ]);
  });

  test('children without deviation share all of the weight', () => {
    const u = [
      [2, 4],
      [Infinity, 4],
      [Infinity, 8],
    ].map(([x, y]) => bench.numbers((t) => (t === 0 ? x : y) as number));
    const shares = u.map(() => bench.numbers(() => 0));
    kernels.inverseShares(bench.words(u), bench.words(shares), 3, 0, 2);
    expect(shares.map((at) => bench.readNumbers(at).slice(0, 2))).toEqual([
      [0, 0.25],
      [0.5, 0.25],
      [0.5, 0.5],
    ]);
  });
});
