import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import { type BandsRequest, type RowBands, rowBands } from '@quantloom/domain/statistics/bands';
import {
  type BatchSkill,
  type NoStrategy,
  type RowReturns,
  type SkillRows,
  testBatchSkill,
  timingOf,
} from '@quantloom/domain/statistics/batch-skill';
import { type BlockSums, type UsableSums, usableSums } from '@quantloom/domain/statistics/block-sums';
import {
  correlation,
  medianOf,
  momentsOf,
  quantile,
  rankCorrelation,
  sortedNumbers,
} from '@quantloom/domain/statistics/describe';
import { efficientFrontier, evenSample } from '@quantloom/domain/statistics/frontier';
import {
  gridOf,
  localMaxima,
  neighbourhoodMedians,
  type Peak,
  type SearchEdge,
  type Stability,
  searchEdges,
  stabilityOf,
} from '@quantloom/domain/statistics/neighbourhood';
import { type StoredSharpes, sharpesOverCash } from '@quantloom/domain/statistics/over-cash';
import type { RowPart, SplitRanks, SplitWinners } from '@quantloom/domain/statistics/overfitting';
import { paretoSet } from '@quantloom/domain/statistics/pareto';
import { markNoStrategies, ofStrategies, type RowMarks } from '@quantloom/domain/statistics/row-marks';
import type { TimingAlpha } from '@quantloom/domain/statistics/skill';
import { type RankStability, type Regime, rankStability } from '@quantloom/domain/statistics/stability';
import {
  bestByStretch,
  growthOf,
  type WalkForward,
  type WalkMode,
  walkForward,
} from '@quantloom/domain/statistics/walk-forward';
import { wideRanks, wideWinners } from './halves/wide-halves.ts';
import { type HeatMapCells, type HeatMapRequest, heatMapOf } from './heat-map.ts';
import { argmax, numbersIn, topOf } from './largest.ts';
import {
  type BestRequest,
  type BestStrategies,
  bestStrategies,
  type RowsToTest,
  type RowsToTestRequest,
  rowsToTest,
} from './rows-by-rank.ts';

/** Block sums of all rows in memory that threads share. */
export interface SharedSums {
  readonly rows: number;
  readonly blocks: number;
  readonly counts: Uint16Array<SharedArrayBuffer>;
  readonly sums: Float32Array<SharedArrayBuffer>;
  readonly squares: Float32Array<SharedArrayBuffer>;
  /** What cash earned a day in each block: rows are cross-validated by what they earned beyond it. */
  readonly cash?: readonly number[];
}

/** Work on whole columns, done on a thread of its own. Plain data in and out. */
export type AnalysisTask =
  | {
      readonly kind: 'scatter';
      /** The largest value of each is the best. */
      readonly across: Float64Array;
      readonly up: Float64Array;
      /** Takes part in the frontier only. */
      readonly third: Float64Array | null;
      readonly points: number;
      /** Most rows of the frontier that are wanted. */
      readonly most: number;
    }
  | (HeatMapRequest & { readonly kind: 'heatMap' })
  | {
      readonly kind: 'peaks';
      readonly variables: readonly BatchVariable[];
      readonly values: Float64Array;
      readonly limit: number;
    }
  | {
      readonly kind: 'surroundings';
      readonly variables: readonly BatchVariable[];
      readonly values: Float64Array;
      /** Marked rows count as rows without a result. */
      readonly marks: RowMarks;
      /** Whose neighbours are looked at, and what they are compared with. */
      readonly combination: number;
      readonly median: number;
    }
  | {
      readonly kind: 'robust';
      readonly variables: readonly BatchVariable[];
      readonly values: Float64Array;
      readonly limit: number;
    }
  | { readonly kind: 'sample'; readonly values: Float64Array; readonly size: number }
  | {
      readonly kind: 'marks';
      readonly deviations: Float32Array<SharedArrayBuffer>;
      readonly whole: Float32Array<SharedArrayBuffer>;
      readonly correlations: Float32Array<SharedArrayBuffer>;
    }
  | (StoredSharpes & { readonly kind: 'overCash' })
  | (SharedSums & { readonly kind: 'usable'; readonly marks: RowMarks })
  | (SharedSums & RowPart & { readonly kind: 'winners'; readonly usable: UsableSums })
  | (SharedSums &
      RowPart & {
        readonly kind: 'ranks';
        readonly usable: UsableSums;
        readonly winners: SplitWinners;
      })
  | {
      readonly kind: 'walks';
      readonly rows: number;
      readonly blocks: number;
      readonly counts: Uint16Array;
      readonly sums: Float32Array;
      readonly squares: Float32Array;
      /** What cash earned a day in each block of the period: taken off where rows are chosen. */
      readonly cash: readonly number[];
    }
  | (SharedSums & {
      readonly kind: 'stability';
      readonly regimes: readonly (Regime | null)[];
      /** Rows whose order is not compared; missing: all are. */
      readonly marks?: RowMarks;
    })
  | (BestRequest & { readonly kind: 'best' })
  | (BandsRequest & { readonly kind: 'bands' })
  | {
      readonly kind: 'split';
      readonly inSample: Float64Array;
      readonly outOfSample: Float64Array;
      /** The stored Sharpe ratios, from which no cash is taken off: their medians are shown. */
      readonly shownIn: Float64Array;
      readonly shownOut: Float64Array;
      readonly marks: RowMarks;
    }
  | { readonly kind: 'moments'; readonly values: Float64Array; readonly marks: RowMarks }
  | (RowsToTestRequest & { readonly kind: 'rowsToTest' })
  | { readonly kind: 'skill'; readonly rows: SkillRows }
  | {
      readonly kind: 'timing';
      readonly row: RowReturns;
      readonly ownMix: SkillRows['benchmark'];
      readonly benchmark: SkillRows['benchmark'];
      readonly cash: SkillRows['cash'];
    }
  | {
      readonly kind: 'compare';
      readonly own: Float64Array;
      readonly other: Float64Array;
      readonly targets: Int32Array;
      readonly sources: Int32Array;
      readonly limit: number;
    };

