import { isSeriesName } from '../../market-data/condition-series.ts';
import { indicatorPricesInWords } from '../../market-data/price-basis.ts';
import { INDICATORS } from '../../strategy/indicator.ts';
import { cashInWords, type RunSettings } from '../../strategy/run-settings.ts';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionNode,
  FunctionParams,
  IfThenElseNode,
  IndicatorName,
} from '../../strategy/tree.ts';
import { isVariable, numberOf } from '../../strategy/values.ts';
import { type FidelityReport, ReportWriter } from '../fidelity-report.ts';
import { shifted } from '../numbers.ts';
import { tellPin } from '../pins.ts';
import { extrasOfCondition } from './extras.ts';
import { EXTRAS } from './fields.ts';
import { COMPOSER_FUNCTIONS, COMPOSER_PARAMETERS } from './functions.ts';
import { impliedWeightsId } from './symphony.ts';

/** A node of that tool's JSON. */
export type SymphonyNode = { readonly [name: string]: unknown };

export interface ExportedSymphony {
  readonly symphony: SymphonyNode;
  readonly report: FidelityReport;
}

/** That tool's name of each of our functions; the long names of JSON and EDN. */
const NAMES: ReadonlyMap<IndicatorName, string> = new Map(
  Object.entries(COMPOSER_FUNCTIONS)
    .reverse()
    .map(([name, fn]) => [fn, name]),
);
const WEIGHTS: ReadonlySet<string> = new Set(['wt-cash-specified', 'wt-inverse-volatility']);

/** How a strategy is run here, as far as that tool knows of one way alone. */
export type ExportedTerms = Partial<Pick<RunSettings, 'fill' | 'cash' | 'indicatorPrices'>>;

/**
 * A strategy as Composer's JSON: the flat fields of its first form, and `condition` blocks where conditions
 * are joined. What that tool cannot express is kept beside its fields and told; an import of the export gives
 * the same strategy, but for pins of saved strategies.
 * @param terms of its runs here: what that tool computes otherwise is told
 */
export function exportSymphony(algorithm: Algorithm, terms: ExportedTerms = {}): ExportedSymphony {
  const exporter = new Exporter();
  const symphony = exporter.root(algorithm);
  exporter.terms(algorithm, terms);
  return { symphony, report: exporter.report.report('Composer') };
}

class Exporter {
  readonly report = new ReportWriter();

  root(node: Algorithm): SymphonyNode {
    this.report.read();
    const [only] = node.children;
    const isPlain =
      node.children.length === 1 &&
      only !== undefined &&
      (only.node_type.startsWith('wt-') || only.node_type === 'asset');
    const children = this.#blocks(node.children, '');
    return {
      id: node.id,
      step: 'root',
      name: node.name,
      description: node.description,
      ...this.#rule(node),
      asset_class: 'EQUITIES',
      asset_classes: ['EQUITIES'],
      children: isPlain ? children : [{ id: impliedWeightsId(node.id), step: 'wt-cash-equal', children }],
    };
  }

