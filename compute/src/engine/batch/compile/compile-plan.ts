import { isSeriesName } from '@quantloom/domain/market-data/condition-series';
import type { ResultVariable } from '@quantloom/domain/ports/result-store';
import { INDICATORS, MIN_INVERSE_VOLATILITY_WINDOW } from '@quantloom/domain/strategy/indicator';
import { MAX_WINDOW } from '@quantloom/domain/strategy/indicator-table';
import { MAX_CORRIDOR } from '@quantloom/domain/strategy/rebalancing';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionNode,
  FilterWeighting,
  FunctionParams,
  IndicatorName,
} from '@quantloom/domain/strategy/tree';
import { MAX_DAYS_AGO, MAX_FOR_DAYS } from '@quantloom/domain/strategy/validation-conditions';
import { sidesOf } from '@quantloom/domain/strategy/values';
import { DEPENDS_ON_LEVEL } from '../../reference/own-series.ts';
import type {
  BlockPlan,
  ConditionItemPlan,
  ConditionPlan,
  Fault,
  IndicatorPlan,
  Plan,
  SeriesPlan,
  WeightingPlan,
} from './plan.ts';
import { Key, Place } from './variables.ts';

const WEIGHT_TOLERANCE = 1e-9;

interface Bounds {
  readonly isWhole: boolean;
  readonly min: number | null;
  readonly max: number | null;
}

const DAYS_AGO: Bounds = { isWhole: true, min: 0, max: MAX_DAYS_AGO };
const FOR_DAYS: Bounds = { isWhole: true, min: 1, max: MAX_FOR_DAYS };
const ANY_NUMBER: Bounds = { isWhole: false, min: null, max: null };

/**
 * Compiles a template whose structure is valid. What only a binding can get wrong (unknown tickers, windows
 * out of bounds, weights above 100%) is kept as faults.
 */