export interface AnalysisResults {
  /** `rolling[k - 1]` is the walk that chooses on `k` blocks. */
  walks: {
    blocks: readonly number[];
    rows: number;
    rolling: readonly WalkForward[];
    anchored: readonly WalkForward[];
    hindsight: { combination: number; growth: readonly number[] } | null;
  };
  stability: RankStability;
  best: BestStrategies;
  bands: RowBands[];
  scatter: { total: number; sample: Int32Array; frontier: Int32Array; frontierTotal: number };
  heatMap: HeatMapCells;
  peaks: {
    median: number;
    best: { combination: number; value: number; neighbours: number; aboveMedian: number } | null;
    edges: SearchEdge[];
    peaks: Peak[];
  };
  surroundings: Stability;
  robust: { combination: number; value: number; median: number }[];
  sample: { even: Int32Array; top: Uint32Array };
  /** In memory that threads share. */
  marks: RowMarks;
  /** In memory that threads share; null where rows lack what it takes. */
  overCash: Float64Array<SharedArrayBuffer> | null;
  usable: UsableSums;
  winners: SplitWinners;
  ranks: SplitRanks;
  split: {
    best: number;
    rankCorrelation: number;
    topStaysAboveMedian: number;
    medianIn: number;
    medianOut: number;
  };
  /** Count and different values are those of all rows, the others those of strategies. */
  moments: { count: number; deviation: number; best: number; median: number; distinct: number };
  rowsToTest: RowsToTest;
  skill: BatchSkill | NoStrategy;
  timing: (TimingAlpha & { readonly p: number }) | null;
  compare: {
    matched: number;
    unmatched: { this: number; other: number };
    equal: number;
    higher: number;
    lower: number;
    correlation: number;
    meanDifference: number;
    largest: { target: number; source: number; own: number; other: number }[];
  };
}

export type ResultOf<T extends AnalysisTask> = AnalysisResults[T['kind']];

/** Carries a task out. Synchronous: belongs on a worker thread. */
export function runTask<T extends AnalysisTask>(task: T): ResultOf<T> {
  return tasks[task.kind](task as never) as ResultOf<T>;
}

type Of<K extends AnalysisTask['kind']> = Extract<AnalysisTask, { kind: K }>;

