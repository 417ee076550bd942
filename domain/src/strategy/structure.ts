import type { Problem } from '../kernel/refusal.ts';
import { isFilterSortName, isIndicatorName } from './indicator.ts';
import { COMMON_FIELDS, FIELDS, normalFunctionName, normalNodeType } from './node-fields.ts';
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

/**
 * Reads a value as the tree of a strategy that may still be incomplete: empty blocks, unset conditions and missing tickers are a
 * draft's good right, but every field has its type, every block a known type and an id of its own, within the bounds above.
 * Missing fields get their defaults, the underscore spellings are normalised, fields that no block has are left out.
 * Total: takes any JSON value and never throws.
 */
export function readStructure(value: unknown): StructureReading {
  const reader = new Reader(null);
  const algorithm = reader.root(value);
  return reader.problems.length > 0 || algorithm === null
    ? { problems: reader.problems }
    : { algorithm: algorithm as unknown as Algorithm };
}

/**
 * As `readStructure`, for a tree of unknown origin: what cannot be read is replaced by what a new block would hold, told as a note, and
 * the rest is kept. Ids that are missing or used twice are made anew. Only a tree beyond the bounds has no algorithm.
 */
export function repairStructure(
  value: unknown,
  newNodeId: () => string,
): { readonly algorithm: Algorithm | null; readonly notes: readonly Problem[]; readonly blocks: number } {
  const reader = new Reader(newNodeId);
  const algorithm = reader.root(value);
  return {
    algorithm: reader.isBeyondBounds ? null : (algorithm as Algorithm | null),
    notes: [...reader.problems, ...reader.summaries()],
    blocks: reader.blocks,
  };
}

type Fields = Record<string, unknown>;
type TypeOf = 'text' | 'flag' | 'loose' | 'looseOrNull';

class Reader {
  readonly problems: Problem[] = [];
  /** True where the tree is too large or too deep to be kept. */
  isBeyondBounds = false;
  /** Makes ids where the tree is to be repaired; null: faults stay faults. */
  readonly #newId: (() => string) | null;
  readonly #ids = new Set<string>();
  readonly #unknownFields = new Set<string>();
  #renewedIds = 0;
  #nodes = 0;

  constructor(newId: (() => string) | null) {
    this.#newId = newId;
  }

  /** Blocks and conditions below the root. */
  get blocks(): number {
    return this.#nodes;
  }

  /** What a repair tells once instead of block by block. */
  summaries(): Problem[] {
    const summaries: Problem[] = [];
    if (this.#renewedIds > 0) {
      const blocks = this.#renewedIds === 1 ? '1 block had' : `${this.#renewedIds} blocks had`;
      summaries.push({
        code: 'ids_renewed',
        path: '',
        message: `${blocks} no id of its own and got a new one`,
      });
    }
    if (this.#unknownFields.size > 0) {
      const names = [...this.#unknownFields].slice(0, 20).map(quote).join(', ');
      summaries.push({
        code: 'unknown_fields',
        path: '',
        message: `These fields mean nothing here and were left out: ${names}`,
      });
    }
    return summaries;
  }

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
    const id = this.#id(node, path);
    this.#noteUnknownFields(node, type);
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

  #id(node: Fields, path: string): string {
    const id = field(node, 'id');
    const isText = typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH;
    if (isText && !this.#ids.has(id)) {
      this.#ids.add(id);
      return id;
    }
    if (this.#newId) {
      this.#renewedIds += 1;
      return this.#newId();
    }
    if (isText) this.#fault(node, 'duplicate_id', `${path}/id`, 'has the same id as another block');
    else this.#fault(node, 'missing_id', `${path}/id`, 'needs an id: a text of at most 100 characters');
    return '';
  }

  #noteUnknownFields(node: Fields, type: string): void {
    if (!this.#newId) return;
    const known = FIELDS[type] ?? [];
    for (const name of Object.keys(node))
      if (!COMMON_FIELDS.includes(name) && !known.includes(name)) this.#unknownFields.add(name);
  }

  #text(node: Fields, path: string, name: string, fallback: string, maxLength: number): unknown {
    const text = this.#typed(node, node, path, name, 'text', fallback);
    if (typeof text !== 'string' || text.length <= maxLength) return text;
    this.#fault(node, 'too_long', `${path}/${name}`, `has a ${name} of more than ${maxLength} characters`);
    return text.slice(0, maxLength);
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
    const isLong = type !== 'text' && typeof value === 'string' && value.length > MAX_TICKER_LENGTH;
    if (isRight && !isLong) return value;
    const fault = isLong
      ? `has a ${name} of more than ${MAX_TICKER_LENGTH} characters`
      : `has ${quote(value)} as ${name}`;
    this.#fault(node, isLong ? 'too_long' : 'invalid_field', `${path}/${name}`, fault);
    return fallback;
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
    if (this.#nodes === MAX_NODES && !this.isBeyondBounds)
      this.#fault(
        node,
        'too_many_nodes',
        path,
        `is one too many: a strategy has at most ${MAX_NODES} blocks`,
      );
    if (this.#nodes === MAX_NODES) this.isBeyondBounds = true;
    else this.#nodes += 1;
    return !this.isBeyondBounds;
  }