export function compilePlan(
  algorithm: Algorithm,
  variables: readonly ResultVariable[],
  isKnownTicker: (ticker: string) => boolean,
): Plan {
  const compiler = new Compiler(variables, isKnownTicker);
  const root = compiler.list(algorithm.children);
  const corridor = algorithm.rebalance === 'corridor' ? compiler.corridor(algorithm.corridor) : null;
  return { root, corridor, blocks: compiler.blocks, faults: compiler.faults };
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

  corridor(raw: unknown): Place {
    const place = this.place(raw);
    this.fault([place], (digits) => {
      const points = place.number(digits);
      return !(points > 0) || !(points <= MAX_CORRIDOR);
    });
    return place;
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
          return (
            sidesOf(text).length > 1 ||
            text.startsWith('$') ||
            isSeriesName(text) ||
            !this.isKnownTicker(text)
          );
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
        const deviations = this.deviations(children, window);
        return this.add({
          kind: 'inverse',
          children,
          deviations,
          key: this.key([...children, ...deviations]),
          ...this.base(slotsOf(children)),
        });
      }
      case 'if-then-else': {
        const conditions = node.conditions.map((item) => this.item(item));
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
        const { fn } = node.sort;
        const params = this.params(fn, node.sort.params);
        const count = this.place(node.select.num);
        this.fault([count], (digits) => {
          const number = count.number(digits);
          return !Number.isInteger(number) || number < 1;
        });
        const weighting = this.weighting(node.weighting, children);
        if (children.length === 0) return this.list([]);
        const nodes = filledNodes(node.children);
        const ranks = children.map((child, i) =>
          this.blockIndicator(child, fn, params, nodes[i]?.node_type !== 'asset'),
        );
        const most = Math.max(...children.map((child) => child.slots));
        const weighed = weighting === null ? [] : placesOf(weighting);
        return this.add({
          kind: 'filter',
          children,
          ranks,
          isTop: node.select.fn === 'top',
          count,
          weighting,
          settings: this.key([...params, count, ...weighed]),
          key: this.key([...ranks, ...children, count, ...weighed]),
          ...this.base(most * Math.min(children.length, Math.max(count.largest, 1))),
        });
      }
      default:
        throw new Error(`Block ${node.id} of type ${node.node_type} passed validation but cannot run`);
    }
  }

  private specified(nodes: readonly BlockNode[]): BlockPlan {
    const weights = nodes.map(({ weight }) => ({ num: this.place(weight.num), den: this.place(weight.den) }));
    this.checkWeights(weights);
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

  /** Shares that are negative, or more than the whole. */
  private checkWeights(weights: readonly { readonly num: Place; readonly den: Place }[]): void {
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
  }

  private weighting(
    weighting: FilterWeighting | null | undefined,
    children: readonly BlockPlan[],
  ): WeightingPlan | null {
    switch (weighting?.type) {
      case 'inverse-volatility': {
        const window = this.window(weighting.window, MIN_INVERSE_VOLATILITY_WINDOW);
        return { kind: 'inverse', deviations: this.deviations(children, window) };
      }
      case 'by-rank': {
        const weights = weighting.weights.map(({ num, den }) => ({
          num: this.place(num),
          den: this.place(den),
        }));
        this.checkWeights(weights);
        return { kind: 'by-rank', weights };
      }
      default:
        return null;
    }
  }

  private deviations(children: readonly BlockPlan[], window: Place): IndicatorPlan[] {
    return children.map((child) => this.blockIndicator(child, 'standard-deviation-return', [window]));
  }

  private item(node: ConditionItem): ConditionItemPlan {
    if (node.node_type !== 'condition-group') return this.condition(node);
    const items = node.conditions.map((item) => this.item(item));
    return { kind: 'group', needsAll: node.condition_type === 'allOf', items, key: this.key(items) };
  }

  private condition(node: ConditionNode): ConditionPlan {
    const left = this.side(node.lhs_fn, node.lhs_val, node.lhs_fn_params);
    const isFixed = node.rhs_fixed_val;
    const right = isFixed
      ? this.place(node.rhs_val)
      : this.side(node.rhs_fn, node.rhs_val, node.rhs_fn_params);
    if (right instanceof Place) this.fault([right], (digits) => Number.isNaN(right.number(digits)));
    if (node.comparator === null)
      throw new Error(`Condition ${node.id} passed validation without comparator`);
    const further = {
      leftDaysAgo: this.setting(node.lhs_days_ago, 0, DAYS_AGO),
      rightDaysAgo: isFixed ? null : this.setting(node.rhs_days_ago, 0, DAYS_AGO),
      scale: isFixed ? null : this.setting(node.rhs_scale, 1, ANY_NUMBER),
      offset: isFixed ? null : this.setting(node.rhs_offset, 0, ANY_NUMBER),
      forDays: this.setting(node.for_days, 1, FOR_DAYS),
    };
    const places = Object.values(further).filter((place) => place !== null);
    const { comparator } = node;
    return {
      kind: 'condition',
      comparator,
      left,
      right,
      ...further,
      key: this.key([left, right, ...places]),
    };
  }

  /** A number within bounds; null where it is the one that changes nothing. */
  private setting(raw: unknown, preset: number, bounds: Bounds): Place | null {
    if (raw === undefined || raw === null) return null;
    const place = this.place(raw);
    this.bounded(place, bounds);
    return place.variable < 0 && place.number(NONE) === preset ? null : place;
  }

  private side(
    fn: IndicatorName | null,
    value: unknown,
    params: FunctionParams | null | undefined,
  ): IndicatorPlan {
    if (fn === null || typeof value !== 'string')
      throw new Error('An incomplete condition passed validation');
    const series = this.series(value);
    const second = INDICATORS[fn].isPair ? this.series(params?.with ?? '') : null;
    const places = this.params(fn, params);
    return {
      fn,
      params: places,
      series,
      second,
      isAtOne: false,
      key: this.key([series, ...(second === null ? [] : [second]), ...places]),
    };
  }

  private series(value: string): SeriesPlan {
    const sides = sidesOf(value).map((side) => this.place(side));
    this.fault(sides, (digits) => {
      const tickers = sides.flatMap((side) => sidesOf(side.text(digits)));
      return (
        tickers.length > 2 || tickers.some((ticker) => ticker.startsWith('$') || !this.isKnownTicker(ticker))
      );
    });
    return { kind: 'series', sides, key: this.key(sides) };
  }

  /** The numbers of a function, in the order of its parameters, the defaults filled in. */
  private params(fn: IndicatorName, raw: FunctionParams | null | undefined): Place[] {
    const named = new Map<string, Place>();
    const places = INDICATORS[fn].parameters.map(({ name, isWhole, min, max, default: preset }) => {
      const place = this.place(raw?.[name] ?? preset);
      this.bounded(place, { isWhole, min, max });
      named.set(name, place);
      return place;
    });
    const [fast, slow] = [named.get('fast'), named.get('slow')];
    if (fast !== undefined && slow !== undefined)
      this.fault([fast, slow], (digits) => !(fast.number(digits) < slow.number(digits)));
    return places;
  }

  /** @param isWrapped whether the block stands for one that only holds it */
  private blockIndicator(
    block: BlockPlan,
    fn: IndicatorName,
    params: readonly Place[],
    isWrapped = false,
  ): IndicatorPlan {
    const series: SeriesPlan | BlockPlan =
      block.kind === 'asset' ? { kind: 'series', sides: [block.ticker], key: block.key } : block;
    const isAtOne = block.kind === 'asset' && isWrapped && DEPENDS_ON_LEVEL.has(fn);
    return { fn, params, series, second: null, isAtOne, key: this.key([series, ...params]) };
  }

  private window(raw: unknown, smallest: number): Place {
    const window = this.place(raw);
    this.bounded(window, { isWhole: true, min: smallest, max: MAX_WINDOW });
    return window;
  }

  private bounded(place: Place, { isWhole, min, max }: Bounds): void {
    this.fault([place], (digits) => {
      const number = place.number(digits);
      if (!Number.isFinite(number) || (isWhole && !Number.isInteger(number))) return true;
      return (min !== null && number < min) || (max !== null && number > max);
    });
  }

  private filled(nodes: readonly BlockNode[] | undefined | null): BlockPlan[] {
    return filledNodes(nodes).map((node) => this.block(node));
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

function filledNodes(nodes: readonly BlockNode[] | undefined | null): BlockNode[] {
  return (nodes ?? []).filter((node) => node.node_type !== 'empty');
}

/** What stands for variables in a weighting. */
function placesOf(weighting: WeightingPlan): (Place | { readonly key: Key })[] {
  if (weighting.kind === 'inverse') return [...weighting.deviations];
  return weighting.weights.flatMap(({ num, den }) => [num, den]);
}

function slotsOf(children: readonly BlockPlan[]): number {
  return children.reduce((sum, child) => sum + child.slots, 0);
}
