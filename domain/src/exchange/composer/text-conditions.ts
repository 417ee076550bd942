import { COMPARATOR_OF_SIGN, OPPOSITE_COMPARATOR } from '../../strategy/comparators.ts';
import type { Comparator, ConditionItem, ConditionType } from '../../strategy/tree.ts';
import { isRecord } from '../../strategy/values.ts';
import { sourceNumber } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import { type Datum, Form, Pairs, Word } from '../syntax/datum.ts';
import type { SourceSide, TreeWriter } from '../tree-writer.ts';
import type { SourceConditions } from './conditions.ts';
import type { FormPlaces } from './form-places.ts';
import { COMPOSER_PARAMETERS, checkThreshold, readFunction } from './functions.ts';

const COMPARATORS: Readonly<Record<string, Comparator>> = { ...COMPARATOR_OF_SIGN, '==': 'eq' };
/** What a comparison is from its other side. */
const TURNED: Readonly<Record<Comparator, Comparator>> = {
  gt: 'lt',
  lt: 'gt',
  gte: 'lte',
  lte: 'gte',
  eq: 'eq',
};
const JOINTS: Readonly<Record<string, ConditionType>> = {
  and: 'allOf',
  all: 'allOf',
  or: 'anyOf',
  any: 'anyOf',
};
const PARAMETERS: ReadonlySet<string> = new Set(Object.values(COMPOSER_PARAMETERS).flat());

/** The head of a form, `rsi` of `(rsi "SPY")`; null for everything else. */
export function headOf(value: unknown): string | null {
  const head = value instanceof Form ? value.items[0] : null;
  return head instanceof Word ? head.text : null;
}

export interface FormArguments {
  readonly texts: readonly string[];
  /** Numbers that stand alone: `(rsi "SPY" 10)`. */
  readonly numbers: readonly Datum[];
  /** `{:window 10}`, or `:window 10` without the brackets. */
  readonly options: Readonly<Record<string, Datum>>;
  /** Forms and lists. */
  readonly rest: readonly Datum[];
}

/** Sorts the arguments of a form by what they are, wherever they stand. */
export function argumentsOf(items: readonly Datum[]): FormArguments {
  const texts: string[] = [];
  const numbers: Datum[] = [];
  const rest: Datum[] = [];
  // Without a prototype: `__proto__` is a name like any other.
  const options: Record<string, Datum> = Object.create(null) as Record<string, Datum>;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (item instanceof Form || item instanceof Pairs || Array.isArray(item)) rest.push(item);
    else if (item instanceof Word) texts.push(item.text);
    else if (isRecord(item)) Object.assign(options, item);
    else if (typeof item === 'string' && PARAMETERS.has(item) && isNumber(items[at + 1])) {
      options[item] = items[at + 1];
      at += 1;
    } else if (isNumber(item)) numbers.push(item);
    else if (typeof item === 'string') texts.push(item);
    else if (item !== null && item !== undefined) rest.push(item);
  }
  return { texts, numbers, options, rest };
}

function isNumber(value: Datum): boolean {
  return sourceNumber(value instanceof Word ? value.text : value) !== null;
}

/** Reads the tests of the text form: `(> (rsi "SPY" {:window 10}) 79)`, joined by `and` and `or`. */
export class FormConditions {
  readonly #writer: TreeWriter;
  readonly #places: FormPlaces;

  constructor(writer: TreeWriter, places: FormPlaces) {
    this.#writer = writer;
    this.#places = places;
  }

  test(given: Datum, path: string): SourceConditions {
    return this.#test(given, path, false);
  }

