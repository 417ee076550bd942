import type { BatchPlan } from '../compile/batch-plan.ts';
import { type FactoredPlan, factoredPlan } from '../compile/factored-plan.ts';
import type { Faults } from '../compile/faults.ts';
import type { BlockPlan, Plan } from '../compile/plan.ts';
import { tickersWithin } from '../compile/plan-facts.ts';
import { stretchPlan } from '../compile/stretch-plan.ts';
import { writeDigits } from '../compile/variables.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { DayWindow } from '../memory/areas.ts';
import type { CalendarData } from '../memory/data.ts';
import { type DayGrid, dayGrid } from '../memory/day-grid.ts';
import type { ReturnTable } from '../memory/return-table.ts';
import type { Spans } from '../memory/spans.ts';
import type { Workspace } from '../memory/workspace.ts';
import { branchVariants } from './branch-sums/branch-variants.ts';
import { FactoredRunner } from './branch-sums/factored.ts';
import type { BranchPlan } from './branch-sums/factored-parts.ts';
import { dailyCost, summingCost } from './cost.ts';
import type { Simulator } from './daily/simulator.ts';
import type { Benchmark } from './lanes/benchmark.ts';
import { type BindingVisitor, Stretches } from './stretches/stretches.ts';

/** Fewer combinations are not worth the preparation of stretches. */
const FEWEST_FOR_STRETCHES = 128;
/** Combinations that stretches are tried out on: neighbours in the middle of the batch. */
const SAMPLE = 4096;
/** Masks that say how long a branch is held. */
const SAMPLED_MASKS = 3;
const SPREAD = (Math.sqrt(5) - 1) / 2;
/**
 * Sums that cost less than this part of going day by day are not compared with anything: of a batch that is
 * no larger than what stretches are tried out on, trying costs as much as running it.
 */
const CHEAP = 0.15;
const CHEAP_IF_SMALL = 0.25;

/** The way all combinations of a batch run. */
export type Runner =
  | { readonly kind: 'daily' }
  | { readonly kind: 'stretches'; readonly stretches: Stretches }
  | {
      readonly kind: 'summed';
      readonly runner: FactoredRunner;
      readonly plan: FactoredPlan;
      readonly outer: BranchPlan;
      readonly inner: BranchPlan;
    };

export interface RunnerParts {
  readonly workspace: Workspace;
  readonly plan: BatchPlan;
  readonly tree: Plan;
  readonly data: CalendarData;
  readonly table: ReturnTable;
  readonly benchmark: Benchmark;
  readonly spans: Spans;
  readonly faults: Faults;
  readonly evaluator: Evaluator;
  readonly simulator: Simulator;
  readonly window: DayWindow;
  readonly start: number;
  readonly end: number;
  readonly cacheBytes: number;
  readonly force: 'daily' | 'summed' | 'stretches' | undefined;
}

const DAILY: Runner = { kind: 'daily' };

/**
 * Chooses the way a batch runs by what it is expected to cost. The choice follows from the plan and the
 * prices alone: neither from time measured, nor from the range that a thread was given, nor from its memory.
 * Each way computes a combination's row by itself in the same order, so that a request has the same rows to
 * the bit wherever and however it runs.
 */
export function chooseRunner(parts: RunnerParts): Runner {
  const { force, tree, plan, spans, faults, simulator, start, end } = parts;
  if (force === 'daily' || start >= end) return DAILY;
  const factored = force === 'stretches' ? null : factoredTree(parts);
  const stretched = force === 'summed' ? null : stretchPlan(tree);
  const isWorthIt = force !== undefined || plan.combinations >= FEWEST_FOR_STRETCHES;
  if (factored === null && (stretched === null || !isWorthIt)) return DAILY;
  const borders = spans.borders(tree.root, { start, end }, (variables, digits) =>
    faults.hasWithin(variables, digits),
  );
  const grid = borders === null ? null : dayGrid(borders, (first, last) => simulator.layout(first, last));
  if (grid === null) return DAILY;
  const daily = dailyCost(grid.days);
  const sums = factored === null ? Number.POSITIVE_INFINITY : summing(parts, grid, factored);
  const cheap = plan.combinations > SAMPLE ? CHEAP : CHEAP_IF_SMALL;
  const isCheap = sums < cheap * daily || force === 'summed';
  const stretches =
    stretched === null || isCheap || !isWorthIt
      ? null
      : new Stretches({
          ...parts,
          cacheBytes: parts.cacheBytes / 4,
          plan: stretched,
          grid,
          slippage: plan.terms.slippage,
          variables: plan.variables.length,
          isForced: force === 'stretches',
        });
  const cost =
    stretches === null
      ? Number.POSITIVE_INFINITY
      : stretches.choose((visit) => visitSample(parts, visit)).cost * daily;
  const isForced = force === 'stretches' && stretches !== null;
  if (stretches !== null && (isForced || (cost < sums && cost < daily)))
    return { kind: 'stretches', stretches };
  stretches?.dispose();
  if (factored === null || (sums >= daily && force !== 'summed')) return DAILY;
  const runner = new FactoredRunner({
    ...parts,
    ...factored,
    grid,
    slippage: plan.terms.slippage,
    cacheBytes: parts.cacheBytes / 4,
    variables: plan.variables.length,
    layoutOf: (first, last) => simulator.layout(first, last),
    isFaulty: ({ block }, digits) => faults.hasWithin(block.key.variables, digits),
  });
  return { kind: 'summed', runner, ...factored };
}

