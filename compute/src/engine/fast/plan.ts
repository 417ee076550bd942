import type { ResultVariable } from '@quantloom/domain/ports/result-store';
import {
  INDICATORS,
  isWindowIndicator,
  MAX_WINDOW,
  MIN_INVERSE_VOLATILITY_WINDOW,
} from '@quantloom/domain/strategy/indicator';
import type {
  Algorithm,
  BlockNode,
  Comparator,
  ConditionItem,
  IndicatorName,
  WindowIndicatorName,
} from '@quantloom/domain/strategy/tree';
import { sidesOf } from '@quantloom/domain/strategy/values';
import { Key, Place } from './variables.ts';

/** A template compiled: every part knows the variables it depends on. Wrappers of a single child are gone. */
export type BlockPlan = CashPlan | AssetPlan | MixPlan | InversePlan | IfPlan | FilterPlan;

interface PlanBase {
  readonly key: Key;
  /** Number of the block in the plan. */
  readonly number: number;
  /** Most slots its portfolio may have: tickers held at the same time, repeated ones counted again. */
  readonly slots: number;
}
export interface CashPlan extends PlanBase {
  readonly kind: 'cash';
}
export interface AssetPlan extends PlanBase {
  readonly kind: 'asset';
  readonly ticker: Place;
}
/** Children with fixed shares; what is missing to 1 is cash. */
export interface MixPlan extends PlanBase {
  readonly kind: 'mix';
  readonly children: readonly BlockPlan[];
  /** Per child; null: equal shares. */
  readonly weights: readonly { readonly num: Place; readonly den: Place }[] | null;
}
export interface InversePlan extends PlanBase {
  readonly kind: 'inverse';
  readonly children: readonly BlockPlan[];
  readonly deviations: readonly IndicatorPlan[];
}
export interface IfPlan extends PlanBase {
  readonly kind: 'if';
  readonly needsAll: boolean;
  readonly conditions: readonly ConditionPlan[];
  /** Variables of the conditions alone. */
  readonly conditionKey: Key;
  readonly then: BlockPlan;
  readonly otherwise: BlockPlan;
}
export interface FilterPlan extends PlanBase {
  readonly kind: 'filter';
  readonly children: readonly BlockPlan[];
  readonly ranks: readonly IndicatorPlan[];
  readonly isTop: boolean;
  readonly count: Place;
}

export interface ConditionPlan {
  readonly key: Key;
  readonly comparator: Comparator;
  readonly left: IndicatorPlan;
  readonly right: IndicatorPlan | Place;
}

export interface IndicatorPlan {
  readonly key: Key;
  readonly fn: WindowIndicatorName;
  readonly window: Place | null;
  /** A ticker, a ratio, or a block with its own series. */
  readonly series: SeriesPlan | BlockPlan;
}

export interface SeriesPlan {
  readonly kind: 'series';
  readonly key: Key;
  readonly sides: readonly Place[];
}

/** A check that single values or combinations of them may fail. */
export interface Fault {
  readonly key: Key;
  isFaulty(digits: Int32Array): boolean;
}

export interface Plan {
  readonly root: BlockPlan;
  readonly blocks: readonly BlockPlan[];
  readonly faults: readonly Fault[];
}

const WEIGHT_TOLERANCE = 1e-9;

/**
 * Compiles a template whose structure is valid. What only a binding can get wrong (unknown tickers, windows out of bounds, weights
 * above 100 %) is kept as faults.
 */
export function compilePlan(
  algorithm: Algorithm,
  variables: readonly ResultVariable[],
  isKnownTicker: (ticker: string) => boolean,
): Plan {
  const compiler = new Compiler(variables, isKnownTicker);
  const root = compiler.list(algorithm.children);
  return { root, blocks: compiler.blocks, faults: compiler.faults };
}

class Compiler {
  readonly blocks: BlockPlan[] = [];
  readonly faults: Fault[] = [];
  private readonly variables: readonly ResultVariable[];
  private readonly radices: readonly number[];
  private readonly isKnownTicker: (ticker: string) => boolean;

