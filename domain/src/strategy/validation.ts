import type { Problem } from '../kernel/refusal.ts';
import { isSeriesName } from '../market-data/condition-series.ts';
import { isWeightKind } from './block-table.ts';
import { isFilterSortName, MIN_INVERSE_VOLATILITY_WINDOW } from './indicator.ts';
import { MAX_CORRIDOR, REBALANCE_DAYS, REBALANCE_RULES } from './rebalancing.ts';
import { checkConditions } from './validation-conditions.ts';
import { Faults, type Node, type ValidationContext } from './validation-faults.ts';
import { field, isRecord, listOf, numberOf, quote, sidesOf, windowIn } from './values.ts';

/** Blocks may be nested this deep; a limit so that a hostile document cannot exhaust the stack. */
export const MAX_DEPTH = 512;
/** Specified weights may exceed 1 by rounding only. */
const WEIGHT_TOLERANCE = 1e-9;

/**
 * Every fault that keeps a tree from running, in the order of the tree; an empty list means it can run as far
 * as its structure goes. Total: takes any JSON value and never throws.
 */
export function validateAlgorithm(algorithm: unknown, context: ValidationContext = {}): Problem[] {
  if (!isRecord(algorithm)) {
    return [
      {
        code: 'invalid_algorithm',
        message: `The strategy must be a tree of blocks, not ${quote(algorithm)}`,
      },
    ];
  }
  const check = new Check(context);
  check.root(algorithm);
  return check.faults.problems;
}

class Check {
  readonly faults: Faults;
  private readonly context: ValidationContext;
  private assets = 0;

  constructor(context: ValidationContext) {
    this.context = context;
    this.faults = new Faults(context);
  }

  root(node: Node): void {
    if (field(node, 'node_type') !== 'root') {
      this.faults.add(node, 'not_root', `must be the root block, not ${quote(field(node, 'node_type'))}`);
      return;
    }
    this.faults.id(node);
    this.rebalancing(node);
    this.children(node, 'children', 0);
    if (this.assets === 0) this.faults.add(node, 'no_asset', 'has no asset: add at least one asset block');
  }

  private rebalancing(node: Node): void {
    const rule = field(node, 'rebalance') ?? 'daily';
    if (!(REBALANCE_RULES as readonly unknown[]).includes(rule)) {
      const expected = `expected one of ${REBALANCE_RULES.join(', ')}`;
      this.faults.add(node, 'unknown_rebalance_rule', `is rebalanced ${quote(rule)}, ${expected}`);
    }
    const on = field(node, 'rebalance_on') ?? 'last';
    if (!(REBALANCE_DAYS as readonly unknown[]).includes(on)) {
      const expected = `expected one of ${REBALANCE_DAYS.join(', ')}`;
      this.faults.add(node, 'invalid_rebalance_day', `is rebalanced on ${quote(on)}, ${expected}`);
    }
    if (rule === 'corridor') this.corridor(node);
  }

  private corridor(node: Node): void {
    const value = field(node, 'corridor');
    if (typeof value === 'string' && value.startsWith('$')) {
      this.faults.variable(node, value);
      return;
    }
    const corridor = numberOf(value);
    if (corridor !== null && corridor > 0 && corridor <= MAX_CORRIDOR) return;
    const expected = `expected percentage points above 0 and at most ${MAX_CORRIDOR}`;
    this.faults.add(node, 'invalid_corridor', `has the corridor ${quote(value)}, ${expected}`);
  }

  private children(node: Node, name: string, depth: number): readonly unknown[] {
    const children = listOf(node, name);
    if (children === null) {
      this.faults.add(
        node,
        'invalid_list',
        `has ${quote(field(node, name))} as ${name}, expected a list of blocks`,
      );
      return [];
    }
    if (depth >= MAX_DEPTH) {
      this.faults.add(node, 'too_deep', `is nested more than ${MAX_DEPTH} levels deep`);
      return [];
    }
    for (const child of children) {
      if (this.faults.isFull) break;
      if (isRecord(child)) this.block(child, depth + 1);
      else this.faults.add(node, 'invalid_block', `holds ${quote(child)} where a block is expected`);
    }
    return children;
  }

  private block(node: Node, depth: number): void {
    const { faultless } = this.context;
    const known = faultless?.get(node);
    // Deeper down it may be nested too deep.
    if (known !== undefined && depth <= known.depth) {
      this.assets += known.assets;
      return;
    }
    const { assets } = this;
    const faults = this.faults.problems.length;
    this.kindOfBlock(node, depth);
    // A check that has stopped finds no more faults.
    if (this.faults.problems.length === faults && !this.faults.isFull)
      faultless?.set(node, { depth, assets: this.assets - assets });
  }

  private kindOfBlock(node: Node, depth: number): void {
    this.faults.id(node);
    const type = field(node, 'node_type');
    switch (type) {
      case 'empty':
        return;
      case 'asset':
        this.asset(node);
        return;
      case 'group':
        this.children(node, 'children', depth);
        return;
      case 'wt-cash-specified':
        this.specified(node, depth);
        return;
      case 'wt-inverse-volatility':
        this.faults.window(node, windowIn(field(node, 'params')), MIN_INVERSE_VOLATILITY_WINDOW, 'window');
        this.children(node, 'children', depth);
        return;
      case 'if-then-else':
        checkConditions(this.faults, node, 0, 'if_without_conditions');
        this.children(node, 'then_children', depth);
        this.children(node, 'else_children', depth);
        return;
      case 'filter':
        this.filter(node, depth);
        return;
      case 'pasted':
        this.faults.add(
          node,
          'unknown_node_type',
          'has type "pasted", a placeholder that cannot run: choose a block',
        );
        return;
      default:
        if (isWeightKind(type)) this.children(node, 'children', depth);
        else this.faults.add(node, 'unknown_node_type', `has the unknown type ${quote(type)}`);
    }
  }