const tasks: { [K in AnalysisTask['kind']]: (task: Of<K>) => AnalysisResults[K] } = {
  stability: (task) => rankStability(task, task.regimes, usableSums(task, task.marks)),
  best: bestStrategies,
  bands: rowBands,
  scatter: ({ across, up, third, points, most }) => {
    const frontier = third
      ? paretoSet([across, up, third])
      : Int32Array.from(
          // It wants the smallest value across.
          efficientFrontier(
            across.map((value) => -value),
            up,
          ),
          ({ combination }) => combination,
        );
    return {
      total: countBoth(across, up),
      sample: evenSample([across, up], points),
      frontier: evenly(frontier, most),
      frontierTotal: frontier.length,
    };
  },

  heatMap: heatMapOf,

  peaks: ({ variables, values, limit }) => {
    const grid = gridOf(variables);
    const median = medianOf(values);
    const best = argmax(values);
    if (best < 0) return { median, best: null, edges: [], peaks: [] };
    const { neighbours, aboveMedian } = stabilityOf(grid, values, best, median);
    return {
      median,
      best: { combination: best, value: values[best] as number, neighbours, aboveMedian },
      edges: searchEdges(grid, variables, best),
      peaks: localMaxima(grid, values, median, limit),
    };
  },

  surroundings: ({ variables, values, marks, combination, median }) =>
    stabilityOf(gridOf(variables), ofStrategies(values, marks), combination, median),

  robust: ({ variables, values, limit }) => {
    const run = neighbourhoodMedians(gridOf(variables), values);
    let step = run.next();
    while (!step.done) step = run.next();
    const medians = step.value;
    return [...topOf(medians, limit)].map((combination) => ({
      combination,
      value: values[combination] as number,
      median: medians[combination] as number,
    }));
  },

  sample: ({ values, size }) => {
    // Where nearly all rows are the best ones, none stands out.
    const most = Math.max(1, Math.floor(numbersIn(values) / 10));
    return {
      even: evenSample([values], size),
      top: topOf(values, Math.min(most, Math.max(10, Math.floor(size / 10)))),
    };
  },

  marks: ({ deviations, ...rest }) => {
    const marks = new Uint8Array(new SharedArrayBuffer(deviations.length));
    markNoStrategies({ deviations, ...rest }, marks);
    return marks;
  },

  overCash: (task) => {
    const { length } = task.sharpes;
    const over = new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
    return sharpesOverCash(task, over) ? over : null;
  },

  usable: ({ marks, ...sums }) => usableSums(sums, marks),
  winners: ({ usable, ...sums }) => wideWinners(sums, usable, sums),
  ranks: ({ usable, winners, ...sums }) => wideRanks(sums, usable, winners, sums),

  walks: ({ rows, blocks, counts, sums, squares, cash }) =>
    walksOf({ rows, blocks, counts, sums, squares, cash }),

  split: ({ inSample: allIn, outOfSample: allOut, shownIn, shownOut, marks }) => {
    const [inSample, outOfSample] = [ofStrategies(allIn, marks), ofStrategies(allOut, marks)];
    const best = argmax(inSample);
    const medianOut = medianOf(outOfSample);
    const border = quantile(sortedNumbers(inSample), 0.9);
    let top = 0;
    let stays = 0;
    for (let k = 0; k < inSample.length; k += 1) {
      if (!((inSample[k] as number) >= border)) continue;
      top += 1;
      if ((outOfSample[k] as number) > medianOut) stays += 1;
    }
    return {
      best,
      rankCorrelation: rankCorrelation(inSample, outOfSample),
      topStaysAboveMedian: top > 0 ? stays / top : Number.NaN,
      medianIn: medianOf(ofStrategies(shownIn, marks)),
      medianOut: medianOf(ofStrategies(shownOut, marks)),
    };
  },

  moments: ({ values, marks }) => {
    const strategies = ofStrategies(values, marks);
    const { deviation } = momentsOf(strategies);
    const sorted = sortedNumbers(strategies);
    const all = strategies === values ? sorted : sortedNumbers(values);
    return {
      count: all.length,
      deviation,
      best: argmax(strategies),
      median: quantile(sorted, 0.5),
      distinct: distinctIn(all),
    };
  },

  rowsToTest,

  skill: ({ rows }) => testBatchSkill(rows),

  timing: ({ row, ownMix, benchmark, cash }) => timingOf(row, { ownMix, benchmark, cash }),

  compare: ({ own, other, targets, sources, limit }) => {
    const left = Float64Array.from(targets, (k) => own[k] as number);
    const right = Float64Array.from(sources, (k) => other[k] as number);
    const difference = left.map((value, i) => value - (right[i] as number));
    const both = momentsOf(difference);
    const order = topOf(difference.map(Math.abs), limit);
    const count = (holds: (value: number) => boolean) =>
      difference.reduce((sum, value) => sum + Number(holds(value)), 0);
    return {
      matched: both.count,
      unmatched: { this: numbersIn(own) - both.count, other: numbersIn(other) - both.count },
      equal: count((value) => value === 0),
      higher: count((value) => value > 0),
      lower: count((value) => value < 0),
      correlation: correlation(left, right),
      meanDifference: both.mean,
      largest: [...order].map((i) => ({
        target: targets[i] as number,
        source: sources[i] as number,
        own: left[i] as number,
        other: right[i] as number,
      })),
    };
  },
};

/**
 * Every walk over the blocks, by mode and by how many blocks rows are chosen on, and the row that is best
 * over all of them.
 */
function walksOf(sums: BlockSums): AnalysisResults['walks'] {
  const table = bestByStretch(sums);
  const count = table.blocks.length;
  const walks = (mode: WalkMode) =>
    Array.from({ length: Math.max(0, count - 1) }, (_, i) => walkForward(sums, table, i + 1, mode));
  const best = table.best[count] ?? -1;
  return {
    blocks: table.blocks,
    rows: table.rows,
    rolling: walks('rolling'),
    anchored: walks('anchored'),
    hindsight: best < 0 ? null : { combination: best, growth: growthOf(sums, best, table.blocks) },
  };
}

/** How many different numbers there are: rows with equal returns have the same Sharpe ratio to the last bit. */
function distinctIn(sorted: Float64Array): number {
  let count = 0;
  for (let i = 0; i < sorted.length; i += 1) if (i === 0 || sorted[i] !== sorted[i - 1]) count += 1;
  return count;
}

/** At most so many of them, in their order, from end to end. */
function evenly(values: Int32Array, most: number): Int32Array {
  if (values.length <= most) return values;
  const step = (values.length - 1) / (most - 1);
  return Int32Array.from({ length: most }, (_, i) => values[Math.round(i * step)] as number);
}

function countBoth(x: Float64Array, y: Float64Array): number {
  let count = 0;
  for (let k = 0; k < x.length; k += 1)
    if (!Number.isNaN(x[k] as number) && !Number.isNaN(y[k] as number)) count += 1;
  return count;
}