  constructor(variables: readonly ResultVariable[], isKnownTicker: (ticker: string) => boolean) {
    this.variables = variables;
    this.radices = variables.map(({ values }) => values.length);
    this.isKnownTicker = isKnownTicker;
  }

  /** Children that are not empty, equally weighted. */
  list(nodes: readonly BlockNode[] | undefined | null): BlockPlan {
    const children = this.filled(nodes);
    const [only] = children;
    if (only === undefined) return this.add({ kind: 'cash', key: this.key(), ...this.base(1) });
    if (children.length === 1) return only;
    return this.add({
      kind: 'mix',
      children,
      weights: null,
      key: this.key(children),
      ...this.base(slotsOf(children)),
    });
  }

  private block(node: BlockNode): BlockPlan {
    switch (node.node_type) {
      case 'asset': {
        const ticker = this.place(node.ticker);
        this.fault([ticker], (digits) => {
          const text = ticker.text(digits);
          return sidesOf(text).length > 1 || text.startsWith('$') || !this.isKnownTicker(text);
        });
        return this.add({ kind: 'asset', ticker, key: this.key([ticker]), ...this.base(1) });
      }
      case 'group':
      case 'wt-cash-equal':
        return this.list(node.children);
      case 'wt-cash-specified':
        return this.specified(node.children ?? []);
      case 'wt-inverse-volatility': {
        const children = this.filled(node.children);
        const window = this.window(node.params.window, MIN_INVERSE_VOLATILITY_WINDOW);
        if (children.length === 0) return this.list([]);
        const deviations = children.map((child) =>
          this.blockIndicator(child, 'standard-deviation-return', window),
        );
        return this.add({
          kind: 'inverse',
          children,
          deviations,
          key: this.key([...children, ...deviations]),
          ...this.base(slotsOf(children)),
        });
      }
      case 'if-then-else': {
        const conditions = node.conditions.map((condition) => this.condition(condition));
        const then = this.list(node.then_children);
        const otherwise = this.list(node.else_children);
        return this.add({
          kind: 'if',
          needsAll: node.condition_type === 'allOf',
          conditions,
          conditionKey: this.key(conditions),
          then,
          otherwise,
          key: this.key([...conditions, then, otherwise]),
          ...this.base(Math.max(then.slots, otherwise.slots)),
        });
      }
      case 'filter': {
        const children = this.filled(node.children);
        const { fn, params } = node.sort;
        if (!isWindowIndicator(fn)) throw new Error(`The fast path does not sort by ${fn}`);
        const window = this.window(params.window, INDICATORS[fn].minWindow);
        const count = this.place(node.select.num);
        this.fault([count], (digits) => {
          const number = count.number(digits);
          return !Number.isInteger(number) || number < 1;
        });
        if (children.length === 0) return this.list([]);
        const ranks = children.map((child) => this.blockIndicator(child, fn, window));
        const most = Math.max(...children.map((child) => child.slots));
        return this.add({
          kind: 'filter',
          children,
          ranks,
          isTop: node.select.fn === 'top',
          count,
          key: this.key([...ranks, ...children, count]),
          ...this.base(most * Math.min(children.length, Math.max(count.largest, 1))),
        });
      }
      default:
        throw new Error(`Block ${node.id} of type ${node.node_type} passed validation but cannot run`);
    }
  }

  private specified(nodes: readonly BlockNode[]): BlockPlan {
    const weights = nodes.map(({ weight }) => ({ num: this.place(weight.num), den: this.place(weight.den) }));
    this.fault(
      weights.flatMap(({ num, den }) => [num, den]),
      (digits) => {
        let sum = 0;
        for (const { num, den } of weights) {
          const [n, d] = [num.number(digits), den.number(digits)];
          if (!(n >= 0) || !(d > 0)) return true;
          sum += n / d;
        }
        return sum > 1 + WEIGHT_TOLERANCE;
      },
    );
    const filled = nodes.flatMap((node, i) =>
      node.node_type === 'empty'
        ? []
        : [{ child: this.block(node), weight: weights[i] as (typeof weights)[0] }],
    );
    const [only] = filled;
    if (only === undefined) return this.list([]);
    const isWhole = (weight: (typeof weights)[0]) =>
      weight.num.variable < 0 && weight.den.variable < 0 && weight.num.text(NONE) === weight.den.text(NONE);
    if (filled.length === 1 && isWhole(only.weight)) return only.child;
    const children = filled.map(({ child }) => child);
    return this.add({
      kind: 'mix',
      children,
      weights: filled.map(({ weight }) => weight),
      key: this.key([...children, ...filled.flatMap(({ weight }) => [weight.num, weight.den])]),
      ...this.base(slotsOf(children)),
    });
  }

