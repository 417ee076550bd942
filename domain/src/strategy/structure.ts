import type { Problem } from '../kernel/refusal.ts';
import { isFilterSortName, isIndicatorName } from './indicator.ts';
import type { Algorithm } from './tree.ts';
import { idOf, nameOf, quote } from './validation-names.ts';
import { field, isRecord } from './values.ts';

/** Bounds of a stored tree. What is within them can be drawn, compared and bound without exhausting anything. */
export const MAX_NODES = 10_000;
export const MAX_NESTING = 100;
export const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 10_000;
const MAX_TICKER_LENGTH = 100;
const MAX_ID_LENGTH = 100;
const MAX_PROBLEMS = 100;

/** A stored tree, or everything that keeps the value from being one. */
export type StructureReading =
  | { readonly algorithm: Algorithm; readonly problems?: never }
  | { readonly algorithm?: never; readonly problems: readonly Problem[] };

/** The second spelling of some node types (`editor.md`, section 3); stored trees have the first. */
const NODE_TYPE_SPELLINGS: Readonly<Record<string, string>> = {
  weight_cash_equal: 'wt-cash-equal',
  weight_cash_specified: 'wt-cash-specified',
  weight_inverse_volatility: 'wt-inverse-volatility',
  wt_cash_equal: 'wt-cash-equal',
  wt_cash_specified: 'wt-cash-specified',
  wt_inverse_volatility: 'wt-inverse-volatility',
  if_then_else: 'if-then-else',
};

/** A node type in the spelling that is stored; any other value as it is. */
export function normalNodeType(value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(NODE_TYPE_SPELLINGS, value)
    ? NODE_TYPE_SPELLINGS[value]
    : value;
}

/** The name of an indicator function in the spelling that is stored; any other value as it is. */
export function normalFunctionName(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const hyphenated = value.replaceAll('_', '-');
  return isIndicatorName(hyphenated) ? hyphenated : value;
}

/**
 * Reads a value as the tree of a strategy that may still be incomplete: empty blocks, unset conditions and missing tickers are a
 * draft's good right, but every field has its type, every block a known type and an id of its own, within the bounds above.
 * Missing fields get their defaults, the underscore spellings are normalised, fields that no block has are left out.
 * Total: takes any JSON value and never throws.
 */
export function readStructure(value: unknown): StructureReading {
  const reader = new Reader();
  const algorithm = reader.root(value);
  return reader.problems.length > 0 || algorithm === null
    ? { problems: reader.problems }
    : { algorithm: algorithm as unknown as Algorithm };
}

type Fields = Record<string, unknown>;
type TypeOf = 'text' | 'flag' | 'loose' | 'looseOrNull';

class Reader {
  readonly problems: Problem[] = [];
  readonly #ids = new Set<string>();
  #nodes = 0;

  root(value: unknown): Fields | null {
    if (!isRecord(value)) {
      this.#add({}, 'invalid_algorithm', '', `The strategy must be a tree of blocks, not ${quote(value)}`);
      return null;
    }
    if (field(value, 'node_type') !== 'root') {
      this.#fault(value, 'not_root', '', `must be the root block, not ${quote(field(value, 'node_type'))}`);
      return null;
    }
    for (const [name, only] of [
      ['rebalance', 'daily'],
      ['version', 'v1'],
    ] as const) {
      const given = field(value, name);
      if (given !== undefined && given !== only)
        this.#fault(value, 'invalid_field', `/${name}`, `has ${quote(given)} as ${name}, expected "${only}"`);
    }
    return {
      ...this.#common(value, '', 'root'),
      name: this.#text(value, '', 'name', '', MAX_NAME_LENGTH),
      description: this.#text(value, '', 'description', '', MAX_DESCRIPTION_LENGTH),
      rebalance: 'daily',
      version: 'v1',
      children: this.#blocks(value, '', 'children', 1),
    };
  }

