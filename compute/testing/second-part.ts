import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import { FILTER_SORT_NAMES, INDICATORS, isWindowIndicator } from '@quantloom/domain/strategy/indicator';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionNode,
  FilterNode,
  FilterSortName,
  FilterWeighting,
  FunctionParams,
  IndicatorName,
} from '@quantloom/domain/strategy/tree';
import { type Dice, TICKERS } from './random-batch.ts';

/** A history that is long enough for the momentum of twelve months would leave no time for others. */
const FURTHER: readonly FilterSortName[] = FILTER_SORT_NAMES.filter(
  (fn) => !isWindowIndicator(fn) && !fn.startsWith('momentum-'),
);
const PAIRS: readonly IndicatorName[] = ['correlation', 'beta'];
const RULES = ['weekly', 'monthly', 'quarterly', 'yearly', 'never', 'corridor'] as const;

/** Adds fields of the second part of the language to a random batch, in any place that takes one. */
export function withSecondPart(request: BatchRequest, throwDice: Dice): BatchRequest {
  const more = new SecondPart(throwDice, request.template_bot.variables.includes('$W'));
  const { algorithm } = request.template_bot;
  return {
    ...request,
    template_bot: {
      ...request.template_bot,
      algorithm: {
        ...algorithm,
        version: 'v2',
        ...more.rule(),
        children: algorithm.children.map((child) => more.block(child)),
      },
    },
    backtest_config: { ...request.backtest_config, ...more.settings() },
  };
}

class SecondPart {
  private readonly throwDice: Dice;
  private readonly hasWindows: boolean;
  private ids = 0;

  constructor(throwDice: Dice, hasWindows: boolean) {
    this.throwDice = throwDice;
    this.hasWindows = hasWindows;
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.throwDice(list.length)] as T;
  }

  private number(most: number): number | string {
    return this.hasWindows && this.throwDice(5) === 0 ? '$W' : this.throwDice(most);
  }

  rule(): Partial<Pick<Algorithm, 'rebalance' | 'rebalance_on' | 'corridor'>> {
    if (this.throwDice(3) === 0) return {};
    return {
      rebalance: this.pick(RULES),
      rebalance_on: this.pick<'first' | 'last' | null>(['first', 'last', null]),
      corridor: this.hasWindows && this.throwDice(3) === 0 ? '$W' : this.pick([0.5, '2', 5, 20]),
    };
  }

  settings() {
    return {
      ...(this.throwDice(3) === 0 ? { fill: 'next-close' as const } : {}),
      ...(this.throwDice(3) === 0
        ? {
            cash:
              this.throwDice(2) === 0
                ? { rate: this.pick([4, -2, 0]) }
                : { ticker: this.pick(['AAA', 'LATE']) },
          }
        : {}),
    };
  }

  block(node: BlockNode): BlockNode {
    switch (node.node_type) {
      case 'if-then-else':
        return {
          ...node,
          conditions: node.conditions.map((item) => this.item(item, 0)),
          then_children: node.then_children.map((child) => this.block(child)),
          else_children: node.else_children.map((child) => this.block(child)),
        };
      case 'filter':
        return this.filter({ ...node, children: node.children.map((child) => this.block(child)) });
      case 'empty':
      case 'pasted':
      case 'asset':
        return node;
      default:
        return { ...node, children: node.children.map((child) => this.block(child)) };
    }
  }

  private filter(node: FilterNode): FilterNode {
    const weighting = this.pick<FilterWeighting | null>([
      null,
      { type: 'equal' },
      { type: 'inverse-volatility', window: 2 + this.throwDice(10) },
      {
        type: 'by-rank',
        weights: [
          { num: 60, den: 100 },
          { num: '25', den: 100 },
        ].slice(0, 1 + this.throwDice(2)),
      },
    ]);
    if (this.throwDice(2) === 0) return { ...node, weighting };
    const fn = this.pick<FilterSortName>([...FURTHER, 'moving-average-price', 'current-price', 'z-score']);
    return { ...node, weighting, sort: { fn, params: this.params(fn) } };
  }

  private params(fn: IndicatorName): FunctionParams {
    const { parameters, isPair } = INDICATORS[fn];
    const some = (name: string) => parameters.some((parameter) => parameter.name === name);
    return {
      ...(some('window') ? { window: 2 + this.throwDice(12) } : {}),
      ...(some('deviations') && this.throwDice(2) === 0 ? { deviations: this.pick([0, 1, '2.5']) } : {}),
      ...(some('fast') ? { fast: 2 + this.throwDice(5), slow: 8 + this.throwDice(8) } : {}),
      ...(some('signal') ? { signal: 1 + this.throwDice(6) } : {}),
      ...(isPair ? { with: this.pick(['SPY', 'AAA', 'CCC/SPY', 'LATE']) } : {}),
    };
  }

  private item(item: ConditionItem, depth: number): ConditionItem {
    if (item.node_type === 'condition-group') return item;
    const condition = this.condition(item);
    if (depth > 2 || this.throwDice(4) !== 0) return condition;
    const other = this.condition({ ...item, id: `more_${this.ids++}`, lhs_val: this.pick(TICKERS) });
    return {
      id: `group_${this.ids++}`,
      node_type: 'condition-group',
      weight: { num: 100, den: 100 },
      is_collapsed: false,
      condition_type: this.pick(['allOf', 'anyOf']),
      conditions: [this.item(condition, depth + 1), other],
    };
  }

  private condition(node: ConditionNode): ConditionNode {
    const left = this.throwDice(3) === 0 ? this.pick<IndicatorName>([...FURTHER, ...PAIRS]) : null;
    const right = this.throwDice(3) === 0 ? this.pick<IndicatorName>([...FURTHER, ...PAIRS]) : null;
    return {
      ...node,
      comparator: this.throwDice(2) === 0 ? this.pick(['gte', 'lte']) : node.comparator,
      ...(left === null ? {} : { lhs_fn: left, lhs_fn_params: this.params(left) }),
      ...(right === null ? {} : { rhs_fn: right, rhs_fn_params: this.params(right) }),
      ...(this.throwDice(3) === 0 ? { lhs_days_ago: this.number(9), rhs_days_ago: this.number(4) } : {}),
      ...(this.throwDice(3) === 0
        ? { rhs_scale: this.pick([1.05, '0.9', -1]), rhs_offset: this.number(5) }
        : {}),
      ...(this.throwDice(3) === 0 ? { for_days: 1 + this.throwDice(4) } : {}),
    };
  }
}