  private condition(node: ConditionItem): ConditionPlan {
    if (node.node_type === 'condition-group') throw new Error('The fast path knows no condition groups');
    const left = this.side(node.lhs_fn, node.lhs_val, node.lhs_fn_params?.window);
    const right = node.rhs_fixed_val
      ? this.place(node.rhs_val)
      : this.side(node.rhs_fn, node.rhs_val, node.rhs_fn_params?.window);
    if (right instanceof Place) this.fault([right], (digits) => Number.isNaN(right.number(digits)));
    if (node.comparator === null)
      throw new Error(`Condition ${node.id} passed validation without comparator`);
    const parts = right instanceof Place ? [left, right] : [left, right];
    return { comparator: node.comparator, left, right, key: this.key(parts) };
  }

  private side(fn: IndicatorName | null, value: unknown, rawWindow: unknown): IndicatorPlan {
    if (!isWindowIndicator(fn) || typeof value !== 'string')
      throw new Error('An incomplete condition passed validation');
    const sides = sidesOf(value).map((side) => this.place(side));
    this.fault(sides, (digits) => {
      const tickers = sides.flatMap((side) => sidesOf(side.text(digits)));
      return (
        tickers.length > 2 || tickers.some((ticker) => ticker.startsWith('$') || !this.isKnownTicker(ticker))
      );
    });
    const series: SeriesPlan = { kind: 'series', sides, key: this.key(sides) };
    const { usesWindow, minWindow } = INDICATORS[fn];
    const window = usesWindow ? this.window(rawWindow, minWindow) : null;
    return { fn, window, series, key: this.key(window === null ? [series] : [series, window]) };
  }

  private blockIndicator(block: BlockPlan, fn: WindowIndicatorName, window: Place): IndicatorPlan {
    const series: SeriesPlan | BlockPlan =
      block.kind === 'asset' ? { kind: 'series', sides: [block.ticker], key: block.key } : block;
    return { fn, window, series, key: this.key([series, window]) };
  }

  private window(raw: unknown, smallest: number): Place {
    const window = this.place(raw);
    this.fault([window], (digits) => {
      const number = window.number(digits);
      return !Number.isInteger(number) || number < smallest || number > MAX_WINDOW;
    });
    return window;
  }

  private filled(nodes: readonly BlockNode[] | undefined | null): BlockPlan[] {
    return (nodes ?? []).filter((node) => node.node_type !== 'empty').map((node) => this.block(node));
  }

  private place(raw: unknown): Place {
    return new Place(raw, this.variables);
  }

  private fault(places: readonly Place[], isFaulty: (digits: Int32Array) => boolean): void {
    const key = this.key(places);
    if (key.variables.length === 0 && !isFaulty(NONE)) return;
    this.faults.push({ key, isFaulty });
  }

  private key(parts: readonly (Place | { readonly key: Key })[] = []): Key {
    const variables = parts.flatMap((part) => (part instanceof Place ? part.variables : part.key.variables));
    return new Key(variables, this.radices);
  }

  private base(slots: number): { number: number; slots: number } {
    return { number: this.blocks.length, slots };
  }

  private add<P extends BlockPlan>(block: P): P {
    const numbered = { ...block, number: this.blocks.length };
    this.blocks.push(numbered);
    return numbered;
  }
}

const NONE = new Int32Array(0);

function slotsOf(children: readonly BlockPlan[]): number {
  return children.reduce((sum, child) => sum + child.slots, 0);
}
