import {
  createMemory,
  instantiateKernels,
  SIMULATION_SCRATCH,
} from '@quantloom/compute/engine/kernels/kernels';
import { LANES, SEGMENT_FIELDS } from '@quantloom/compute/engine/kernels/shared';
import asc from 'assemblyscript/asc';

/**
 * Passes over columns that the engine is measured against, compiled when the bench starts. `visit` loads a
 * day's number, multiplies, adds and takes the maximum: nothing that looks at every day can be faster. `lean`
 * is the simulation pass for 4 combinations without the third and fourth power sums and without segments:
 * what the eight visible metrics alone would cost.
 */
const SOURCE = `
export function visit(column: usize, days: i32): f64 {
  let m0 = f64x2.splat(0), m1 = m0, m2 = m0, m3 = m0;
  const k = f64x2.splat(1.0000001), d = f64x2.splat(0.5);
  for (const end = column + <usize>days * 8; column < end; column += 64) {
    m0 = f64x2.pmax(m0, f64x2.add(d, f64x2.mul(k, v128.load(column))));
    m1 = f64x2.pmax(m1, f64x2.add(d, f64x2.mul(k, v128.load(column + 16))));
    m2 = f64x2.pmax(m2, f64x2.add(d, f64x2.mul(k, v128.load(column + 32))));
    m3 = f64x2.pmax(m3, f64x2.add(d, f64x2.mul(k, v128.load(column + 48))));
  }
  const m = f64x2.pmax(f64x2.pmax(m0, m1), f64x2.pmax(m2, m3));
  return max(f64x2.extract_lane(m, 0), f64x2.extract_lane(m, 1));
}

@inline
function pair(a: usize, b: usize, t: usize, table: usize, stride: usize): v128 {
  const o = table + (t << 3);
  const low = v128.load64_zero(o + <usize>load<u8>(a + t) * stride);
  return v128.load64_lane(o + <usize>load<u8>(b + t) * stride, low, 1);
}

export function lean(
  c0: usize, c1: usize, c2: usize, c3: usize, table: usize, stride: usize, from: usize, to: usize, out: usize,
): void {
  const one = f64x2.splat(1.0);
  let v0 = one, v1 = one, q0 = one, q1 = one, m0 = one, m1 = one;
  let a0 = f64x2.splat(0), a1 = a0, b0 = a0, b1 = a0;
  for (let t = from; t < to; t++) {
    const r0 = pair(c0, c1, t, table, stride), r1 = pair(c2, c3, t, table, stride);
    const f0 = f64x2.add(r0, one), f1 = f64x2.add(r1, one);
    v0 = f64x2.mul(v0, f0);
    v1 = f64x2.mul(v1, f1);
    q0 = f64x2.pmin(one, f64x2.mul(q0, f0));
    q1 = f64x2.pmin(one, f64x2.mul(q1, f1));
    m0 = f64x2.pmin(m0, q0);
    m1 = f64x2.pmin(m1, q1);
    a0 = f64x2.add(a0, r0);
    a1 = f64x2.add(a1, r1);
    b0 = f64x2.add(b0, f64x2.mul(r0, r0));
    b1 = f64x2.add(b1, f64x2.mul(r1, r1));
  }
  v128.store(out, v0); v128.store(out + 16, v1);
  v128.store(out + 32, m0); v128.store(out + 48, m1);
  v128.store(out + 64, a0); v128.store(out + 80, a1);
  v128.store(out + 96, b0); v128.store(out + 112, b1);
}
`;

interface LimitKernels {
  visit(column: number, days: number): number;
  lean(
    c0: number,
    c1: number,
    c2: number,
    c3: number,
    table: number,
    stride: number,
    from: number,
    to: number,
    out: number,
  ): void;
}

export interface Limits {
  /** Passes per second over one column. */
  readonly visits: number;
  /** Combinations per second of the lean simulation pass. */
  readonly lean: number;
  /** The same of the engine's own pass, with all statistics, over the same codes and returns. */
  readonly full: number;
}

const ROWS = 8;

/** Times the passes over a number of days, best of many. */
export async function measureLimits(days: number, best: (run: () => void) => number): Promise<Limits> {
  const { binary, error, stderr } = await asc.compileString(SOURCE, {
    optimizeLevel: 3,
    runtime: 'stub',
    enable: ['simd'],
  });
  if (error || !binary) throw new Error(`The limit passes do not compile: ${stderr.toString()}`);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(binary), {} as never);
  const exports = instance.exports as LimitKernels & { memory: WebAssembly.Memory };
  exports.memory.grow(64);
  const numbers = new Float64Array(exports.memory.buffer);
  const padded = (days + 63) & ~63;
  const table = 65_536;
  for (let i = 0; i < ROWS * padded; i++) numbers[table / 8 + i] = Math.sin(i) / 100;
  const codes = table + ROWS * padded * 8;
  const bytes = new Uint8Array(exports.memory.buffer);
  for (let i = 0; i < 4 * padded; i++) bytes[codes + i] = Math.floor(i / 5) % ROWS;
  const out = codes + 4 * padded;
  const visit = best(() => exports.visit(table, days));
  const lanes = [0, 1, 2, 3].map((lane) => codes + lane * padded) as [number, number, number, number];
  const lean = best(() => exports.lean(...lanes, table, padded * 8, 1, days, out));
  return { visits: 1000 / visit, lean: 4000 / lean, full: (LANES * 1000) / best(fullPass(days)) };
}

/** The engine's pass over eight lanes and the dozen segments that a run is usually cut into. */
function fullPass(days: number): () => void {
  const memory = createMemory();
  memory.grow(128);
  const kernels = instantiateKernels(memory);
  const padded = (days + 63) & ~63;
  const table = 65_536;
  const numbers = new Float64Array(memory.buffer);
  for (let i = 0; i < ROWS * padded; i++) numbers[table / 8 + i] = Math.sin(i) / 100;
  const codes = table + ROWS * padded * 8;
  const bytes = new Uint8Array(memory.buffer);
  for (let i = 0; i < LANES * padded; i++) bytes[codes + i] = Math.floor(i / 5) % ROWS;
  const lanes = codes + LANES * padded;
  const cuts = lanes + 64;
  const rowsAt = cuts + 128;
  const scratch = rowsAt + 64;
  const segments = 12;
  const out = scratch + SIMULATION_SCRATCH;
  const benchmark = (out + segments * SEGMENT_FIELDS * LANES * 8 + 63) & ~63;
  const words = new Int32Array(memory.buffer);
  for (let lane = 0; lane < LANES; lane++) words[lanes / 4 + lane] = codes + lane * padded;
  for (let i = 0; i <= segments; i++) words[cuts / 4 + i] = 1 + Math.floor(((days - 1) * i) / segments);
  for (let row = 0; row < ROWS; row++) words[rowsAt / 4 + row] = table + row * padded * 8;
  numbers.fill(0, out / 8, out / 8 + segments * SEGMENT_FIELDS * LANES);
  return () => kernels.simulateSelected8(lanes, rowsAt, cuts, segments, out, scratch, 0, benchmark);
}
