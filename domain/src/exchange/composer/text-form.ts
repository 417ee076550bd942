import type {
  Algorithm,
  BlockNode,
  Comparator,
  ConditionItem,
  ConditionType,
  Weight,
} from '../../strategy/tree.ts';
import { isRecord } from '../../strategy/values.ts';
import { sourceNumber, weightOf } from '../numbers.ts';
import { Form, Word } from '../syntax/datum.ts';
import type { SourceSide, TreeWriter } from '../tree-writer.ts';
import type { SourceConditions } from './conditions.ts';
import { checkThreshold, readFunction, readParams } from './functions.ts';
import { readRule, sortAndSelect, tellSum } from './symphony.ts';

const COMPARATORS: Readonly<Record<string, Comparator>> = {
  '>': 'gt',
  '<': 'lt',
  '>=': 'gte',
  '<=': 'lte',
  '=': 'eq',
};
const JOINTS: Readonly<Record<string, ConditionType>> = {
  and: 'allOf',
  all: 'allOf',
  or: 'anyOf',
  any: 'anyOf',
};
const OPTIONS: ReadonlySet<string> = new Set([
  ...['asset-class', 'asset-classes', 'rebalance-frequency', 'rebalance-threshold', 'description'],
]);
const FULL: Weight = { num: 100, den: 100 };

/** Whether a value is a form with a head: `(defsymphony …)`. */
export function headOf(value: unknown): string | null {
  const head = value instanceof Form ? value.items[0] : null;
  return head instanceof Word ? head.text : null;
}

/**
 * Reads `(defsymphony "name" {options} block)`.
 * @param text that the offsets of the forms count in, for places
 */
export function readTextForm(writer: TreeWriter, form: Form, text: string): Algorithm {
  return new TextForm(writer, text).symphony(form);
}

/** Reads a single block of the text form, such as `(if …)`, put below a root. */
export function isBlockForm(value: unknown): boolean {
  const head = headOf(value);
  return head !== null && /^(?:asset|group|if|filter|weight-[a-z-]+)$/.test(head);
}

class TextForm {
  readonly #writer: TreeWriter;
  readonly #text: string;
  #lines: number[] | null = null;

  constructor(writer: TreeWriter, text: string) {
    this.#writer = writer;
    this.#text = text;
  }

