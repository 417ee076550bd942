import { LANES, SIMULATION_SCRATCH } from '../kernels/kernels.ts';
import type { Workspace } from './workspace.ts';

/** Days and pieces of the measured samples: enough to be timed, too few to be noticed. */
const SAMPLE_DAYS = 2048;
/** The first runs are of code that is not optimised yet. */
const SAMPLES = 40;
/** On a busy machine a sample may be far off; a piece never costs more, nor less, than these parts of a day. */
const DEAREST_PIECE = 0.6;
const CHEAPEST_PIECE = 0.15;

/** Expected costs, from kernels timed on this machine when the thread started. Milliseconds. */
export interface CostModel {
  /** Day by day: `rows` combinations of `days` days. */
  simulating(rows: number, days: number): number;
  /** Summing up a tile of eight variants: the days and pieces of its branch, and all days. */
  tile(ownDays: number, ownPieces: number, days: number): number;
  /** Compositions of eight combinations over the pieces of a mask. */
  composing(compositions: number, pieces: number): number;
}

/** Makes summing up the choice wherever it is possible. */
export const SUMMING_IS_FREE: CostModel = { simulating: () => 1, tile: () => 0, composing: () => 0 };

const models = new WeakMap<Workspace, CostModel>();

/** The costs on this machine, measured once per thread in a few milliseconds. */
export function costModel(workspace: Workspace): CostModel {
  const known = models.get(workspace);
  if (known !== undefined) return known;
  const model = measure(workspace);
  models.set(workspace, model);
  return model;
}

function measure(workspace: Workspace): CostModel {
  const { kernels } = workspace;
  const column = workspace.allocateColumn(SAMPLE_DAYS * 8);
  const tile = workspace.allocate(SAMPLE_DAYS * 3 * LANES * 8);
  const area = workspace.allocate(SIMULATION_SCRATCH + 8192);
  const { f64, i32, u8 } = workspace;
  const [scratch, lanes, cuts, out, state] = [
    area,
    area + SIMULATION_SCRATCH,
    area + SIMULATION_SCRATCH + 64,
    area + SIMULATION_SCRATCH + 128,
    area + SIMULATION_SCRATCH + 1024,
  ];
  f64.fill(0, column / 8, column / 8 + SAMPLE_DAYS);
  f64.fill(1, tile / 8, tile / 8 + SAMPLE_DAYS * 3 * LANES);
  f64.fill(1, state / 8, state / 8 + 2 * LANES);
  for (let lane = 0; lane < LANES; lane++) i32[lanes / 4 + lane] = column;
  i32[cuts / 4] = 0;
  i32[cuts / 4 + 1] = SAMPLE_DAYS;
  u8.fill(0, column, column + SAMPLE_DAYS);
  const day = best(() => kernels.simulateSelected8(lanes, column, 0, cuts, 1, out, scratch, 0)) / SAMPLE_DAYS;
  const composed = best(() => kernels.compose(column, SAMPLE_DAYS, tile, tile, state)) / SAMPLE_DAYS;
  const piece = Math.min(Math.max(composed, CHEAPEST_PIECE * day), DEAREST_PIECE * day);
  workspace.freeColumn(column);
  workspace.free(tile);
  workspace.free(area);
  return {
    simulating: (rows, days) => (rows / LANES) * days * day,
    // A tile takes two more sums per day than the simulation, has an overhead per piece, and codes are written for all days. In a cache that
    // would be two thirds of this; but tiles are many, and lie in memory that is cold.
    tile: (ownDays, ownPieces, days) => (1.9 * ownDays + 2.5 * ownPieces + 0.1 * days) * day,
    composing: (compositions, pieces) => compositions * pieces * piece,
  };
}

function best(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < SAMPLES; i++) {
    const begin = performance.now();
    run();
    least = Math.min(least, performance.now() - begin);
  }
  return least;
}