  #test(given: Datum, path: string, isNegated: boolean): SourceConditions {
    const head = headOf(given);
    if (given instanceof Form && head === 'not' && given.items.length === 2)
      return this.#test(given.items[1], this.#places.of(given), !isNegated);
    const joint = head !== null && Object.hasOwn(JOINTS, head) ? JOINTS[head] : undefined;
    if (!(given instanceof Form) || joint === undefined) {
      const items = this.#comparisons(given, path, isNegated);
      // Of a chain such as (< 20 x 30) not all hold, where it is negated.
      return { type: isNegated && items.length > 1 ? 'anyOf' : 'allOf', items };
    }
    const type = isNegated === (joint === 'allOf') ? 'anyOf' : 'allOf';
    const parts = given.items.slice(1).flatMap((item) => (Array.isArray(item) ? (item as Datum[]) : [item]));
    const items = parts.flatMap((part): readonly ConditionItem[] => {
      const inner = this.#test(part, path, isNegated);
      const isGroup = inner.items.length > 1 || Object.hasOwn(JOINTS, headOf(part) ?? '');
      return isGroup ? [this.#writer.conditionGroup(inner.type, inner.items)] : inner.items;
    });
    return { type, items };
  }

  /** One comparison, or one for each pair of a chain. */
  #comparisons(given: Datum, outer: string, isNegated: boolean): readonly ConditionItem[] {
    const path = given instanceof Form ? this.#places.of(given) : outer;
    const head = headOf(given) ?? '';
    const known = Object.hasOwn(COMPARATORS, head) ? COMPARATORS[head] : undefined;
    const operands = given instanceof Form ? given.items.slice(1) : [];
    const comparator = known === undefined ? null : isNegated ? OPPOSITE_COMPARATOR[known] : known;
    if (comparator === null || operands.length < 2) return [this.#unreadable(given, path, isNegated)];
    if (isNegated)
      this.#writer.tell(
        'taken',
        path,
        `not ${sourceWords(given)}`,
        comparator,
        'None: the opposite comparison',
        null,
      );
    return operands
      .slice(1)
      .map((right, index) => this.#comparison(operands[index], comparator, right, path));
  }

  #unreadable(given: Datum, path: string, isNegated: boolean): ConditionItem {
    const id = this.#writer.id();
    const said =
      given === undefined || given === null ? 'no condition' : `the condition ${sourceWords(given)}`;
    this.#writer.tell(
      'lost',
      path,
      isNegated ? `not ${said}` : said,
      'an empty condition',
      'The block cannot run until it is set',
      id,
    );
    const none: SourceSide = { fn: null, params: {}, ticker: null };
    return this.#writer.condition(id, none, null, none);
  }

  #comparison(left: Datum, comparator: Comparator, right: Datum, path: string): ConditionItem {
    const id = this.#writer.id();
    // Numbers stand on the right side here.
    if (!(left instanceof Form) && right instanceof Form)
      return this.#against(right, TURNED[comparator], left, path, id);
    return this.#against(left, comparator, right, path, id);
  }

  #against(left: Datum, comparator: Comparator, right: Datum, path: string, id: string): ConditionItem {
    const lhs = this.#side(left, path, id);
    if (right instanceof Form)
      return this.#writer.condition(id, lhs, comparator, this.#side(right, path, id));
    const given = right instanceof Word ? right.text : right;
    const value = this.#writer.number(given, 'value', path, id);
    if (value === null)
      this.#writer.tell(
        'lost',
        path,
        `the value ${sourceWords(given)}`,
        'none',
        'The condition cannot run until there is one',
        id,
      );
    checkThreshold(this.#writer, lhs.fn, value, path, id);
    return this.#writer.condition(id, lhs, comparator, { value });
  }

  #side(given: Datum, path: string, id: string): SourceSide {
    const { texts, numbers, options, rest } = argumentsOf(given instanceof Form ? given.items.slice(1) : []);
    const name = headOf(given) ?? (given instanceof Word ? given.text : given);
    const read = readFunction(this.#writer, name ?? undefined, options, numbers[0], path, id);
    const [ticker, ...more] = texts;
    const extra = [...more, ...numbers.slice(1), ...rest];
    if (extra.length > 0)
      this.#writer.tell(
        'lost',
        path,
        `${sourceWords(extra)} of ${sourceWords(name)}`,
        'left out',
        'Not known here: what it changes there is unknown',
        id,
      );
    return { ...read, ticker: this.#writer.ticker(ticker, path, id) || null };
  }
}
