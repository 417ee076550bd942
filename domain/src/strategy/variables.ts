import { INDICATORS, isIndicatorName, isWindowIndicator } from './indicator.ts';
import type { Algorithm } from './tree.ts';
import { MAX_DEPTH } from './validation.ts';
import { MAX_CONDITION_GROUPS } from './validation-conditions.ts';
import { field, isRecord, isVariable, listOf, sidesOf, windowIn } from './values.ts';

/** What the places that name a variable need: a ticker (also one side of a ratio) or a number. */
export type VariableKind = 'ticker' | 'number';

export interface TemplateVariable {
  /** With its `$`. */
  readonly name: string;
  /** In order of first appearance; two kinds where one name stands in both sorts of places. */
  readonly kinds: readonly VariableKind[];
}

/**
 * The variables of a tree in the order they first appear (depth first, conditions before branches). Places
 * the engine ignores (the right function of a fixed value) hold none. Total: takes any JSON value.
 *
 * `known` keeps what was found in a block, for trees that are never changed in place: what a changed tree
 * shares with the one before is not looked at again.
 */
export function collectVariables(algorithm: unknown, known?: KnownVariables): TemplateVariable[] {
  const found = new Map<string, VariableKind[]>();
  const add = (value: unknown, kind: VariableKind) => {
    if (!isVariable(value)) return;
    const kinds = found.get(value);
    if (kinds === undefined) found.set(value, [kind]);
    else if (!kinds.includes(kind)) kinds.push(kind);
  };
  visit(algorithm, add, 0, known);
  return Array.from(found, ([name, kinds]) => ({ name, kinds }));
}

/** The names alone, as a template stores them. */
export function variableNames(algorithm: unknown, known?: KnownVariables): string[] {
  return collectVariables(algorithm, known).map((variable) => variable.name);
}

type Add = (value: unknown, kind: VariableKind) => void;

/** What every block of a tree holds of variables. */
export type KnownVariables = WeakMap<object, readonly (readonly [value: unknown, kind: VariableKind])[]>;

function visit(node: unknown, tell: Add, depth: number, known?: KnownVariables): void {
  if (!isRecord(node) || depth > MAX_DEPTH) return;
  if (!known) {
    visitBlock(node, tell, depth);
    return;
  }
  let found = known.get(node);
  if (!found) {
    const all: [unknown, VariableKind][] = [];
    visitBlock(node, (value, kind) => void (isVariable(value) && all.push([value, kind])), depth, known);
    known.set(node, all);
    found = all;
  }
  for (const [value, kind] of found) tell(value, kind);
}

function visitBlock(node: Record<string, unknown>, add: Add, depth: number, known?: KnownVariables): void {
  const type = field(node, 'node_type');
  if (type === 'asset') add(field(node, 'ticker'), 'ticker');
  if (type === 'wt-inverse-volatility') add(windowIn(field(node, 'params')), 'number');
  if (type === 'root' && field(node, 'rebalance') === 'corridor') add(field(node, 'corridor'), 'number');
  if (type === 'filter') {
    const sort = field(node, 'sort');
    if (isRecord(sort)) visitParameters(field(sort, 'fn'), field(sort, 'params'), add);
    const select = field(node, 'select');
    if (isRecord(select)) add(field(select, 'num'), 'number');
    const weighting = field(node, 'weighting');
    const share = isRecord(weighting) ? field(weighting, 'type') : null;
    if (isRecord(weighting) && share === 'inverse-volatility') add(windowIn(weighting), 'number');
    if (isRecord(weighting) && share === 'by-rank')
      for (const weight of listOf(weighting, 'weights') ?? []) visitWeight(weight, add);
  }
  for (const item of listOf(node, 'conditions') ?? []) visitCondition(item, add, 0);
  for (const name of ['children', 'then_children', 'else_children']) {
    for (const child of listOf(node, name) ?? []) {
      if (type === 'wt-cash-specified' && isRecord(child)) visitWeight(field(child, 'weight'), add);
      visit(child, add, depth + 1, known);
    }
  }
}