  /** Whether enough has been found wrong for a refusal. */
  get #isHopeless(): boolean {
    return this.#newId === null && this.problems.length >= MAX_PROBLEMS;
  }

  #blocks(node: Fields, path: string, name: string, depth: number): Fields[] {
    const list = this.#list(node, path, name);
    if (list.length > 0 && depth > MAX_NESTING) {
      this.isBeyondBounds = true;
      this.#fault(node, 'too_deep', path, `is nested more than ${MAX_NESTING} levels deep`);
      return [];
    }
    const blocks: Fields[] = [];
    for (const [index, child] of list.entries()) {
      if (this.#isHopeless) break;
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
        return this.#newId ? this.#unknownBlock(node, path, depth) : null;
    }
  }

  /** In a repair, a block of unknown type becomes a group with its children, or a placeholder where it has none. */
  #unknownBlock(node: Fields, path: string, depth: number): Fields {
    if (!Array.isArray(field(node, 'children'))) return this.#common(node, path, 'empty');
    const name = field(node, 'name') ?? field(node, 'node_type');
    return {
      ...this.#common(node, path, 'group'),
      name: typeof name === 'string' ? name.slice(0, MAX_NAME_LENGTH) : '',
      children: this.#blocks(node, path, 'children', depth + 1),
    };
  }

  /** `params`-like object with a window; `fallback` null: none is stored where none is given. */
  #window(node: Fields, record: Fields, path: string, name: string, fallback: number | null): Fields {
    const params = field(record, name);
    const none: Fields = fallback === null ? {} : { window: fallback };
    if (params === undefined || params === null) return none;
    if (!isRecord(params)) {
      this.#fault(node, 'invalid_field', `${path}/${name}`, `has ${quote(params)} as ${name}`);
      return {};
    }
    const window = this.#typed(node, params, `${path}/${name}`, 'window', 'looseOrNull', fallback);
    return window === null ? none : { window };
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
    const direction = this.#choice(node, `${path}/select/fn`, field(select, 'fn'), ['top', 'bottom'], {
      code: 'invalid_selection',
      verb: 'selects',
    });
    return {
      sort: {
        fn: isFilterSortName(fn) ? fn : 'relative-strength-index',
        params: this.#window(node, sort, `${path}/sort`, 'params', 10),
      },
      select: { fn: direction, num: this.#typed(node, select, `${path}/select`, 'num', 'loose', 1) },
    };
  }

  #ifThenElse(node: Fields, path: string, depth: number): Fields {
    const given = field(node, 'condition_type');
    const type = this.#choice(node, `${path}/condition_type`, given, ['allOf', 'anyOf'], {
      code: 'invalid_condition_type',
      verb: 'joins its conditions by',
    });
    const conditions: Fields[] = [];
    for (const [index, condition] of this.#list(node, path, 'conditions').entries()) {
      if (this.#isHopeless) break;
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
    const comparator = this.#choice(
      node,
      `${path}/comparator`,
      field(node, 'comparator'),
      [null, 'gt', 'lt', 'eq'],
      {
        code: 'unknown_comparator',
        verb: 'compares by',
      },
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

  /** A ticker (`text`) or a value; null while it is not set. */
  #side(node: Fields, path: string, name: string, type: TypeOf): unknown {
    if (field(node, name) === null) return null;
    const value = this.#typed(node, node, path, name, type, null);
    if (typeof value !== 'string' || value.length <= MAX_TICKER_LENGTH) return value;
    const fault = `has a ${name} of more than ${MAX_TICKER_LENGTH} characters`;
    this.#fault(node, 'too_long', `${path}/${name}`, fault);
    return null;
  }

  /** One of the options; the first where none is given or none of them. */
  #choice(
    node: Fields,
    path: string,
    value: unknown,
    options: readonly (string | null)[],
    { code, verb }: { code: string; verb: string },
  ): string | null {
    const first = options[0] ?? null;
    if (value === undefined || value === null) return first;
    if (options.includes(value as string)) return value as string;
    const expected = options.filter((option) => option !== null).join(', ');
    this.#fault(node, code, path, `${verb} ${quote(value)}, expected one of ${expected}`);
    return first;
  }

  #function(node: Fields, path: string, name: string): unknown {
    const fn = normalFunctionName(field(node, name) ?? null);
    if (fn === null || fn === '') return null;
    if (isIndicatorName(fn)) return fn;
    this.#fault(node, 'unknown_function', `${path}/${name}`, `has the unknown function ${quote(fn)}`);
    return null;
  }
}