  #add(node: Fields, code: string, path: string, message: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const nodeId = idOf(node);
    this.problems.push({ code, message, path, ...(nodeId !== undefined && { nodeId }) });
  }

  #fault(node: Fields, code: string, path: string, fault: string): void {
    this.#add(node, code, path, `${nameOf(node)} ${fault}`);
  }

  #common(node: Fields, path: string, type: string): Fields {
    const id = field(node, 'id');
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH)
      this.#fault(node, 'missing_id', `${path}/id`, 'needs an id: a text of at most 100 characters');
    else if (this.#ids.has(id))
      this.#fault(node, 'duplicate_id', `${path}/id`, 'has the same id as another block');
    else this.#ids.add(id);
    const weight = field(node, 'weight');
    if (weight !== undefined && !isRecord(weight))
      this.#fault(node, 'invalid_weight', `${path}/weight`, `has the weight ${quote(weight)}`);
    const parts = isRecord(weight) ? weight : {};
    return {
      id,
      node_type: type,
      weight: {
        num: this.#typed(node, parts, `${path}/weight`, 'num', 'loose', 100),
        den: this.#typed(node, parts, `${path}/weight`, 'den', 'loose', 100),
      },
      is_collapsed: this.#typed(node, node, path, 'is_collapsed', 'flag', false),
    };
  }

  #text(node: Fields, path: string, name: string, fallback: string, maxLength: number): unknown {
    const text = this.#typed(node, node, path, name, 'text', fallback);
    if (typeof text === 'string' && text.length > maxLength)
      this.#fault(node, 'too_long', `${path}/${name}`, `has a ${name} of more than ${maxLength} characters`);
    return text;
  }

  /** A field of a scalar type; `loose` is a number, or a text of digits or a variable. */
  #typed(
    node: Fields,
    record: Fields,
    path: string,
    name: string,
    type: TypeOf,
    fallback: string | number | boolean | null,
  ): unknown {
    const value = field(record, name);
    if (value === undefined) return fallback;
    if (value === null && type === 'looseOrNull') return null;
    const isRight =
      type === 'flag'
        ? typeof value === 'boolean'
        : typeof value === 'string' || (type !== 'text' && Number.isFinite(value));
    if (!isRight) this.#fault(node, 'invalid_field', `${path}/${name}`, `has ${quote(value)} as ${name}`);
    else if (type !== 'text' && typeof value === 'string' && value.length > MAX_TICKER_LENGTH)
      this.#fault(
        node,
        'too_long',
        `${path}/${name}`,
        `has a ${name} of more than ${MAX_TICKER_LENGTH} characters`,
      );
    return value;
  }

  #list(node: Fields, path: string, name: string): readonly unknown[] {
    const value = field(node, name);
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.#fault(node, 'invalid_list', `${path}/${name}`, `has ${quote(value)} as ${name}, expected a list`);
    return [];
  }

  /** Counts a node; false where the tree has too many. */
  #count(node: Fields, path: string): boolean {
    this.#nodes += 1;
    if (this.#nodes === MAX_NODES + 1)
      this.#fault(
        node,
        'too_many_nodes',
        path,
        `is one too many: a strategy has at most ${MAX_NODES} blocks`,
      );
    return this.#nodes <= MAX_NODES;
  }

  #blocks(node: Fields, path: string, name: string, depth: number): Fields[] {
    const list = this.#list(node, path, name);
    if (list.length > 0 && depth > MAX_NESTING) {
      this.#fault(node, 'too_deep', path, `is nested more than ${MAX_NESTING} levels deep`);
      return [];
    }
    const blocks: Fields[] = [];
    for (const [index, child] of list.entries()) {
      if (this.problems.length >= MAX_PROBLEMS) break;
      const at = `${path}/${name}/${index}`;
      if (!isRecord(child))
        this.#fault(node, 'invalid_block', at, `holds ${quote(child)} instead of a block`);
      else if (!this.#count(child, at)) break;
      else {
        const block = this.#block(child, at, depth);
        if (block) blocks.push(block);
      }
    }
    return blocks;
  }

  #block(node: Fields, path: string, depth: number): Fields | null {
    const type = normalNodeType(field(node, 'node_type'));
    const children = () => this.#blocks(node, path, 'children', depth + 1);
    switch (type) {
      case 'empty':
      case 'pasted':
        return this.#common(node, path, type);
      case 'wt-cash-equal':
      case 'wt-cash-specified':
        return { ...this.#common(node, path, type), children: children() };
      case 'group':
        return {
          ...this.#common(node, path, type),
          name: this.#text(node, path, 'name', '', MAX_NAME_LENGTH),
          children: children(),
        };
      case 'wt-inverse-volatility':
        return {
          ...this.#common(node, path, type),
          params: this.#window(node, node, path, 'params', 10),
          children: children(),
        };
      case 'asset':
        return {
          ...this.#common(node, path, type),
          ticker: this.#text(node, path, 'ticker', '', MAX_TICKER_LENGTH),
          name: this.#text(node, path, 'name', '', MAX_NAME_LENGTH),
        };
      case 'filter':
        return { ...this.#common(node, path, type), ...this.#filter(node, path), children: children() };
      case 'if-then-else':
        return { ...this.#common(node, path, type), ...this.#ifThenElse(node, path, depth) };
      default:
        this.#fault(node, 'unknown_node_type', `${path}/node_type`, `has the unknown type ${quote(type)}`);
        return null;
    }
  }

  /** `params`-like object with a window; `fallback` null: none is stored where none is given. */
  #window(node: Fields, record: Fields, path: string, name: string, fallback: number | null): Fields {
    const params = field(record, name);
    if (params === undefined || params === null) return fallback === null ? {} : { window: fallback };
    if (!isRecord(params)) {
      this.#fault(node, 'invalid_field', `${path}/${name}`, `has ${quote(params)} as ${name}`);
      return {};
    }
    const window = this.#typed(node, params, `${path}/${name}`, 'window', 'looseOrNull', fallback);
    return window === null ? {} : { window };
  }

  #filter(node: Fields, path: string): Fields {
    const part = (name: string): Fields => {
      const value = field(node, name);
      if (value !== undefined && !isRecord(value))
        this.#fault(node, 'invalid_field', `${path}/${name}`, `has ${quote(value)} as ${name}`);
      return isRecord(value) ? value : {};
    };
    const sort = part('sort');
    const select = part('select');
    const fn = normalFunctionName(field(sort, 'fn') ?? 'relative-strength-index');
    if (!isFilterSortName(fn))
      this.#fault(node, 'unknown_function', `${path}/sort/fn`, `sorts by the unknown function ${quote(fn)}`);
    const direction = field(select, 'fn') ?? 'top';
    if (direction !== 'top' && direction !== 'bottom')
      this.#fault(
        node,
        'invalid_selection',
        `${path}/select/fn`,
        `selects ${quote(direction)}, expected "top" or "bottom"`,
      );
    return {
      sort: { fn, params: this.#window(node, sort, `${path}/sort`, 'params', 10) },
      select: { fn: direction, num: this.#typed(node, select, `${path}/select`, 'num', 'loose', 1) },
    };
  }

  #ifThenElse(node: Fields, path: string, depth: number): Fields {
    const type = field(node, 'condition_type') ?? 'allOf';
    if (type !== 'allOf' && type !== 'anyOf')
      this.#fault(
        node,
        'invalid_condition_type',
        `${path}/condition_type`,
        `joins its conditions by ${quote(type)}, expected allOf or anyOf`,
      );
    const conditions: Fields[] = [];
    for (const [index, condition] of this.#list(node, path, 'conditions').entries()) {
      if (this.problems.length >= MAX_PROBLEMS) break;
      const at = `${path}/conditions/${index}`;
      if (!isRecord(condition))
        this.#fault(node, 'invalid_condition', at, `holds ${quote(condition)} instead of a condition`);
      else if (!this.#count(condition, at)) break;
      else conditions.push(this.#condition(condition, at));
    }
    return {
      condition_type: type,
      conditions,
      then_children: this.#blocks(node, path, 'then_children', depth + 1),
      else_children: this.#blocks(node, path, 'else_children', depth + 1),
      is_conditions_collapsed: this.#typed(node, node, path, 'is_conditions_collapsed', 'flag', false),
      is_then_collapsed: this.#typed(node, node, path, 'is_then_collapsed', 'flag', false),
      is_else_collapsed: this.#typed(node, node, path, 'is_else_collapsed', 'flag', false),
    };
  }

  #condition(node: Fields, path: string): Fields {
    const type = field(node, 'node_type') ?? 'condition';
    if (type !== 'condition')
      this.#fault(
        node,
        'unknown_node_type',
        `${path}/node_type`,
        `has the type ${quote(type)} where a condition is expected`,
      );
    const comparator = field(node, 'comparator') ?? null;
    if (comparator !== null && comparator !== 'gt' && comparator !== 'lt' && comparator !== 'eq')
      this.#fault(
        node,
        'unknown_comparator',
        `${path}/comparator`,
        `has the unknown comparator ${quote(comparator)}`,
      );
    return {
      ...this.#common(node, path, 'condition'),
      lhs_fn: this.#function(node, path, 'lhs_fn'),
      lhs_fn_params: this.#window(node, node, path, 'lhs_fn_params', null),
      lhs_val: this.#side(node, path, 'lhs_val', 'text'),
      comparator,
      rhs_fn: this.#function(node, path, 'rhs_fn'),
      rhs_fn_params: this.#window(node, node, path, 'rhs_fn_params', null),
      rhs_val: this.#side(node, path, 'rhs_val', 'loose'),
      rhs_fixed_val: this.#typed(node, node, path, 'rhs_fixed_val', 'flag', false),
    };
  }

  #side(node: Fields, path: string, name: string, type: TypeOf): unknown {
    if (field(node, name) === null) return null;
    const value = this.#typed(node, node, path, name, type, null);
    if (typeof value === 'string' && value.length > MAX_TICKER_LENGTH && type === 'text')
      this.#fault(
        node,
        'too_long',
        `${path}/${name}`,
        `has a ${name} of more than ${MAX_TICKER_LENGTH} characters`,
      );
    return value;
  }

  #function(node: Fields, path: string, name: string): unknown {
    const fn = normalFunctionName(field(node, name) ?? null);
    if (fn === null || fn === '') return null;
    if (!isIndicatorName(fn))
      this.#fault(node, 'unknown_function', `${path}/${name}`, `has the unknown function ${quote(fn)}`);
    return fn;
  }
}