  private asset(node: Node): void {
    this.assets++;
    const ticker = field(node, 'ticker');
    if (typeof ticker !== 'string' || ticker.trim() === '') {
      this.faults.add(node, 'missing_ticker', 'has no ticker');
    } else if (sidesOf(ticker).length > 1) {
      this.faults.add(
        node,
        'ratio_as_asset',
        `names the ratio ${ticker}: a ratio can be used in conditions only`,
      );
    } else if (isSeriesName(ticker)) {
      this.faults.add(
        node,
        'series_as_asset',
        `names the series ${ticker}: a series can be used in conditions only, it cannot be traded`,
      );
    } else {
      this.faults.ticker(node, ticker);
    }
  }

  private specified(node: Node, depth: number): void {
    let sum = 0;
    for (const child of this.children(node, 'children', depth)) {
      if (isRecord(child)) sum += this.weight(child);
    }
    if (sum > 1 + WEIGHT_TOLERANCE) {
      // As many digits as a sum above 100 by more than the tolerance needs to be told from 100.
      const percent = Number((sum * 100).toPrecision(12));
      this.faults.add(
        node,
        'weights_above_100',
        `has weights that add up to ${percent}%, which is above 100%`,
      );
    }
  }

  /** The weight of a child of a specified-weight block as a fraction; 0 where it is unknown. */
  private weight(node: Node): number {
    const weight = field(node, 'weight');
    const parts = isRecord(weight) ? [field(weight, 'num'), field(weight, 'den')] : [undefined, undefined];
    const variables = parts.filter((part) => typeof part === 'string' && part.startsWith('$'));
    if (variables.length > 0) {
      for (const name of variables) this.faults.variable(node, String(name));
      return 0;
    }
    const [num, den] = parts.map(numberOf);
    if (num === null || num === undefined || num < 0) {
      this.faults.add(
        node,
        'invalid_weight',
        `has the weight ${quote(parts[0])}, expected a number that is 0 or more`,
      );
      return 0;
    }
    if (den === null || den === undefined || den <= 0) {
      this.faults.add(
        node,
        'invalid_weight',
        `has the weight denominator ${quote(parts[1])}, expected a number above 0`,
      );
      return 0;
    }
    return num / den;
  }

  private filter(node: Node, depth: number): void {
    const sort = field(node, 'sort');
    const fn = isRecord(sort) ? field(sort, 'fn') : undefined;
    if (isFilterSortName(fn))
      this.faults.parameters(node, fn, isRecord(sort) ? field(sort, 'params') : undefined, '');
    else this.faults.add(node, 'unknown_function', `sorts by the unknown function ${quote(fn)}`);
    const select = field(node, 'select');
    const direction = isRecord(select) ? field(select, 'fn') : undefined;
    if (direction !== 'top' && direction !== 'bottom') {
      const fault = `selects ${quote(direction)}, expected "top" or "bottom"`;
      this.faults.add(node, 'invalid_selection', fault);
    }
    const num = isRecord(select) ? field(select, 'num') : undefined;
    if (typeof num === 'string' && num.startsWith('$')) this.faults.variable(node, num);
    else {
      const count = numberOf(num);
      if (count === null || !Number.isInteger(count) || count < 1) {
        const fault = `selects ${quote(num)} blocks, expected a whole number from 1`;
        this.faults.add(node, 'invalid_selection', fault);
      }
    }
    this.weighting(node);
    this.children(node, 'children', depth);
  }

  private weighting(node: Node): void {
    const weighting = field(node, 'weighting');
    if (weighting === undefined || weighting === null) return;
    const type = isRecord(weighting) ? field(weighting, 'type') : weighting;
    if (!isRecord(weighting) || (type !== 'equal' && type !== 'inverse-volatility' && type !== 'by-rank')) {
      const fault = `weights its choice by ${quote(type)}, expected equal, inverse-volatility or by-rank`;
      this.faults.add(node, 'unknown_weighting', fault);
    } else if (type === 'inverse-volatility') {
      const window = field(weighting, 'window');
      this.faults.window(node, window, MIN_INVERSE_VOLATILITY_WINDOW, 'window of its weighting');
    } else if (type === 'by-rank') this.ranks(node, weighting);
  }

  /** The weights by rank; all of them count towards the sum, also those that no choice reaches. */
  private ranks(node: Node, weighting: Node): void {
    const weights = listOf(weighting, 'weights');
    if (weights === null || weights.length === 0) {
      this.faults.add(node, 'invalid_weight', 'needs at least one weight to weight its choice by rank');
      return;
    }
    let sum = 0;
    for (const [place, weight] of weights.entries()) {
      const variables = isRecord(weight)
        ? [field(weight, 'num'), field(weight, 'den')].filter((part) => String(part).startsWith('$'))
        : [];
      for (const name of variables) this.faults.variable(node, String(name));
      if (variables.length > 0) continue;
      const num = isRecord(weight) ? numberOf(field(weight, 'num')) : null;
      const den = isRecord(weight) ? numberOf(field(weight, 'den')) : null;
      if (num === null || den === null || num < 0 || den <= 0) {
        const expected = 'expected num of 0 or more and den above 0';
        this.faults.add(node, 'invalid_weight', `has an invalid weight for rank ${place + 1}, ${expected}`);
      } else sum += num / den;
    }
    if (sum > 1 + WEIGHT_TOLERANCE) {
      const percent = Number((sum * 100).toPrecision(12));
      const fault = `has weights by rank that add up to ${percent}%, which is above 100%`;
      this.faults.add(node, 'weights_above_100', fault);
    }
  }
}
