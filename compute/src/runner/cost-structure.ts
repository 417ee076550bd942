import type { BatchPlan } from '../engine/batch/compile/batch-plan.ts';
import type { BlockPlan, IndicatorPlan } from '../engine/batch/compile/plan.ts';
import { conditionsIn } from '../engine/batch/compile/plan-facts.ts';
import type { Key, Place } from '../engine/batch/compile/variables.ts';
import { supportedPlan } from '../engine/batch/fast-batch.ts';

/** Work that combinations with the same values of some variables share: done once for each choice of these values. */
interface SharedPart {
  /** Indices of the variables, ascending. */
  readonly variables: readonly number[];
  /** What it costs relative to others: an indicator visits days many times, a comparison once. */
  readonly weight: number;
}

const INDICATOR = 5;
const COMPARISON = 1;
const BLOCK = 1;
/** Values of a block run alone, and the indicator of them. */
const OWN_SERIES = 10;

/**
 * What a batch's combinations share, read from its compiled template. Counted in units of a comparison over
 * all days, so that the cost of shared work that was measured for a few combinations can be carried over to all.
 */
export class CostStructure {
  private readonly radices: readonly number[];
  private readonly parts: readonly SharedPart[];

  constructor(plan: BatchPlan) {
    this.radices = plan.space.radices;
    this.parts = sharedParts(plan);
  }

  /** Units that combinations `from .. from + count - 1` need, computed anew; places in the batch make no difference. */
  unitsOfRange(count: number): number {
    return this.parts.reduce((sum, part) => sum + part.weight * this.choicesIn(part, count), 0);
  }

  /**
   * Units that a whole run needs on so many threads, each of which computes what it needs for itself: ranges
   * of `taskRows` combinations go to any thread, so what combinations of distant ranges share is computed by
   * each of them.
   */
  unitsOfAll(threads: number, taskRows: number): number {
    const all = this.radices.reduce((product, radix) => product * radix, 1);
    return this.parts.reduce((sum, part) => {
      const size = this.choicesIn(part, all);
      const tasks = Math.ceil(this.extentOf(part, all) / taskRows);
      return sum + part.weight * size * Math.min(threads, tasks);
    }, 0);
  }

  /** Choices of the part's variables that a range of neighbours goes through. */
  private choicesIn({ variables }: SharedPart, count: number): number {
    let choices = 1;
    for (const variable of variables) {
      const stride = this.strideOf(variable);
      choices *= Math.min(this.radices[variable] ?? 1, Math.floor((count - 1) / stride) + 1);
    }
    return Math.min(choices, count);
  }

  /** Combinations from the first to the last that share one choice. */
  private extentOf({ variables }: SharedPart, all: number): number {
    let extent = all;
    for (let i = 0; variables[i] === i; i++) extent /= this.radices[i] ?? 1;
    return extent;
  }

  /** Combinations until the variable has its next value; the last variable is the fastest. */
  private strideOf(variable: number): number {
    return this.radices.slice(variable + 1).reduce((product, radix) => product * radix, 1);
  }
}

/** Nothing is shared where only the reference can run a batch. */
function sharedParts(plan: BatchPlan): SharedPart[] {
  const tree = supportedPlan(plan);
  if (tree === null) return [];
  const parts = new Map<string, SharedPart>();
  const add = (name: string, { variables, size }: Key, weight: number) => {
    // What every combination has for itself is part of the combination.
    if (size < plan.combinations) parts.set(`${name} ${variables.join()}`, { variables, weight });
  };
  const addIndicator = (indicator: IndicatorPlan) => {
    const { fn, params, series, second, key } = indicator;
    const isOwn = series.kind !== 'series';
    const of = series.kind === 'series' ? series.sides.map(nameOf).join('/') : series.number;
    const other = second === null ? '' : `~${second.sides.map(nameOf).join('/')}`;
    add(`${fn} ${params.map(nameOf).join(' ')} ${of}${other}`, key, isOwn ? OWN_SERIES : INDICATOR);
  };
  for (const block of tree.blocks) addBlock(block, add, addIndicator);
  return [...parts.values()];
}

function addBlock(
  block: BlockPlan,
  add: (name: string, key: Key, weight: number) => void,
  addIndicator: (indicator: IndicatorPlan) => void,
): void {
  switch (block.kind) {
    case 'cash':
    case 'asset':
      return;
    case 'if':
      for (const { key, left, right } of conditionsIn(block.conditions)) {
        addIndicator(left);
        if ('fn' in right) addIndicator(right);
        add(`if ${block.number}`, key, COMPARISON);
      }
      break;
    case 'filter':
      for (const rank of block.ranks) addIndicator(rank);
      if (block.weighting?.kind === 'inverse')
        for (const deviation of block.weighting.deviations) addIndicator(deviation);
      break;
    case 'inverse':
      for (const deviation of block.deviations) addIndicator(deviation);
      break;
    case 'mix':
  }
  add(`block ${block.number}`, block.key, BLOCK);
}

const NO_DIGITS = new Int32Array(0);

/** The same for places that always have the same value. */
function nameOf(place: Place): string {
  return place.variable < 0 ? place.text(NO_DIGITS) : `$${place.variable}`;
}
