import type { Problem } from '../kernel/refusal.ts';
import { FIELDS } from './block-table.ts';
import { isIndicatorName } from './indicator.ts';
import { COMMON_FIELDS, normalFunctionName } from './node-fields.ts';
import { idOf, nameOf } from './validation-names.ts';
import { field, isRecord, quote } from './values.ts';

/** Nodes that a stored tree may have. */
export const MAX_NODES = 25_000;
export const MAX_TICKER_LENGTH = 100;
const MAX_ID_LENGTH = 100;
const MAX_PROBLEMS = 100;

export type Fields = Record<string, unknown>;
export type TypeOf = 'text' | 'flag' | 'loose' | 'looseOrNull';

/** Reads the fields of a tree's nodes, each with its type, and keeps what is wrong with them. */
export class FieldReader {
  readonly problems: Problem[] = [];
  /** True where the tree is too large or too deep to be kept. */
  isBeyondBounds = false;
  /** Makes ids where the tree is to be repaired; null: faults stay faults. */
  protected readonly newId: (() => string) | null;
  private readonly ids = new Set<string>();
  private readonly unknownFields = new Set<string>();
  private renewedIds = 0;
  private nodes = 0;

  constructor(newId: (() => string) | null) {
    this.newId = newId;
  }

  /** Blocks and conditions below the root. */
  get nodeCount(): number {
    return this.nodes;
  }

  /** What a repair tells once instead of block by block. */
  summaries(): Problem[] {
    const summaries: Problem[] = [];
    if (this.renewedIds > 0) {
      const blocks = this.renewedIds === 1 ? '1 block had' : `${this.renewedIds} blocks had`;
      summaries.push({
        code: 'ids_renewed',
        path: '',
        message: `${blocks} no id of its own and got a new one`,
      });
    }
    if (this.unknownFields.size > 0) {
      const names = [...this.unknownFields].slice(0, 20).map(quote).join(', ');
      summaries.push({
        code: 'unknown_fields',
        path: '',
        message: `These fields mean nothing here and were left out: ${names}`,
      });
    }
    return summaries;
  }

  protected add(node: Fields, code: string, path: string, message: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const nodeId = idOf(node);
    this.problems.push({ code, message, path, ...(nodeId !== undefined && { nodeId }) });
  }

  protected fault(node: Fields, code: string, path: string, fault: string): void {
    this.add(node, code, path, `${nameOf(node)} ${fault}`);
  }

  protected common(node: Fields, path: string, type: string): Fields {
    const id = this.id(node, path);
    this.noteUnknownFields(node, type);
    const weight = field(node, 'weight');
    if (weight !== undefined && !isRecord(weight))
      this.fault(node, 'invalid_weight', `${path}/weight`, `has the weight ${quote(weight)}`);
    const parts = isRecord(weight) ? weight : {};
    return {
      id,
      node_type: type,
      weight: {
        num: this.typed(node, parts, `${path}/weight`, 'num', 'loose', 100),
        den: this.typed(node, parts, `${path}/weight`, 'den', 'loose', 100),
      },
      is_collapsed: this.typed(node, node, path, 'is_collapsed', 'flag', false),
    };
  }

  private id(node: Fields, path: string): string {
    const id = field(node, 'id');
    const isText = typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH;
    if (isText && !this.ids.has(id)) {
      this.ids.add(id);
      return id;
    }
    if (this.newId) {
      this.renewedIds += 1;
      return this.newId();
    }
    if (isText) this.fault(node, 'duplicate_id', `${path}/id`, 'has the same id as another block');
    else this.fault(node, 'missing_id', `${path}/id`, 'needs an id: a text of at most 100 characters');
    return '';
  }

  private noteUnknownFields(node: Fields, type: string): void {
    if (!this.newId) return;
    const known = FIELDS[type] ?? [];
    for (const name of Object.keys(node))
      if (!COMMON_FIELDS.includes(name) && !known.includes(name)) this.unknownFields.add(name);
  }

  protected text(node: Fields, path: string, name: string, fallback: string, maxLength: number): unknown {
    const text = this.typed(node, node, path, name, 'text', fallback);
    if (typeof text !== 'string' || text.length <= maxLength) return text;
    this.fault(node, 'too_long', `${path}/${name}`, `has a ${name} of more than ${maxLength} characters`);
    return text.slice(0, maxLength);
  }

  /** A field of a scalar type; `loose` is a number, or a text of digits or a variable. */
  protected typed(
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
    this.fault(node, isLong ? 'too_long' : 'invalid_field', `${path}/${name}`, fault);
    return fallback;
  }

  protected list(node: Fields, path: string, name: string, record: Fields = node): readonly unknown[] {
    const value = field(record, name);
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.fault(node, 'invalid_list', `${path}/${name}`, `has ${quote(value)} as ${name}, expected a list`);
    return [];
  }

  /** Counts a node; false where the tree has too many. */
  protected count(node: Fields, path: string): boolean {
    if (this.nodes === MAX_NODES && !this.isBeyondBounds)
      this.fault(node, 'too_many_nodes', path, `is one too many: a strategy has at most ${MAX_NODES} blocks`);
    if (this.nodes === MAX_NODES) this.isBeyondBounds = true;
    else this.nodes += 1;
    return !this.isBeyondBounds;
  }

  /** Whether enough has been found wrong for a refusal. */
  protected get isHopeless(): boolean {
    return this.newId === null && this.problems.length >= MAX_PROBLEMS;
  }

  /** Of these fields those that are given. */
  protected numbers(node: Fields, record: Fields, path: string, names: readonly string[]): Fields {
    const given: Fields = {};
    for (const name of names) {
      const value = this.typed(node, record, path, name, 'looseOrNull', null);
      if (value !== null) given[name] = value;
    }
    return given;
  }

  /** What a function is given, whichever it takes, so that another choice of the function finds it again. */
  protected params(node: Fields, record: Fields, path: string, name: string): Fields {
    const params = field(record, name) ?? {};
    const at = `${path}/${name}`;
    if (!isRecord(params)) {
      this.fault(node, 'invalid_field', at, `has ${quote(params)} as ${name}`);
      return {};
    }
    const numbers = this.numbers(node, params, at, ['window', 'deviations', 'fast', 'slow', 'signal']);
    const second = field(params, 'with') ?? null;
    return second === null ? numbers : { ...numbers, with: this.side(node, at, 'with', 'text', params) };
  }

  /** A ticker (`text`) or a value; null while it is not set. */
  protected side(node: Fields, path: string, name: string, type: TypeOf, record: Fields = node): unknown {
    if (field(record, name) === null) return null;
    const value = this.typed(node, record, path, name, type, null);
    if (typeof value !== 'string' || value.length <= MAX_TICKER_LENGTH) return value;
    const fault = `has a ${name} of more than ${MAX_TICKER_LENGTH} characters`;
    this.fault(node, 'too_long', `${path}/${name}`, fault);
    return null;
  }

  /** One of the options; the first where none is given or none of them. */
  protected choice(
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
    this.fault(node, code, path, `${verb} ${quote(value)}, expected one of ${expected}`);
    return first;
  }

  protected function(node: Fields, path: string, name: string): unknown {
    const fn = normalFunctionName(field(node, name) ?? null);
    if (fn === null || fn === '') return null;
    if (isIndicatorName(fn)) return fn;
    this.fault(node, 'unknown_function', `${path}/${name}`, `has the unknown function ${quote(fn)}`);
    return null;
  }
}
