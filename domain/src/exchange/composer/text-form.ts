import type { Algorithm, BlockNode, Weight } from '../../strategy/tree.ts';
import { isRecord } from '../../strategy/values.ts';
import { looseNumber, shifted, weightOf } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import { type Datum, Form, Pairs, Word } from '../syntax/datum.ts';
import type { TreeWriter } from '../tree-writer.ts';
import { sortAndSelect } from './filter-choice.ts';
import { FormPlaces } from './form-places.ts';
import { readFunction } from './functions.ts';
import { readRule } from './rebalancing-rule.ts';
import { argumentsOf, FormConditions, headOf } from './text-conditions.ts';
import { tellSum, UNSET_WEIGHT } from './weights.ts';

const OPTIONS: ReadonlySet<string> = new Set([
  ...['asset-class', 'asset-classes', 'rebalance-frequency', 'rebalance-threshold', 'description'],
]);
const FULL: Weight = { num: 100, den: 100 };
const UNKNOWN = 'Not known here: what it changes there is unknown';

/**
 * Reads `(defsymphony "name" {options} block)`, or blocks without it.
 * @param text that the offsets of the forms count in, for places
 */
export function readTextForm(writer: TreeWriter, forms: readonly Form[], text: string): Algorithm {
  const [form] = forms;
  if (!form) throw new TypeError('There is no form to read');
  return new TextForm(writer, text).symphony(form, forms);
}

/** Whether a value is a single block of the text form, such as `(if …)`. */
export function isBlockForm(value: unknown): boolean {
  const head = headOf(value);
  return head !== null && /^(?:asset|group|if|filter|weight-[a-z-]+)$/.test(head);
}

/** A map of options, as opposed to the other things that are objects. */
function isMap(value: Datum): value is Record<string, Datum> {
  return isRecord(value) && !(value instanceof Form || value instanceof Word || value instanceof Pairs);
}

/** What stands before the blocks: a name, a text about it. */
const isText = (item: Datum): boolean => typeof item === 'string' || item instanceof Word;

/** Items of a list or of lists within it. Each is put into one list at once, not into that of every level around it. */
function flat(items: readonly Datum[], found: Datum[] = []): readonly Datum[] {
  for (const item of items)
    if (Array.isArray(item)) flat(item as Datum[], found);
    else found.push(item);
  return found;
}

class TextForm {
  readonly #writer: TreeWriter;
  readonly #places: FormPlaces;
  readonly #conditions: FormConditions;

  constructor(writer: TreeWriter, text: string) {
    this.#writer = writer;
    this.#places = new FormPlaces(text);
    this.#conditions = new FormConditions(writer, this.#places);
  }

  symphony(form: Form, all: readonly Form[]): Algorithm {
    const path = this.#places.of(form);
    const id = this.#writer.id();
    const isWhole = headOf(form) === 'defsymphony';
    const rest = isWhole ? form.items.slice(1) : all;
    // Before the blocks: a name, sometimes a text about it, and maps of options.
    const head: Datum[] = rest.filter(isText);
    const [name, about, ...more] = head;
    const options: Record<string, Datum> = {};
    for (const item of rest) if (isMap(item)) this.#option(options, item, path, id);
    this.#tellExtra('defsymphony', more, path, id);
    const blocks = rest.filter((item) => !isText(item) && !isMap(item));
    const description = options.description ?? about;
    const width = options['rebalance-threshold'];
    const frequency = options['rebalance-frequency'];
    const rule = { rebalance: frequency ?? (width === undefined ? undefined : 'none'), width };
    return {
      id,
      node_type: 'root',
      weight: FULL,
      is_collapsed: false,
      name: this.#writer.name(name instanceof Word ? name.text : name, path, id),
      description: this.#writer.description(
        description instanceof Word ? description.text : description,
        path,
        id,
      ),
      ...readRule(this.#writer, rule, path, id),
      version: 'v1',
      children: this.#blocks(blocks, path),
    };
  }

