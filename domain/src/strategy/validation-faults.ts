import type { Problem } from '../kernel/refusal.ts';
import { INDICATORS, isWindowIndicator } from './indicator.ts';
import { MAX_WINDOW } from './indicator-table.ts';
import type { IndicatorName } from './tree.ts';
import { idOf, nameOf } from './validation-names.ts';
import { field, isRecord, isVariable, numberOf, quote } from './values.ts';

export interface ValidationContext {
  /**
   * True where the strategy is about to run: a variable is then a fault. Otherwise variables are fine in
   * every place that takes one.
   */
  readonly requireBound?: boolean;
  /** Whether a ticker has prices; without it tickers are not looked up. */
  readonly isKnownTicker?: (ticker: string) => boolean;
  /** What earlier checks with the same context found; of trees that are never changed in place. */
  readonly faultless?: FaultlessBlocks;
}

/** Blocks without a fault in them, so that what a changed tree shares with the one before is not looked at again. */
export type FaultlessBlocks = WeakMap<object, { readonly depth: number; readonly assets: number }>;

/** A check stops after so many problems; nobody reads more. */
const MAX_PROBLEMS = 200;

export type Node = Record<string, unknown>;

export interface NumberBounds {
  readonly isWhole: boolean;
  readonly min: number | null;
  readonly max: number | null;
}

/** What is wrong with a tree so far, and the checks that every part of it needs. */
export class Faults {
  readonly problems: Problem[] = [];
  private readonly context: ValidationContext;

  constructor(context: ValidationContext) {
    this.context = context;
  }

  /** Whether nothing more is kept. */
  get isFull(): boolean {
    return this.problems.length >= MAX_PROBLEMS;
  }

  add(node: Node, code: string, fault: string): void {
    if (this.isFull) return;
    const nodeId = idOf(node);
    const message = `${nameOf(node)} ${fault}`;
    this.problems.push(nodeId === undefined ? { code, message } : { code, message, nodeId });
  }

  id(node: Node): void {
    if (idOf(node) === undefined) this.add(node, 'missing_id', 'has no id');
  }

  variable(node: Node, name: string): void {
    if (!isVariable(name))
      this.add(node, 'invalid_variable', `has ${quote(name)} where a variable needs a name`);
    else if (this.context.requireBound === true)
      this.add(node, 'unbound_variable', `uses the variable ${name}, which has no value`);
  }

  ticker(node: Node, ticker: string): void {
    if (ticker.startsWith('$')) this.variable(node, ticker);
    else if (this.context.isKnownTicker?.(ticker) === false)
      this.add(node, 'unknown_ticker', `names the unknown ticker ${ticker}`);
  }

  window(node: Node, value: unknown, min: number, what: string): number | null {
    const bounds = { isWhole: true, min, max: MAX_WINDOW };
    return this.number(node, value, bounds, what, 'window_out_of_bounds');
  }

  /** A number within bounds, text that holds one, or a variable; answers the number, null for all else. */
  number(
    node: Node,
    value: unknown,
    { isWhole, min, max }: NumberBounds,
    what: string,
    code = 'number_out_of_bounds',
  ): number | null {
    if (typeof value === 'string' && value.startsWith('$')) {
      this.variable(node, value);
      return null;
    }
    const number = numberOf(value);
    const isWithin =
      number !== null &&
      (!isWhole || Number.isInteger(number)) &&
      (min === null || number >= min) &&
      (max === null || number <= max);
    if (isWithin) return number;
    const range = `${min === null ? '' : ` from ${min}`}${max === null ? '' : ` to ${max}`}`;
    const expected = `expected a ${isWhole ? 'whole ' : ''}number${range}`;
    this.add(node, code, `has the ${what} ${quote(value)}, ${expected}`);
    return null;
  }

  /** As `number`, of a field that may be absent. */
  optional(node: Node, name: string, bounds: NumberBounds, what: string): void {
    const value = field(node, name);
    if (value !== undefined && value !== null) this.number(node, value, bounds, what);
  }

  /**
   * The numbers that a function takes. A parameter that it does not have is not looked at.
   * @param side "left " or "right " for sentences, or nothing
   */
  parameters(node: Node, fn: IndicatorName, params: unknown, side: string): void {
    const given = isRecord(params) ? params : {};
    // The functions of before never looked at what is no object: stored strategies may hold anything there.
    if (!isRecord(params) && params !== undefined && params !== null && !isWindowIndicator(fn))
      this.add(node, 'invalid_parameters', `has ${quote(params)} as ${side}parameters, expected an object`);
    const numbers: Record<string, number | null> = {};
    for (const { name, label, isWhole, min, max, default: preset } of INDICATORS[fn].parameters) {
      const value = field(given, name) ?? preset;
      const code = isWhole ? 'window_out_of_bounds' : 'number_out_of_bounds';
      numbers[name] = this.number(node, value, { isWhole, min, max }, `${side}${label}`, code);
    }
    const { fast, slow } = numbers;
    if (typeof fast === 'number' && typeof slow === 'number' && fast >= slow) {
      const fault = `has the ${side}fast window ${fast}, which must be smaller than its slow window ${slow}`;
      this.add(node, 'window_out_of_bounds', fault);
    }
    const window = field(given, 'window');
    // Its window plays no part, but a variable in it needs a value like any other.
    if (fn === 'current-price' && typeof window === 'string' && window.startsWith('$'))
      this.variable(node, window);
  }
}