  terms(node: Algorithm, { fill, cash, indicatorPrices }: ExportedTerms): void {
    if (fill === 'next-close')
      this.#lost(node, '', 'orders filled at the next close', 'orders at the same close', 'Every return');
    if (cash)
      this.#lost(
        node,
        '',
        `cash that earns ${cashInWords(cash)}`,
        'cash that earns nothing',
        'What is in cash',
      );
    if (indicatorPrices && indicatorPrices !== 'adjusted')
      this.#lost(
        node,
        '',
        `decisions read from ${indicatorPricesInWords(indicatorPrices)}`,
        'the closes that it reads itself',
        'What decides',
      );
  }

  #lost(node: { readonly id: string }, path: string, said: string, became: string, effect: string): void {
    this.report.add('lost', path, said, became, effect, node.id);
  }

  #rule(node: Algorithm): SymphonyNode {
    const extras: Record<string, unknown> = {};
    const { rebalance, rebalance_on: on, corridor } = node;
    if (rebalance === 'never') return { rebalance: 'none' };
    if (rebalance === 'corridor') {
      const width = numberOf(corridor);
      if (width !== null) return { rebalance: 'none', 'rebalance-corridor-width': shifted(width, -2) };
      this.#lost(
        node,
        '',
        `a corridor of ${corridor ?? 'nothing'}`,
        'a corridor of 5 percentage points',
        'When it trades',
      );
      return {
        rebalance: 'none',
        'rebalance-corridor-width': 0.05,
        [EXTRAS]: { corridor: corridor ?? null },
      };
    }
    if (rebalance !== 'daily') {
      this.report.add(
        'differs',
        '',
        `${rebalance}, on the ${on ?? 'last'} day`,
        rebalance,
        'Sources disagree on which day that tool trades',
        node.id,
      );
      if (on !== 'last') extras.rebalance_on = on ?? null;
    }
    return Object.keys(extras).length === 0 ? { rebalance } : { rebalance, [EXTRAS]: extras };
  }

  #blocks(blocks: readonly BlockNode[], path: string, slot = 'children'): SymphonyNode[] {
    return blocks.map((block, index) => this.#block(block, `${path}/${slot}/${index}`));
  }

  #block(node: BlockNode, path: string): SymphonyNode {
    this.report.read();
    const { id, weight } = node;
    const head = { id, weight, ...(node.is_collapsed && { 'collapsed?': true }) };
    switch (node.node_type) {
      case 'asset':
        return { ...head, step: 'asset', ticker: this.#ticker(node, node.ticker, path), name: node.name };
      case 'empty':
      case 'pasted':
        return { ...head, step: 'empty' };
      case 'group':
        if (node.source) tellPin(this.report, node, node.source, path);
        return { ...head, step: 'group', name: node.name, children: this.#weighted(node, path) };
      case 'wt-cash-equal':
        return { ...head, step: 'wt-cash-equal', children: this.#blocks(node.children, path) };
      case 'wt-cash-specified':
        for (const [index, child] of node.children.entries())
          if (numberOf(child.weight.num) === null || numberOf(child.weight.den) === null)
            this.#lost(
              child,
              `${path}/children/${index}/weight`,
              `the weight ${child.weight.num}/${child.weight.den}`,
              'the same text',
              'That tool has no variables',
            );
        return { ...head, step: 'wt-cash-specified', children: this.#blocks(node.children, path) };
      case 'wt-inverse-volatility':
        this.#variable(node, node.params.window, path);
        return {
          ...head,
          step: 'wt-inverse-vol',
          'window-days': String(node.params.window),
          children: this.#blocks(node.children, path),
        };
      case 'filter': {
        const { sort, select, weighting } = node;
        this.#variable(node, select.num, path);
        if (weighting && weighting.type !== 'equal')
          this.#lost(node, path, `a filter weighted ${weighting.type}`, 'equal weights', 'What is held');
        return {
          ...head,
          step: 'filter',
          'sort-by?': true,
          'sort-by-fn': this.#function(node, sort.fn, path),
          'sort-by-fn-params': this.#params(node, sort.fn, sort.params, path),
          'select?': true,
          'select-fn': select.fn,
          'select-n': String(select.num),
          ...(weighting && { [EXTRAS]: { weighting } }),
          children: this.#blocks(node.children, path),
        };
      }
      case 'if-then-else':
        return { ...head, step: 'if', children: this.#branches(node, path) };
    }
  }

  /** A group there has exactly one weight block. */
  #weighted(
    node: { readonly id: string; readonly children: readonly BlockNode[] },
    path: string,
  ): SymphonyNode[] {
    const children = this.#blocks(node.children, path);
    const [only] = node.children;
    const isPlain = node.children.length === 1 && only !== undefined && WEIGHTS.has(only.node_type);
    return isPlain ? children : [{ id: impliedWeightsId(node.id), step: 'wt-cash-equal', children }];
  }

  #branches(node: IfThenElseNode, path: string): SymphonyNode[] {
    const then = this.#blocks(node.then_children, path, 'then_children');
    const otherwise = this.#blocks(node.else_children, path, 'else_children');
    return [
      {
        id: `${node.id}-then`,
        step: 'if-child',
        'is-else-condition?': false,
        ...this.#test(node, path),
        ...(node.is_then_collapsed && { 'collapsed?': true }),
        children: then,
      },
      {
        id: `${node.id}-else`,
        step: 'if-child',
        'is-else-condition?': true,
        ...(node.is_else_collapsed && { 'collapsed?': true }),
        children: otherwise,
      },
    ];
  }

  /** Flat fields for one plain condition, else a condition block. */
  #test(node: IfThenElseNode, path: string): SymphonyNode {
    const [only] = node.conditions;
    const isFlat =
      node.conditions.length === 1 &&
      only?.node_type === 'condition' &&
      node.condition_type === 'allOf' &&
      Object.keys(extrasOfCondition(only)).length === 0;
    if (isFlat) return this.#flat(only, `${path}/conditions/0`);
    if (node.conditions.length === 1 && only?.node_type === 'condition' && node.condition_type === 'allOf')
      return { condition: this.#binary(only, `${path}/conditions/0`) };
    return { condition: this.#compound(node, path) };
  }

  #compound(
    node: { readonly condition_type: 'allOf' | 'anyOf'; readonly conditions: readonly ConditionItem[] },
    path: string,
  ): SymphonyNode {
    const conditions = node.conditions.map((item, index) => {
      const at = `${path}/conditions/${index}`;
      return item.node_type === 'condition-group' ? this.#compound(item, at) : this.#binary(item, at);
    });
    const operator = node.condition_type === 'anyOf' ? 'any' : 'all';
    return { 'condition-type': 'compound', operator, conditions };
  }

  #flat(node: ConditionNode, path: string): SymphonyNode {
    this.report.read();
    const left = {
      'lhs-fn': this.#function(node, node.lhs_fn, path),
      'lhs-fn-params': this.#params(node, node.lhs_fn, node.lhs_fn_params, path),
      'lhs-val': this.#ticker(node, node.lhs_val, path),
      comparator: node.comparator,
    };
    if (node.rhs_fixed_val) return { ...left, 'rhs-fixed-value?': true, 'rhs-val': this.#value(node, path) };
    return {
      ...left,
      'rhs-fixed-value?': false,
      'rhs-fn': this.#function(node, node.rhs_fn, path),
      'rhs-fn-params': this.#params(node, node.rhs_fn, node.rhs_fn_params, path),
      'rhs-val': this.#ticker(node, node.rhs_val, path),
    };
  }

  #binary(node: ConditionNode, path: string): SymphonyNode {
    this.report.read();
    const side = (fn: IndicatorName | null, params: FunctionParams, ticker: unknown) => ({
      fn: this.#function(node, fn, path),
      params: this.#params(node, fn, params, path),
      ticker: this.#ticker(node, ticker, path),
    });
    const extras = extrasOfCondition(node);
    for (const [name, value] of Object.entries(extras))
      this.#lost(
        node,
        path,
        `${name.replaceAll('_', ' ')} ${String(value)}`,
        'not there',
        'That tool compares without it: when the condition holds',
      );
    return {
      'condition-type': 'binary',
      lhs: side(node.lhs_fn, node.lhs_fn_params, node.lhs_val),
      comparator: node.comparator,
      rhs: node.rhs_fixed_val
        ? { constant: numberOf(node.rhs_val) ?? this.#value(node, path) }
        : side(node.rhs_fn, node.rhs_fn_params, node.rhs_val),
      ...(Object.keys(extras).length > 0 && { [EXTRAS]: extras }),
    };
  }

  #value(node: ConditionNode, path: string): string | null {
    if (node.rhs_val === null) return null;
    this.#variable(node, node.rhs_val, path);
    return String(node.rhs_val);
  }

  #variable(node: { readonly id: string }, value: unknown, path: string): void {
    if (isVariable(value))
      this.#lost(
        node,
        path,
        `the variable ${value}`,
        'the same text',
        'That tool has no variables: set a value first',
      );
  }

  #function(node: { readonly id: string }, fn: IndicatorName | null, path: string): string | null {
    const name = fn === null ? null : NAMES.get(fn);
    if (fn !== null && name === undefined)
      this.#lost(
        node,
        path,
        INDICATORS[fn].label,
        `the name ${fn}`,
        'That tool does not have it: it will refuse the strategy',
      );
    return name ?? fn;
  }

  #params(
    node: { readonly id: string },
    fn: IndicatorName | null,
    params: FunctionParams,
    path: string,
  ): SymphonyNode {
    if (fn === null) return {};
    const named: Record<string, unknown> = {};
    for (const { name, default: preset } of INDICATORS[fn].parameters) {
      const value = params[name] ?? preset;
      this.#variable(node, value, path);
      if (value !== null) named[COMPOSER_PARAMETERS[name][0] ?? name] = numberOf(value) ?? value;
    }
    if (INDICATORS[fn].isPair) named.with = this.#ticker(node, params.with ?? null, path);
    return named;
  }

  #ticker(node: { readonly id: string }, value: unknown, path: string): string | null {
    if (typeof value !== 'string') return null;
    const isRatio = value.includes('/');
    if (isRatio)
      this.#lost(
        node,
        path,
        `the ratio ${value}`,
        'the same text',
        'That tool has no ratios: it will refuse the strategy',
      );
    else if (value.startsWith('SIM:'))
      this.#lost(
        node,
        path,
        `the simulated ticker ${value}`,
        'the same text',
        'That tool does not have it: it will refuse the strategy',
      );
    else if (isSeriesName(value))
      this.#lost(
        node,
        path,
        `the series ${value}`,
        'the same text',
        'That tool does not have it: it will refuse the strategy',
      );
    else this.#variable(node, value, path);
    return isRatio ? value.split('/').join(' / ') : value;
  }
}
