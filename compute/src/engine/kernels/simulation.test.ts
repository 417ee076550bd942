import { describe, expect, test } from 'vitest';
import {
  Bench,
  compared,
  follow,
  range,
  SEGMENT_DOUBLES,
  STEP_DOUBLES,
} from '../../../testing/kernel-memory.ts';
import { SIMULATION_SCRATCH } from './kernels.ts';
import { LANES, RUN_BYTES, RUN_OTHERS, SUMMED_SEGMENTS } from './shared.ts';

const DAYS = 160;
const SEEDS = [1, 2, 3, 4, 5];

describe.each(SEEDS)('simulation (seed %i)', (seed) => {
  const bench = new Bench(seed, DAYS);
  const { kernels, random } = bench;
  const ROWS = 12;
  const STRIDE = DAYS * 8;
  const table = bench.area(ROWS * STRIDE);
  for (let i = 0; i < ROWS * DAYS; i++) bench.f64[table / 8 + i] = (random() - 0.48) / 10;
  const rowsAt = bench.words(range(0, ROWS).map((row) => table + row * STRIDE));
  const columns = range(0, LANES).map(() => bench.bytes(() => Math.floor(random() * ROWS)));
  const returnOf = (lane: number, t: number) => {
    const code = bench.u8[(columns[lane] as number) + t] as number;
    return bench.f64[table / 8 + code * DAYS + t] as number;
  };
  const cuts = [3, 40, 41, 97, 150];
  const lanes = bench.words(columns);
  const scratch = bench.area(SIMULATION_SCRATCH);
  const benchmark = bench.numbers(() => (random() - 0.45) / 20);

  test('sums, growth and drawdown of eight lanes, segment by segment', () => {
    const out = bench.area(cuts.length * SEGMENT_DOUBLES * 8);
    kernels.simulateSelected8(lanes, rowsAt, bench.words(cuts), cuts.length - 1, out, scratch, 0, benchmark);
    const direct = columns.map((_, lane) => bench.numbers((t) => returnOf(lane, t)));
    const again = bench.area(cuts.length * SEGMENT_DOUBLES * 8);
    kernels.simulateColumns(bench.words(direct), bench.words(cuts), cuts.length - 1, again, 0, benchmark);
    const halfAgain = bench.area(cuts.length * SEGMENT_DOUBLES * 8);
    kernels.simulateColumns(bench.words(direct), bench.words(cuts), cuts.length - 1, halfAgain, 1, benchmark);
    const half = bench.area(cuts.length * SEGMENT_DOUBLES * 8);
    kernels.simulateSelected8(lanes, rowsAt, bench.words(cuts), cuts.length - 1, half, scratch, 1, benchmark);
    for (let lane = 0; lane < LANES; lane++) {
      for (let i = 0; i + 1 < cuts.length; i++) {
        const field = (f: number) => bench.f64[out / 8 + i * SEGMENT_DOUBLES + f * LANES + lane] as number;
        const days = range(cuts[i] as number, cuts[i + 1] as number);
        const segment = follow(days.map((t) => returnOf(lane, t)));
        const [products, below] = compared(days, (t) => returnOf(lane, t), bench.readNumbers(benchmark));
        expect(field(7)).toBeCloseTo(products, 13);
        expect(field(8)).toBeCloseTo(below, 13);
        segment.sums.forEach((sum, f) => {
          expect(field(f)).toBeCloseTo(sum, 13);
        });
        expect(field(4)).toBeCloseTo(segment.value, 13);
        const sofar = follow(range(cuts[0] as number, cuts[i + 1] as number).map((t) => returnOf(lane, t)));
        expect(field(6)).toBeCloseTo(sofar.lowest, 13);
        for (let f = 0; f < 9; f++) {
          const at = i * SEGMENT_DOUBLES + f * LANES + lane;
          // Of columns the sums are taken in another order.
          if (f < 4 || f > 6) expect(bench.f64[again / 8 + at]).toBeCloseTo(field(f), 14);
          else expect(bench.f64[again / 8 + at]).toBe(field(f));
          if (lane >= 4) continue;
          expect(bench.f64[half / 8 + at]).toBe(field(f));
          expect(bench.f64[halfAgain / 8 + at]).toBe(bench.f64[again / 8 + at]);
        }
      }
    }
  });

  test('the first four variants of a branch are summed up as they are beside four others', () => {
    const mask = bench.bytes(() => (random() < 0.3 ? 255 : 0));
    const [pieces, others, owners, total] = [
      bench.area(4000),
      bench.area(4000),
      bench.area(400),
      bench.area(16),
    ];
    const segments = cuts.length - 1;
    const count = kernels.findPieces(mask, bench.words(cuts), segments, pieces, others, owners, total);
    const summed = [0, 1].map((half) => {
      const [tile, sums] = [bench.area(count * 192), bench.area(segments * STEP_DOUBLES * 8)];
      bench.f64.fill(Number.NaN, tile / 8, tile / 8 + count * 24);
      kernels.summarize8(lanes, rowsAt, pieces, count, segments, tile, sums, scratch, benchmark, half);
      return [
        bench.f64.slice(tile / 8, tile / 8 + count * 24),
        bench.f64.slice(sums / 8, sums / 8 + segments * STEP_DOUBLES),
      ].map((fields) => [...fields]);
    });
    const [whole, half] = summed.map((fields) =>
      fields.map((field) => field.filter((_, i) => i % LANES < 4)),
    );
    expect(half).toEqual(whole);
    expect(summed[1]?.flat().some(Number.isNaN)).toBe(false);
  });

  test.each([false, true])(
    'variants that are one ticker throughout are summed up as columns of their rows are (left for cash: %s)',
    (isCash) => {
      // Tickers 1 to 3 have their rows, those of a switch and those of a sale, behind each other.
      const CODES = 4;
      const mask = bench.bytes(() => (random() < 0.3 ? 255 : 0));
      const [a, b] = [bench.area(4000), bench.area(4000)];
      const [owners, total] = [bench.area(400), bench.area(16)];
      const [segments, cutsAt] = [cuts.length - 1, bench.words(cuts)];
      const count = kernels.findPieces(mask, cutsAt, segments, a, b, owners, total);
      const all = bench.i32[total / 4] as number;
      const tickers = range(0, LANES).map((lane) => 1 + (lane % (CODES - 1)));
      const away = bench.bytes(() => (isCash ? 0 : 9));
      for (const isThen of [true, false]) {
        const columns = tickers.map((ticker) => {
          const [own, rows] = [bench.bytes(() => ticker), bench.bytes(() => 0)];
          const [then, otherwise] = isThen ? [own, away] : [away, own];
          kernels.changes8(mask, then, otherwise, rows, cuts[0] as number, cuts.at(-1) as number, CODES);
          return rows;
        });
        const rowOf = (row: number) => table + row * STRIDE;
        const left = isCash ? 2 * CODES : CODES;
        const rows = bench.words([...tickers.map(rowOf), ...tickers.map((ticker) => rowOf(ticker + left))]);
        const [pieces, n] = isThen ? [a, count] : [b, all - count];
        const areas = () => [bench.area(n * 192), bench.area(segments * STEP_DOUBLES * 8)] as const;
        const numbers = (at: number, doubles: number) => [...bench.f64.slice(at / 8, at / 8 + doubles)];
        for (const half of [0, 1]) {
          const [[tile, sums], [heldTile, heldSums]] = [areas(), areas()];
          const lanes = bench.words(columns);
          kernels.summarize8(lanes, rowsAt, pieces, n, segments, tile, sums, scratch, benchmark, half);
          kernels.summarizeHeld(
            rows,
            mask,
            pieces,
            n,
            segments,
            heldTile,
            heldSums,
            scratch,
            benchmark,
            half,
          );
          expect(numbers(heldTile, n * 24)).toEqual(numbers(tile, n * 24));
          expect(numbers(heldSums, segments * STEP_DOUBLES)).toEqual(numbers(sums, segments * STEP_DOUBLES));
        }
        const counts = [bench.area((segments + 1) * 64), bench.area((segments + 1) * 64)] as const;
        columns.forEach((column, lane) => {
          kernels.countBranch8(
            mask,
            isThen ? 1 : 0,
            column,
            CODES,
            isCash ? 1 : 0,
            cutsAt,
            segments,
            counts[0] + lane * 8,
          );
        });
        kernels.countHeld(mask, pieces, n, segments, 1 + (isCash ? 1 : 2) * 2 ** 24, counts[1]);
        const [counted, held] = counts.map((at) => numbers(at, (segments + 1) * LANES));
        expect(held).toEqual(counted);
        expect(held?.at(-1)).toBeGreaterThan(0);
      }
    },
  );

  test('branches summed up apart make the drawdown and growth of the whole', () => {
    const mask = bench.bytes(() => (random() < 0.3 ? 255 : 0));
    const [a, b] = [bench.area(4000), bench.area(4000)];
    const [owners, total] = [bench.area(400), bench.area(16)];
    const segments = cuts.length - 1;
    const count = kernels.findPieces(mask, bench.words(cuts), segments, a, b, owners, total);
    const all = bench.i32[total / 4] as number;
    const [tileA, tileB] = [bench.area(count * 192), bench.area((all - count) * 192)];
    const [sumsA, sumsB] = [bench.area(segments * STEP_DOUBLES * 8), bench.area(segments * STEP_DOUBLES * 8)];
    kernels.summarize8(lanes, rowsAt, a, count, segments, tileA, sumsA, scratch, benchmark, 0);
    kernels.summarize8(lanes, rowsAt, b, all - count, segments, tileB, sumsB, scratch, benchmark, 0);
    const lane = bench.area(count * 24);
    const state = bench.area(128);
    // A section ends behind each step but the second, which goes on to the end of the third.
    const ends = bench.words([1, 3, 3, 4]);
    const [sectionsA, sectionsB] = [
      bench.area(segments * STEP_DOUBLES * 8),
      bench.area(segments * STEP_DOUBLES * 8),
    ];
    kernels.sumSections(sumsA, ends, segments, sectionsA);
    kernels.sumSections(sumsB, ends, segments, sectionsB);
    const [added, begins] = [bench.area(LANES * RUN_BYTES), bench.words([0, 1, 3, 4])];
    for (let outer = 0; outer < LANES; outer++) {
      kernels.extractLane(tileA, outer, count, lane);
      bench.f64.fill(1, state / 8, state / 8 + 16);
      kernels.compose(owners, all, lane, tileB, state);
      const [a, sections] = [sumsA + outer * 8, sectionsA + outer * 8];
      kernels.addBranches(a, sections, sumsB, sectionsB, begins, ends, 3, 1, LANES / 2, added);
      for (let inner = 0; inner < LANES; inner++) {
        const days = range(cuts[0] as number, cuts.at(-1) as number);
        const expected = follow(days.map((t) => returnOf(bench.u8[mask + t - 1] ? outer : inner, t)));
        const [products, below] = compared(
          days,
          (t) => returnOf(bench.u8[mask + t - 1] ? outer : inner, t),
          bench.readNumbers(benchmark),
        );
        let [growth, fourths, ownProducts, ownBelow] = [1, 0, 0, 0];
        let lowest = bench.f64[state / 8 + LANES + inner] as number;
        for (let s = 0; s < segments; s++) {
          const [x, y] = [sumsA / 8 + s * STEP_DOUBLES + outer, sumsB / 8 + s * STEP_DOUBLES + inner];
          growth *= (bench.f64[x + 32] as number) * (bench.f64[y + 32] as number);
          fourths += (bench.f64[x + 24] as number) + (bench.f64[y + 24] as number);
          lowest = Math.min(lowest, bench.f64[x + 40] as number, bench.f64[y + 40] as number);
          ownProducts += (bench.f64[x + 48] as number) + (bench.f64[y + 48] as number);
          ownBelow += (bench.f64[x + 56] as number) + (bench.f64[y + 56] as number);
        }
        const sum = (field: number) => bench.f64[(added + inner * RUN_BYTES) / 8 + field] as number;
        const others = RUN_OTHERS / 8;
        const ofField = (field: number) => range(0, 3).map((s) => sum(field * SUMMED_SEGMENTS + s));
        expect(ofField(4).reduce((product, x) => product * x)).toBeCloseTo(growth, 14);
        expect(ofField(3).reduce((total, x) => total + x)).toBeCloseTo(fourths, 14);
        const first = Math.min(
          bench.f64[sumsA / 8 + outer + 40] as number,
          bench.f64[sumsB / 8 + inner + 40] as number,
        );
        expect(sum(others)).toBe(first);
        expect(Math.min(first, sum(others + 1), bench.f64[state / 8 + LANES + inner] as number)).toBe(lowest);
        expect(sum(others + 2)).toBeCloseTo(ownProducts, 14);
        expect(sum(others + 3)).toBeCloseTo(ownBelow, 14);
        expect(growth).toBeCloseTo(expected.value, 12);
        expect(ownProducts).toBeCloseTo(products, 13);
        expect(ownBelow).toBeCloseTo(below, 13);
        expect(fourths).toBeCloseTo(expected.sums[3] as number, 13);
        expect(lowest).toBeCloseTo(expected.lowest, 12);
      }
    }
  });
});

