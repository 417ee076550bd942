import {
  FLOAT_COLUMNS,
  METRIC_COLUMNS,
  NO_DAY,
  type ResultBlock,
} from '@quantloom/domain/contracts/result-block';

/** 2015-01-02. */
const FIRST_DAY = 16_437;

/** A reproducible number in [0, 1) that looks random. */
export function noise(n: number): number {
  let x = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) >>> 0;
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}

/** The float that `sampleBlock` puts into a row; metrics are full-precision numbers, the split columns are null. */
export function sampleFloat(combination: number, column: number, name: string): number {
  if (name.startsWith('in_') || name.startsWith('out_')) return Number.NaN;
  return (noise(combination * 64 + column) - 0.4) * (column === 0 ? 10 : 1);
}

/** A block of made-up rows that depend on the combination only; every `failEvery`-th combination has failed. */
export function sampleBlock(
  batchId: string,
  range: { from: number; count: number },
  sizes: readonly number[],
  failEvery = Number.POSITIVE_INFINITY,
): ResultBlock {
  const { from, count } = range;
  const hasFailed = (row: number) => (from + row) % failEvery === failEvery - 1;
  const rows = Array.from({ length: count }, (_, row) => row);
  const float = (column: number, name: string) =>
    Float64Array.from(rows, (row) => (hasFailed(row) ? Number.NaN : sampleFloat(from + row, column, name)));
  return {
    batchId,
    from,
    count,
    startDay: Int32Array.from(rows, (row) => (hasFailed(row) ? NO_DAY : FIRST_DAY + ((from + row) % 50))),
    endDay: Int32Array.from(rows, (row) => (hasFailed(row) ? NO_DAY : FIRST_DAY + 3000)),
    variables: sizes.map((size, i) => {
      const stride = sizes.slice(i + 1).reduce((product, each) => product * each, 1);
      return Int32Array.from(rows, (row) => Math.floor((from + row) / stride) % size);
    }),
    floats: Object.fromEntries(FLOAT_COLUMNS.map((name, column) => [name, float(column, name)])),
    failures: rows.filter(hasFailed).map((row) => failureOf(from + row)),
  };
}

function failureOf(combination: number) {
  return { combination, reason: `Combination ${combination}: no prices for "X", in block 'If'` };
}

export const metricIndex = (name: (typeof METRIC_COLUMNS)[number]) => METRIC_COLUMNS.indexOf(name);
