import type { Problem } from '../kernel/refusal.ts';
import {
  INDICATORS,
  isFilterSortName,
  isIndicatorName,
  MAX_WINDOW,
  MIN_INVERSE_VOLATILITY_WINDOW,
} from './indicator.ts';
import { idOf, nameOf, quote } from './validation-names.ts';
import { field, isRecord, isVariable, listOf, numberOf, sidesOf, windowIn } from './values.ts';

export interface ValidationContext {
  /** True where the strategy is about to run: a variable is then a fault. Otherwise variables are fine in every place that takes one. */
  readonly requireBound?: boolean;
  /** Whether a ticker has prices; without it tickers are not looked up. */
  readonly isKnownTicker?: (ticker: string) => boolean;
  /** What earlier checks with the same context found; of trees that are never changed in place. */
  readonly faultless?: FaultlessBlocks;
}

/** Blocks without a fault in them, so that what a changed tree shares with the one before is not looked at again. */
export type FaultlessBlocks = WeakMap<object, { readonly depth: number; readonly assets: number }>;

/** Blocks may be nested this deep; a limit so that a hostile document cannot exhaust the stack. */
export const MAX_DEPTH = 256;
/** A check stops after so many problems; nobody reads more. */
const MAX_PROBLEMS = 200;
/** Specified weights may exceed 1 by rounding only. */
const WEIGHT_TOLERANCE = 1e-9;

type Node = Record<string, unknown>;