function visitWeight(weight: unknown, add: Add): void {
  if (!isRecord(weight)) return;
  add(field(weight, 'num'), 'number');
  add(field(weight, 'den'), 'number');
}

function visitCondition(node: unknown, add: Add, groups: number): void {
  if (!isRecord(node)) return;
  if (field(node, 'node_type') === 'condition-group') {
    if (groups < MAX_CONDITION_GROUPS)
      for (const item of listOf(node, 'conditions') ?? []) visitCondition(item, add, groups + 1);
    return;
  }
  visitSide(node, 'lhs', add);
  add(field(node, 'lhs_days_ago'), 'number');
  if (field(node, 'rhs_fixed_val') === true) add(field(node, 'rhs_val'), 'number');
  else {
    visitSide(node, 'rhs', add);
    for (const name of ['rhs_days_ago', 'rhs_scale', 'rhs_offset']) add(field(node, name), 'number');
  }
  add(field(node, 'for_days'), 'number');
}

function visitSide(node: Record<string, unknown>, side: 'lhs' | 'rhs', add: Add): void {
  const value = field(node, `${side}_val`);
  if (typeof value === 'string') for (const ticker of sidesOf(value)) add(ticker, 'ticker');
  visitParameters(field(node, `${side}_fn`), field(node, `${side}_fn_params`), add);
}

/** The parameters that a function has; of one that is not chosen yet, or of section 2, the window. */
function visitParameters(fn: unknown, params: unknown, add: Add): void {
  if (!isRecord(params)) return;
  if (!isIndicatorName(fn) || isWindowIndicator(fn)) {
    add(windowIn(params), 'number');
    return;
  }
  for (const { name } of INDICATORS[fn].parameters) add(field(params, name), 'number');
  const second = INDICATORS[fn].isPair ? field(params, 'with') : undefined;
  if (typeof second === 'string') for (const ticker of sidesOf(second)) add(ticker, 'ticker');
}

/** Whether the tree is a template, that is, holds any variable. */
export function isTemplate(algorithm: unknown): boolean {
  return collectVariables(algorithm).length > 0;
}

/** Values as the user gave them, digits made numbers, duplicates dropped, order kept. */
export function distinctValues(values: readonly (string | number)[]): (string | number)[] {
  return [...new Set(values.map(normalValue))];
}

/** A value of digits is a number; everything else stays as it is. */
export function normalValue(value: string | number): string | number {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

/**
 * The tree with every variable that has a value replaced by it. A variable is a whole value or one side of a
 * ratio, never a part of a name, so `$T` leaves `$T2` alone. Variables without a value stay.
 */
export function bindVariables(algorithm: Algorithm, values: ReadonlyMap<string, string | number>): Algorithm {
  if (values.size === 0) return algorithm;
  return bindValue(algorithm, '', false, values) as Algorithm;
}

/** Fields that are never a place for a variable, whatever they hold. */
const FIXED_FIELDS = new Set(['id', 'node_type', 'description']);
const TICKER_FIELDS = new Set(['ticker', 'lhs_val', 'rhs_val', 'with']);

function bindValue(
  value: unknown,
  name: string,
  isNumberPlace: boolean,
  values: ReadonlyMap<string, string | number>,
): unknown {
  if (typeof value === 'string') {
    if (!value.includes('$') || FIXED_FIELDS.has(name)) return value;
    if (!TICKER_FIELDS.has(name) || isNumberPlace) {
      const bound = values.get(value);
      return bound === undefined ? value : name === 'name' ? String(bound) : normalValue(bound);
    }
    return sidesOf(value)
      .map((side) => values.get(side) ?? side)
      .join('/');
  }
  if (Array.isArray(value)) return value.map((item) => bindValue(item, name, isNumberPlace, values));
  if (!isRecord(value)) return value;
  const isFixed = field(value, 'rhs_fixed_val') === true;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      bindValue(item, key, isFixed && key === 'rhs_val', values),
    ]),
  );
}