  #option(options: Record<string, Datum>, given: Record<string, Datum>, path: string, id: string): void {
    for (const [key, value] of Object.entries(given)) {
      if (Object.hasOwn(options, key))
        this.#writer.tell(
          'guessed',
          path,
          `${key} ${sourceWords(value)} once more`,
          sourceWords(options[key]),
          'Which one counts',
          id,
        );
      else options[key] = value;
      if (!OPTIONS.has(key))
        this.#writer.tell('lost', path, `${key} ${sourceWords(value)}`, 'left out', UNKNOWN, id);
      if (key === 'asset-class' && String(value).toUpperCase() !== 'EQUITIES')
        this.#writer.tell(
          'lost',
          path,
          `the asset class ${sourceWords(value)}`,
          'shares and funds only',
          'What is not among the prices here cannot run',
          id,
        );
    }
  }

  /** Blocks of a list; a list within it is taken apart. */
  #blocks(items: readonly Datum[], path: string): BlockNode[] {
    return flat(items).flatMap((item): BlockNode[] => {
      if (item === null) return [];
      if (item instanceof Form) return [this.#block(item)];
      return [this.#writer.missing(path, sourceWords(item), 'This is no block')];
    });
  }

  #block(form: Form): BlockNode {
    const path = this.#places.of(form);
    const head = headOf(form);
    const args = form.items.slice(1);
    const common = () => ({ id: this.#writer.id(), weight: FULL, is_collapsed: false });
    switch (head) {
      case 'asset': {
        const [ticker, name, ...extra] = args.map((item) => (item instanceof Word ? item.text : item));
        const asset = this.#writer.asset(path, ticker, name);
        this.#tellExtra(head, extra, path, asset.id);
        return asset;
      }
      case 'group': {
        const node = common();
        const isNamed = typeof args[0] === 'string';
        const name = this.#writer.name(args[0], path, node.id);
        return {
          ...node,
          node_type: 'group',
          name,
          children: this.#groupChildren(args.slice(isNamed ? 1 : 0), path),
        };
      }
      case 'weight-equal':
        return { ...common(), node_type: 'wt-cash-equal', children: this.#blocks(args, path) };
      case 'weight-specified':
        return this.#specified(args, path);
      case 'weight-inverse-volatility':
      case 'weight-inverse-vol':
        return this.#inverseVolatility(args, path);
      case 'weight-marketcap':
      case 'weight-market-cap':
        return this.#marketCap(args, path);
      case 'filter':
        return this.#filter(args, path);
      case 'if':
        return this.#if(args, path);
      case 'empty':
        return { ...common(), node_type: 'empty' };
      default:
        return this.#unknown(form, args, path);
    }
  }

  #tellExtra(head: string, extra: readonly Datum[], path: string, id: string): void {
    if (extra.length > 0)
      this.#writer.tell('lost', path, `${head} with ${sourceWords(extra)}`, 'left out', UNKNOWN, id);
  }

  /** What is none of the known blocks; those inside it are kept, the rest is told. */
  #unknown(form: Form, args: readonly Datum[], path: string): BlockNode {
    const [inner, others] = [flat(args).filter(isBlockForm), flat(args).filter((item) => !isBlockForm(item))];
    const words = others.length === 0 ? '' : ` ${sourceWords(others)}`;
    const said = `the block ${JSON.stringify(headOf(form) ?? '')}${words}`;
    const missing = this.#writer.missing(path, said, 'It cannot run until something is put in its place');
    if (inner.length === 0) return missing;
    const id = this.#writer.id();
    const children = [missing, ...this.#blocks(inner, path)];
    return { id, node_type: 'group', weight: FULL, is_collapsed: false, name: missing.name, children };
  }

  #groupChildren(args: readonly Datum[], path: string): BlockNode[] {
    const items = flat(args);
    const [only] = items;
    if (items.length === 1 && only instanceof Form && headOf(only) === 'weight-equal')
      return this.#blocks(only.items.slice(1), this.#places.of(only));
    return this.#blocks(items, path);
  }

  #inverseVolatility(args: readonly Datum[], path: string): BlockNode {
    const id = this.#writer.id();
    const { numbers, options, rest } = argumentsOf(args);
    const given = options.window ?? options['window-days'] ?? numbers[0];
    const window = this.#writer.number(given, 'window', path, id);
    if (window === null)
      this.#writer.tell(
        'guessed',
        path,
        given === undefined ? 'no window' : `the window ${sourceWords(given)}`,
        '10 days',
        'The figures, if another was meant',
        id,
      );
    this.#tellExtra(
      'weight-inverse-volatility',
      options.window === undefined ? numbers.slice(1) : numbers,
      path,
      id,
    );
    const common = { id, weight: FULL, is_collapsed: false, params: { window: window ?? 10 } };
    return { ...common, node_type: 'wt-inverse-volatility', children: this.#blocks(rest, path) };
  }

  #marketCap(args: readonly Datum[], path: string): BlockNode {
    const id = this.#writer.id();
    this.#writer.tell(
      'lost',
      path,
      'weights by market capitalisation',
      'weights that are not set',
      'There is no market capitalisation here: the block cannot run until weights are given',
      id,
    );
    const children = this.#blocks(args, path).map((child) => ({ ...child, weight: UNSET_WEIGHT }));
    return { id, node_type: 'wt-cash-specified', weight: FULL, is_collapsed: false, children };
  }

  /** Shares and blocks in turn: `(weight-specified 0.25 block 0.75 block)`. */
  #specified(args: readonly Datum[], path: string): BlockNode {
    const id = this.#writer.id();
    const pairs: { readonly form: Form; readonly share: Datum }[] = [];
    let share: Datum;
    const leftover = (value: Datum) =>
      this.#writer.tell(
        'lost',
        path,
        `the weight ${sourceWords(value)}`,
        'left out',
        'It belongs to no block',
        id,
      );
    for (const item of flat(args)) {
      if (item instanceof Form) {
        pairs.push({ form: item, share });
        share = undefined;
      } else {
        if (share !== undefined) leftover(share);
        share = item instanceof Word ? item.text : item;
      }
    }
    if (share !== undefined) leftover(share);
    const weights = this.#inFractions(
      pairs.map((pair) => weightOf(pair.share) ?? looseWeight(pair.share)),
      path,
      id,
    );
    let sum = 0;
    const children = pairs.map(({ form, share: given }, index): BlockNode => {
      const block = this.#block(form);
      const weight = weights[index] ?? null;
      if (weight === null) {
        const said = given === undefined ? 'no weight' : `the weight ${sourceWords(given)}`;
        const effect = 'The block cannot run until it has one';
        this.#writer.tell('lost', this.#places.of(form), said, 'none', effect, block.id);
      }
      sum += weight ? Number(weight.num) / Number(weight.den) : Number.NaN;
      return { ...block, weight: weight ?? UNSET_WEIGHT };
    });
    tellSum(this.#writer, sum, children.length, path, id);
    return { id, node_type: 'wt-cash-specified', weight: FULL, is_collapsed: false, children };
  }

  /** Shares are fractions; where they add up to 100 they are percentages. */
  #inFractions(weights: readonly (Weight | null)[], path: string, id: string): readonly (Weight | null)[] {
    const sum = weights.reduce((total, weight) => total + Number(weight?.num) / Number(weight?.den), 0);
    if (!(sum > 99 && sum < 101)) return weights;
    const percent = weights.map(
      (weight) => weight && { num: shifted(Number(weight.num), -2), den: weight.den },
    );
    const said = `shares that add up to ${Number(sum.toPrecision(8))}`;
    this.#writer.tell('guessed', path, said, 'percentages', 'What is held: fractions would add up to 1', id);
    return percent;
  }

  #filter(args: readonly Datum[], path: string): BlockNode {
    const id = this.#writer.id();
    const isSelect = (item: Datum) => /^select-/.test(headOf(item) ?? '');
    const select = args.find(isSelect);
    const by = args.find((item) => item instanceof Form && item !== select && !isBlockForm(item));
    const rest = args.filter((item) => item !== by && item !== select);
    const { numbers, options } = argumentsOf(by instanceof Form ? by.items.slice(1) : []);
    const sort = readFunction(this.#writer, headOf(by) ?? undefined, options, numbers[0], path, id);
    const direction = headOf(select)?.replace(/^select-/, '');
    const [count, ...extra] = select instanceof Form ? select.items.slice(1) : [];
    this.#tellExtra('select', extra, path, id);
    const common = { id, weight: FULL, is_collapsed: false };
    const choice = sortAndSelect(this.#writer, sort, direction, count, path, id);
    return { ...common, node_type: 'filter', ...choice, children: this.#blocks(rest, path) };
  }

  #if(args: readonly Datum[], path: string): BlockNode {
    const id = this.#writer.id();
    const [test, then, otherwise, ...extra] = args;
    const { type, items } = this.#conditions.test(test, path);
    this.#tellExtra('if', extra, path, id);
    return this.#writer.ifThenElse(
      id,
      type,
      items,
      this.#blocks(then === undefined ? [] : [then], path),
      this.#blocks(otherwise === undefined ? [] : [otherwise], path),
    );
  }
}

/** A share that is spelled with spaces or a typographic sign, a fraction. */
function looseWeight(value: Datum): Weight | null {
  const number = looseNumber(value);
  return number === null ? null : { num: shifted(number, 2), den: 100 };
}