/**
 * Every fault that keeps a tree from running, in the order of the tree; an empty list means it can run as far as its structure
 * goes. Total: takes any JSON value and never throws.
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
  return check.problems;
}

class Check {
  readonly problems: Problem[] = [];
  private readonly context: ValidationContext;
  private assets = 0;

  constructor(context: ValidationContext) {
    this.context = context;
  }

  root(node: Node): void {
    if (field(node, 'node_type') !== 'root') {
      this.add(node, 'not_root', `must be the root block, not ${quote(field(node, 'node_type'))}`);
      return;
    }
    this.id(node);
    this.children(node, 'children', 0);
    if (this.assets === 0) this.add(node, 'no_asset', 'has no asset: add at least one asset block');
  }

  private add(node: Node, code: string, fault: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const nodeId = idOf(node);
    const message = `${nameOf(node)} ${fault}`;
    this.problems.push(nodeId === undefined ? { code, message } : { code, message, nodeId });
  }

  private id(node: Node): void {
    if (idOf(node) === undefined) this.add(node, 'missing_id', 'has no id');
  }

  private children(node: Node, name: string, depth: number): readonly unknown[] {
    const children = listOf(node, name);
    if (children === null) {
      this.add(node, 'invalid_list', `has ${quote(field(node, name))} as ${name}, expected a list of blocks`);
      return [];
    }
    if (depth >= MAX_DEPTH) {
      this.add(node, 'too_deep', `is nested more than ${MAX_DEPTH} levels deep`);
      return [];
    }
    for (const child of children) {
      if (this.problems.length >= MAX_PROBLEMS) break;
      if (isRecord(child)) this.block(child, depth + 1);
      else this.add(node, 'invalid_block', `holds ${quote(child)} where a block is expected`);
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
    const faults = this.problems.length;
    this.kindOfBlock(node, depth);
    // A check that has stopped finds no more faults.
    if (this.problems.length === faults && faults < MAX_PROBLEMS)
      faultless?.set(node, { depth, assets: this.assets - assets });
  }

  private kindOfBlock(node: Node, depth: number): void {
    this.id(node);
    const type = field(node, 'node_type');
    switch (type) {
      case 'empty':
        return;
      case 'asset':
        this.asset(node);
        return;
      case 'group':
      case 'wt-cash-equal':
        this.children(node, 'children', depth);
        return;
      case 'wt-cash-specified':
        this.specified(node, depth);
        return;
      case 'wt-inverse-volatility':
        this.window(node, windowIn(field(node, 'params')), MIN_INVERSE_VOLATILITY_WINDOW, 'window');
        this.children(node, 'children', depth);
        return;
      case 'if-then-else':
        this.ifThenElse(node, depth);
        return;
      case 'filter':
        this.filter(node, depth);
        return;
      case 'pasted':
        this.add(
          node,
          'unknown_node_type',
          'has type "pasted", a placeholder that cannot run: choose a block',
        );
        return;
      default:
        this.add(node, 'unknown_node_type', `has the unknown type ${quote(type)}`);
    }
  }

  private asset(node: Node): void {
    this.assets++;
    const ticker = field(node, 'ticker');
    if (typeof ticker !== 'string' || ticker.trim() === '') {
      this.add(node, 'missing_ticker', 'has no ticker');
    } else if (sidesOf(ticker).length > 1) {
      this.add(node, 'ratio_as_asset', `names the ratio ${ticker}: a ratio can be used in conditions only`);
    } else {
      this.ticker(node, ticker);
    }
  }

  private ticker(node: Node, ticker: string): void {
    if (ticker.startsWith('$')) this.variable(node, ticker);
    else if (this.context.isKnownTicker?.(ticker) === false)
      this.add(node, 'unknown_ticker', `names the unknown ticker ${ticker}`);
  }

  private variable(node: Node, name: string): void {
    if (!isVariable(name))
      this.add(node, 'invalid_variable', `has ${quote(name)} where a variable needs a name`);
    else if (this.context.requireBound === true)
      this.add(node, 'unbound_variable', `uses the variable ${name}, which has no value`);
  }

  private specified(node: Node, depth: number): void {
    let sum = 0;
    for (const child of this.children(node, 'children', depth)) {
      if (isRecord(child)) sum += this.weight(child);
    }
    if (sum > 1 + WEIGHT_TOLERANCE) {
      // As many digits as a sum above 100 by more than the tolerance needs to be told from 100.
      const percent = Number((sum * 100).toPrecision(12));
      this.add(node, 'weights_above_100', `has weights that add up to ${percent} %, which is above 100 %`);
    }
  }

  /** The weight of a child of a specified-weight block as a fraction; 0 where it is unknown. */
  private weight(node: Node): number {
    const weight = field(node, 'weight');
    const parts = isRecord(weight) ? [field(weight, 'num'), field(weight, 'den')] : [undefined, undefined];
    const variables = parts.filter((part) => typeof part === 'string' && part.startsWith('$'));
    if (variables.length > 0) {
      for (const name of variables) this.variable(node, String(name));
      return 0;
    }
    const [num, den] = parts.map(numberOf);
    if (num === null || num === undefined || num < 0) {
      this.add(
        node,
        'invalid_weight',
        `has the weight ${quote(parts[0])}, expected a number that is 0 or more`,
      );
      return 0;
    }
    if (den === null || den === undefined || den <= 0) {
      this.add(
        node,
        'invalid_weight',
        `has the weight denominator ${quote(parts[1])}, expected a number above 0`,
      );
      return 0;
    }
    return num / den;
  }

  private window(node: Node, value: unknown, min: number, what: string): void {
    if (typeof value === 'string' && value.startsWith('$')) {
      this.variable(node, value);
      return;
    }
    const window = numberOf(value);
    if (window === null || !Number.isInteger(window) || window < min || window > MAX_WINDOW) {
      const expected = `expected a whole number from ${min} to ${MAX_WINDOW}`;
      this.add(node, 'window_out_of_bounds', `has the ${what} ${quote(value)}, ${expected}`);
    }
  }

  private filter(node: Node, depth: number): void {
    const sort = field(node, 'sort');
    const fn = isRecord(sort) ? field(sort, 'fn') : undefined;
    if (isFilterSortName(fn)) {
      const window = isRecord(sort) ? windowIn(field(sort, 'params')) : undefined;
      this.window(node, window, INDICATORS[fn].minWindow, 'window');
    } else {
      this.add(node, 'unknown_function', `sorts by the unknown function ${quote(fn)}`);
    }
    const select = field(node, 'select');
    const direction = isRecord(select) ? field(select, 'fn') : undefined;
    if (direction !== 'top' && direction !== 'bottom') {
      this.add(node, 'invalid_selection', `selects ${quote(direction)}, expected "top" or "bottom"`);
    }
    const num = isRecord(select) ? field(select, 'num') : undefined;
    if (typeof num === 'string' && num.startsWith('$')) this.variable(node, num);
    else {
      const count = numberOf(num);
      if (count === null || !Number.isInteger(count) || count < 1) {
        this.add(node, 'invalid_selection', `selects ${quote(num)} blocks, expected a whole number from 1`);
      }
    }
    this.children(node, 'children', depth);
  }

  private ifThenElse(node: Node, depth: number): void {
    const conditions = listOf(node, 'conditions');
    const type = field(node, 'condition_type');
    if (conditions === null)
      this.add(
        node,
        'invalid_list',
        `has ${quote(field(node, 'conditions'))} as conditions, expected a list`,
      );
    else if (conditions.length === 0) this.add(node, 'if_without_conditions', 'has no conditions');
    else if (type !== 'allOf' && type !== 'anyOf')
      this.add(
        node,
        'invalid_condition_type',
        `joins its conditions by ${quote(type)}, expected allOf or anyOf`,
      );
    for (const condition of conditions ?? []) {
      if (this.problems.length >= MAX_PROBLEMS) return;
      if (isRecord(condition)) this.condition(condition);
      else this.add(node, 'incomplete_condition', `has ${quote(condition)} where a condition is expected`);
    }
    this.children(node, 'then_children', depth);
    this.children(node, 'else_children', depth);
  }

  private condition(node: Node): void {
    const type = field(node, 'node_type');
    if (type !== undefined && type !== 'condition') {
      this.add(node, 'unknown_node_type', `has the type ${quote(type)} where a condition is expected`);
      return;
    }
    this.id(node);
    this.side(node, 'lhs', 'left');
    const comparator = field(node, 'comparator');
    if (comparator === undefined || comparator === null || comparator === '')
      this.add(node, 'incomplete_condition', 'is incomplete: it has no comparator');
    else if (comparator !== 'gt' && comparator !== 'lt' && comparator !== 'eq')
      this.add(node, 'incomplete_condition', `has the unknown comparator ${quote(comparator)}`);
    if (field(node, 'rhs_fixed_val') === true) this.fixedValue(node);
    else this.side(node, 'rhs', 'right');
  }

  private side(node: Node, side: 'lhs' | 'rhs', label: string): void {
    const fn = field(node, `${side}_fn`);
    if (fn === undefined || fn === null || fn === '') {
      this.add(node, 'incomplete_condition', `is incomplete: its ${label} side has no function`);
    } else if (!isIndicatorName(fn)) {
      this.add(node, 'unknown_function', `has the unknown function ${quote(fn)} on its ${label} side`);
    } else {
      const { usesWindow, minWindow } = INDICATORS[fn];
      const window = windowIn(field(node, `${side}_fn_params`));
      if (usesWindow) this.window(node, window, minWindow, `${label} window`);
      else if (typeof window === 'string' && window.startsWith('$')) this.variable(node, window);
    }
    const value = field(node, `${side}_val`);
    if (typeof value !== 'string' || value.trim() === '') {
      this.add(node, 'incomplete_condition', `is incomplete: its ${label} side has no ticker`);
      return;
    }
    const sides = sidesOf(value);
    if (sides.length > 2 || sides.some((ticker) => ticker.trim() === '')) {
      this.add(
        node,
        'incomplete_condition',
        `has ${quote(value)} on its ${label} side, expected a ticker or a ratio A/B`,
      );
      return;
    }
    for (const ticker of sides) this.ticker(node, ticker);
  }

  private fixedValue(node: Node): void {
    const value = field(node, 'rhs_val');
    if (typeof value === 'string' && value.startsWith('$')) this.variable(node, value);
    else if (value === undefined || value === null || value === '')
      this.add(node, 'incomplete_condition', 'is incomplete: it has no value to compare with');
    else if (numberOf(value) === null)
      this.add(node, 'incomplete_condition', `compares with ${quote(value)}, expected a number`);
  }
}