  symphony(form: Form): Algorithm {
    const path = this.#place(form);
    const id = this.#writer.id();
    const isWhole = headOf(form) === 'defsymphony';
    const rest = isWhole ? form.items.slice(1) : [form];
    const name = rest.find((item) => typeof item === 'string');
    const options = rest.find(
      (item): item is Record<string, unknown> => isRecord(item) && !(item instanceof Form),
    );
    const blocks = rest.filter((item) => item !== name && item !== options);
    for (const [key, value] of Object.entries(options ?? {})) {
      if (!OPTIONS.has(key))
        this.#writer.tell(
          'lost',
          path,
          `${key} ${JSON.stringify(value)}`,
          'left out',
          'Not known here: what it changes there is unknown',
          id,
        );
      if (key === 'asset-class' && String(value).toUpperCase() !== 'EQUITIES')
        this.#writer.tell(
          'lost',
          path,
          `the asset class ${JSON.stringify(value)}`,
          'shares and funds only',
          'What is not among the prices here cannot run',
          id,
        );
    }
    const width = options?.['rebalance-threshold'];
    const frequency = options?.['rebalance-frequency'];
    const rule = { rebalance: frequency ?? (width === undefined ? undefined : 'none'), width };
    return {
      id,
      node_type: 'root',
      weight: FULL,
      is_collapsed: false,
      name: this.#writer.name(name, path, id),
      description: typeof options?.description === 'string' ? options.description.slice(0, 10_000) : '',
      ...readRule(this.#writer, rule, path, id),
      version: 'v1',
      children: this.#blocks(blocks, path),
    };
  }

  /** "line 3, column 14", found by the table of lines since there may be thousands. */
  #place(form: Form): string {
    if (this.#lines === null) {
      this.#lines = [0];
      for (let at = this.#text.indexOf('\n'); at !== -1; at = this.#text.indexOf('\n', at + 1))
        this.#lines.push(at + 1);
    }
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lines[middle] ?? 0) <= form.offset) low = middle;
      else high = middle - 1;
    }
    return `line ${low + 1}, column ${form.offset - (this.#lines[low] ?? 0) + 1}`;
  }

  /** Blocks of a list; a list within it is taken apart. */
  #blocks(items: readonly unknown[], path: string): BlockNode[] {
    return items.flatMap((item): BlockNode[] => {
      if (Array.isArray(item)) return this.#blocks(item, path);
      if (item === null) return [];
      if (item instanceof Form) return [this.#block(item)];
      return [this.#writer.missing(path, JSON.stringify(item).slice(0, 60), 'This is no block')];
    });
  }

  #block(form: Form): BlockNode {
    const path = this.#place(form);
    const head = headOf(form);
    const args = form.items.slice(1);
    const common = () => ({ id: this.#writer.id(), weight: FULL, is_collapsed: false });
    switch (head) {
      case 'asset': {
        const asset = this.#writer.asset(path, args[0], args[1]);
        this.#tellExtra(head, args.slice(2), path, asset.id);
        return asset;
      }
      case 'group': {
        const node = common();
        const name = this.#writer.name(args[0], path, node.id);
        return { ...node, node_type: 'group', name, children: this.#groupChildren(args.slice(1), path) };
      }
      case 'weight-equal':
        return { ...common(), node_type: 'wt-cash-equal', children: this.#blocks(args, path) };
      case 'weight-specified':
        return this.#specified(args, path);
      case 'weight-inverse-volatility':
      case 'weight-inverse-vol': {
        const node = common();
        const window = sourceNumber(args[0]);
        if (window === null)
          this.#writer.tell(
            'guessed',
            path,
            `the window ${JSON.stringify(args[0] ?? null)}`,
            '10 days',
            'The figures, if another was meant',
            node.id,
          );
        const children = this.#blocks(window === null ? args : args.slice(1), path);
        return { ...node, node_type: 'wt-inverse-volatility', params: { window: window ?? 10 }, children };
      }
      case 'filter':
        return this.#filter(args, path);
      case 'if':
        return this.#if(args, path);
      case 'empty':
        return { ...common(), node_type: 'empty' };
      default:
        return this.#unknown(head ?? 'a form without a name', args, path);
    }
  }

  #tellExtra(head: string, extra: readonly unknown[], path: string, id: string): void {
    if (extra.length > 0)
      this.#writer.tell(
        'lost',
        path,
        `${head} with ${JSON.stringify(extra)}`,
        'left out',
        'Not known here: what it changes there is unknown',
        id,
      );
  }

  #unknown(head: string, args: readonly unknown[], path: string): BlockNode {
    const isMarketCap = head === 'weight-marketcap' || head === 'weight-market-cap';
    const missing = this.#writer.missing(
      path,
      isMarketCap ? 'weights by market capitalisation' : `the block ${JSON.stringify(head)}`,
      'It cannot run until something is put in its place',
    );
    const children = this.#blocks(
      args.filter((item) => item instanceof Form || Array.isArray(item)),
      path,
    );
    if (children.length === 0) return missing;
    const id = this.#writer.id();
    const common = { id, weight: FULL, is_collapsed: false, name: missing.name };
    return { ...common, node_type: 'group', children: [missing, ...children] };
  }

  #groupChildren(args: readonly unknown[], path: string): BlockNode[] {
    const items = args.flatMap((item): readonly unknown[] => (Array.isArray(item) ? item : [item]));
    const [only] = items;
    if (items.length === 1 && only instanceof Form && headOf(only) === 'weight-equal')
      return this.#blocks(only.items.slice(1), this.#place(only));
    return this.#blocks(items, path);
  }

  /** Shares and blocks in turn: `(weight-specified 0.25 block 0.75 block)`. */
  #specified(args: readonly unknown[], path: string): BlockNode {
    const id = this.#writer.id();
    const items = args.flatMap((item): readonly unknown[] => (Array.isArray(item) ? item : [item]));
    const children: BlockNode[] = [];
    let share: Weight | null = null;
    let sum = 0;
    for (const item of items) {
      if (!(item instanceof Form)) {
        share = weightOf(item instanceof Word ? item.text : item);
        if (share === null)
          this.#writer.tell(
            'lost',
            path,
            `the weight ${JSON.stringify(item instanceof Word ? item.text : item)}`,
            'none',
            'The next block cannot run until it has one',
            id,
          );
        continue;
      }
      const block = this.#block(item);
      if (share === null)
        this.#writer.tell(
          'lost',
          this.#place(item),
          'no weight',
          'none',
          'The block cannot run until it has one',
          block.id,
        );
      sum += share ? Number(share.num) / Number(share.den) : Number.NaN;
      children.push({ ...block, weight: share ?? { num: '', den: 100 } });
      share = null;
    }
    tellSum(this.#writer, sum, children.length, path, id);
    return { id, node_type: 'wt-cash-specified', weight: FULL, is_collapsed: false, children };
  }

  #filter(args: readonly unknown[], path: string): BlockNode {
    const id = this.#writer.id();
    const [by, select, ...rest] = args;
    const head = headOf(by);
    const fn = readFunction(this.#writer, head ?? undefined, path, id);
    const given = by instanceof Form ? by.items.slice(1).find((item) => isRecord(item)) : undefined;
    const params = readParams(this.#writer, fn, given, undefined, path, id);
    const direction = headOf(select)?.replace(/^select-/, '');
    const count = select instanceof Form ? select.items[1] : undefined;
    const common = { id, weight: FULL, is_collapsed: false };
    const choice = sortAndSelect(this.#writer, fn, params, direction, count, path, id);
    return { ...common, node_type: 'filter', ...choice, children: this.#blocks(rest, path) };
  }

  #if(args: readonly unknown[], path: string): BlockNode {
    const id = this.#writer.id();
    const [test, then, otherwise, ...extra] = args;
    const { type, items } = this.#test(test, path);
    this.#tellExtra('if', extra, path, id);
    return this.#writer.ifThenElse(
      id,
      type,
      items,
      this.#blocks(then === undefined ? [] : [then], path),
      this.#blocks(otherwise === undefined ? [] : [otherwise], path),
    );
  }

  #test(test: unknown, path: string): SourceConditions {
    const joint = headOf(test);
    const type = joint !== null && Object.hasOwn(JOINTS, joint) ? JOINTS[joint] : undefined;
    if (!(test instanceof Form) || type === undefined)
      return { type: 'allOf', items: [this.#condition(test, path)] };
    const parts = test.items
      .slice(1)
      .flatMap((item): readonly unknown[] => (Array.isArray(item) ? item : [item]));
    const items = parts.map((part): ConditionItem => {
      const head = headOf(part);
      if (head === null || !Object.hasOwn(JOINTS, head)) return this.#condition(part, path);
      const inner = this.#test(part, path);
      return this.#writer.conditionGroup(inner.type, inner.items);
    });
    return { type, items };
  }

  #condition(given: unknown, outer: string): ConditionItem {
    const id = this.#writer.id();
    const path = given instanceof Form ? this.#place(given) : outer;
    const head = headOf(given) ?? '';
    const comparator = Object.hasOwn(COMPARATORS, head) ? (COMPARATORS[head] ?? null) : null;
    if (comparator === null)
      this.#writer.tell(
        'lost',
        path,
        `the comparison ${JSON.stringify(head)}`,
        'none',
        'The condition cannot run until one is chosen',
        id,
      );
    const [left, right] = given instanceof Form ? given.items.slice(1) : [];
    const lhs = this.#side(left, path, id);
    if (right instanceof Form)
      return this.#writer.condition(id, lhs, comparator, this.#side(right, path, id));
    const value = sourceNumber(right instanceof Word ? right.text : right);
    if (value === null)
      this.#writer.tell(
        'lost',
        path,
        `the value ${JSON.stringify(right ?? null)}`,
        'none',
        'The condition cannot run until there is one',
        id,
      );
    checkThreshold(this.#writer, lhs.fn, value, path, id);
    return this.#writer.condition(id, lhs, comparator, { value });
  }

  #side(given: unknown, path: string, id: string): SourceSide {
    const args = given instanceof Form ? given.items.slice(1) : [];
    const fn = readFunction(this.#writer, headOf(given) ?? undefined, path, id);
    const options = args.find((item) => isRecord(item));
    const params = readParams(this.#writer, fn, options, undefined, path, id);
    const ticker = args.find((item) => typeof item === 'string');
    return { fn, params, ticker: this.#writer.ticker(ticker, path, id) || null };
  }
}