/** A root if whose branches can be summed up apart, with its branches. */
interface FactoredTree {
  readonly plan: FactoredPlan;
  readonly outer: BranchPlan;
  readonly inner: BranchPlan;
}

function factoredTree({ tree, plan, table, spans, faults }: RunnerParts): FactoredTree | null {
  const tickers = new Map<BlockPlan, Set<string>>();
  const factored = factoredPlan(tree, (block) => {
    const found = tickersWithin(block, plan.variables);
    tickers.set(block, found);
    return found;
  });
  if (factored === null) return null;
  const branch = (block: BlockPlan, isThen: boolean): BranchPlan | null => {
    const known = [...(tickers.get(block) ?? [])].find((ticker) => table.has(ticker));
    if (known === undefined && block.kind !== 'cash') return null;
    const variants = branchVariants(
      block,
      factored.root.conditionKey.variables,
      plan.space.radices,
      spans,
      (digits) => faults.hasWithin(block.key.variables, digits),
    );
    return { block, isThen, variants, code: known === undefined ? 0 : table.codeOf(known) };
  };
  const then = branch(factored.root.then, true);
  const otherwise = branch(factored.root.otherwise, false);
  if (then === null || otherwise === null) return null;
  const { isThenOuter } = factored;
  return { plan: factored, outer: isThenOuter ? then : otherwise, inner: isThenOuter ? otherwise : then };
}

/** Expected cost of a combination by sums, judged by a few masks. */
function summing(parts: RunnerParts, grid: DayGrid, { plan, outer, inner }: FactoredTree): number {
  const { workspace, evaluator, faults } = parts;
  const { radices } = parts.plan.space;
  const { conditionKey } = plan.root;
  const { cuts, days, steps } = grid;
  const [from, to] = [cuts[0] as number, cuts[cuts.length - 1] as number];
  const digits = new Int32Array(radices.length);
  let [masks, held, switches] = [0, 0, 0];
  const wanted = Math.min(SAMPLED_MASKS, conditionKey.size);
  for (let i = 0; i < conditionKey.size && masks < wanted && i < 4 * SAMPLED_MASKS; i++) {
    conditionKey.write(Math.floor(((i * SPREAD) % 1) * conditionKey.size), digits);
    if (faults.hasWithin(conditionKey.variables, digits)) continue;
    masks++;
    const at = evaluator.mask(plan.root, digits);
    held += workspace.kernels.countDays(at, from - 1, to - 1);
    switches += workspace.kernels.countTurns(at, from - 1, to - 1);
  }
  if (masks === 0) return Number.POSITIVE_INFINITY;
  const share = held / masks / days;
  // A cut of the grid cuts the piece that is there.
  const runs = switches / masks / 2;
  const outerShare = plan.isThenOuter ? share : 1 - share;
  return summingCost({
    radices,
    conditions: conditionKey.variables,
    outer: outer.block.key.variables,
    inner: inner.block.key.variables,
    days,
    steps,
    outerShare,
    outerPieces: runs + steps * outerShare,
    innerPieces: runs + steps * (1 - outerShare),
  });
}

/** Neighbours in the middle of a batch that can run, one after the other in the same digits. */
function visitSample({ plan, tree, spans, faults, start, end }: RunnerParts, visit: BindingVisitor): void {
  const { radices } = plan.space;
  const count = Math.min(SAMPLE, plan.combinations);
  const from = Math.floor((plan.combinations - count) / 2);
  const digits = new Int32Array(radices.length);
  for (let combination = from; combination < from + count; combination++) {
    writeDigits(digits, radices, combination);
    if (faults.has(digits)) continue;
    const span = spans.of(tree.root, digits);
    const [first, last] = [Math.max(start, span.first), Math.min(end, span.last)];
    if (first < last) visit(digits, first, last);
  }
}