test('sums reach from each step to the end of its section', () => {
  const steps = 5;
  const bench = new Bench(1, DAYS);
  const { f64 } = bench;
  const sums = bench.area(steps * STEP_DOUBLES * 8);
  const out = bench.area(steps * STEP_DOUBLES * 8);
  const ends = bench.words([2, 2, 5, 5, 5]);
  const at = (area: number, step: number, field: number, lane: number) =>
    f64[area / 8 + step * STEP_DOUBLES + field * 8 + lane] as number;
  for (let i = 0; i < steps * STEP_DOUBLES; i++) f64[sums / 8 + i] = 1 + ((i * 37) % 100) / 50;
  bench.kernels.sumSections(sums, ends, steps, out);
  for (const [step, end] of [2, 2, 5, 5, 5].entries()) {
    for (let lane = 0; lane < 8; lane++) {
      const own = (field: number) =>
        Array.from({ length: end - step }, (_, i) => at(sums, step + i, field, lane));
      for (const field of [0, 1, 2, 3, 6, 7])
        expect(at(out, step, field, lane)).toBeCloseTo(
          own(field).reduce((a, b) => a + b, 0),
          12,
        );
      expect(at(out, step, 4, lane)).toBeCloseTo(
        own(4).reduce((a, b) => a * b, 1),
        12,
      );
      expect(at(out, step, 5, lane)).toBe(Math.min(...own(5)));
    }
  }
});
