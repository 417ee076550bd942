import { COMPARATOR_OF_SIGN } from '../../strategy/comparators.ts';
import { INDICATORS } from '../../strategy/indicator.ts';
import type {
  Comparator,
  ConditionItem,
  ConditionNode,
  ConditionType,
  FunctionParams,
  IndicatorName,
} from '../../strategy/tree.ts';
import type { SourceSide, TreeWriter } from '../tree-writer.ts';
import type { TokenReader } from './token-reader.ts';
import { TextError, type Token } from './tokens.ts';
import { functionNamed, nameOfFunction, nearestFunction } from './words.ts';

const MAX_PARENTHESES = 60;

/** Conditions and how they are joined. */
export interface Joined {
  readonly type: ConditionType;
  readonly items: readonly ConditionItem[];
}

/** Reads what stands between `if` and `then`. */
export function readTest(tokens: TokenReader, writer: TreeWriter): Joined {
  return new ConditionParser(tokens, writer).test();
}

/** A function as a filter sorts by it: `RSI(10)`. */
export function readSort(tokens: TokenReader): {
  readonly fn: IndicatorName;
  readonly params: FunctionParams;
} {
  const { fn, token } = readFunctionName(tokens);
  if (INDICATORS[fn].isPair)
    throw new TextError(
      `${nameOfFunction(fn)} compares two series: a filter cannot sort by it`,
      token.offset,
      token.length,
    );
  const params = tokens.tookSign('(') ? readParams(tokens, fn, true) : {};
  return { fn, params };
}

/** A number, a variable, or null for a question mark. */
export function readValue(tokens: TokenReader): number | string | null {
  const token = tokens.peek();
  if (tokens.tookSign('?')) return null;
  if (token.kind === 'number') return Number(tokens.next().value);
  if (token.kind === 'word' && token.value.startsWith('$') && token.value.length > 1)
    return tokens.next().value;
  throw tokens.error('Expected a number or a $variable', ['number']);
}

function readFunctionName(tokens: TokenReader): { readonly fn: IndicatorName; readonly token: Token } {
  const token = tokens.peek();
  const words: string[] = [];
  while (tokens.peek(words.length).kind === 'word' && words.length < 8)
    words.push(tokens.peek(words.length).value);
  // The longest run of words that names a function: what follows may be "of" or "weighted".
  for (let count = words.length; count > 0; count -= 1) {
    const fn = functionNamed(words.slice(0, count).join(' '));
    if (fn === null) continue;
    for (let taken = 0; taken < count; taken += 1) tokens.next();
    return { fn, token };
  }
  if (words.length === 0) throw tokens.error('Expected a function such as RSI', ['function']);
  const called = words.join(' ');
  const near = nearestFunction(called) ?? nearestFunction(words[0] ?? '');
  const hint = near === null ? '' : `: did you mean ${near}?`;
  throw new TextError(`“${called}” is no function${hint}`, token.offset, token.length, ['function']);
}

/** Parameters in their order up to the closing bracket. */
function readParams(tokens: TokenReader, fn: IndicatorName, isFirst: boolean): FunctionParams {
  const { parameters } = INDICATORS[fn];
  const params: Record<string, number | string> = {};
  let needsComma = !isFirst;
  for (const { name, label } of parameters) {
    if (tokens.isSign(')')) break;
    if (needsComma) tokens.sign(',');
    needsComma = true;
    const token = tokens.peek();
    if (token.kind !== 'number' && !token.value.startsWith('$') && token.value !== '?')
      throw tokens.error(`Expected the ${label} of ${nameOfFunction(fn)}, a number or a $variable`, [
        'number',
      ]);
    const value = readValue(tokens);
    if (value !== null) params[name] = value;
  }
  if (tokens.isSign(',')) {
    const takes = parameters.length === 0 ? 'no parameter' : parameters.map(({ label }) => label).join(', ');
    throw new TextError(`${nameOfFunction(fn)} takes ${takes}, and nothing more`, tokens.peek().offset, 1);
  }
  tokens.sign(')');
  return params;
}

/** A ticker, also one in backquotes; null for a question mark. */
export function readTicker(tokens: TokenReader): string | null {
  const token = tokens.peek();
  if (tokens.tookSign('?')) return null;
  if (token.kind === 'ticker') return tokens.next().value;
  if (token.kind !== 'word') throw tokens.error('Expected a ticker', ['series']);
  tokens.next();
  return token.value.startsWith('$') ? token.value : token.value.toUpperCase();
}

class ConditionParser {
  readonly #tokens: TokenReader;
  readonly #writer: TreeWriter;

  constructor(tokens: TokenReader, writer: TreeWriter) {
    this.#tokens = tokens;
    this.#writer = writer;
  }

  test(): Joined {
    if (this.#tokens.isSign('?') && this.#tokens.isWord('then', 1)) {
      this.#tokens.next();
      return { type: 'allOf', items: [] };
    }
    return this.#or(0);
  }

  #or(depth: number): Joined {
    return this.#joined('or', 'anyOf', depth, () => this.#and(depth));
  }

  #and(depth: number): Joined {
    return this.#joined('and', 'allOf', depth, () => this.#primary(depth));
  }

  /** Parts joined by one word; a part that is joined itself becomes a group. */
  #joined(word: 'and' | 'or', type: ConditionType, depth: number, part: () => Joined): Joined {
    if (depth > MAX_PARENTHESES)
      throw this.#tokens.error(`More than ${MAX_PARENTHESES} brackets are open here`);
    const first = part();
    if (!this.#tokens.isWord(word)) return first;
    const items = [this.#item(first)];
    while (this.#tokens.tookWord(word)) items.push(this.#item(part()));
    return { type, items };
  }

  #item({ type, items, ...rest }: Joined & { readonly isGroup?: boolean }): ConditionItem {
    const [only] = items;
    if (only && items.length === 1 && rest.isGroup !== true) return only;
    return this.#writer.conditionGroup(type, items);
  }

  #primary(depth: number): Joined & { readonly isGroup?: boolean } {
    const tokens = this.#tokens;
    if (tokens.tookSign('(')) {
      const inner = this.#or(depth + 1);
      tokens.sign(')');
      return inner;
    }
    const isList = (tokens.isWord('any') || tokens.isWord('all')) && tokens.isWord('of', 1);
    if (!isList) return { type: 'allOf', items: [this.#comparison()] };
    const type = tokens.word('any', 'all') === 'any' ? 'anyOf' : 'allOf';
    tokens.word('of');
    tokens.sign('(');
    const items: ConditionItem[] = [];
    // A group without a condition is one that still waits for them.
    while (!tokens.isSign(')') || items.length > 0) {
      items.push(this.#item(this.#or(depth + 1)));
      if (!tokens.tookSign(',')) break;
    }
    tokens.sign(')');
    return { type, items, isGroup: true };
  }

  #comparison(): ConditionNode {
    const tokens = this.#tokens;
    const id = this.#writer.id();
    const left = this.#side();
    const comparator = this.#comparator();
    const further: Record<string, number | string> = {};
    if (left.ago !== null) further.lhs_days_ago = left.ago;
    const right = this.#right(further);
    if (tokens.tookWord('for')) {
      const days = readValue(tokens);
      tokens.word('days', 'day');
      if (days !== null) further.for_days = days;
    }
    return this.#writer.condition(id, left.side, comparator, right, further);
  }

  #comparator(): Comparator | null {
    const tokens = this.#tokens;
    const { kind, value } = tokens.peek();
    if (kind === 'sign' && value === '?') {
      tokens.next();
      return null;
    }
    const comparator =
      kind === 'sign' && Object.hasOwn(COMPARATOR_OF_SIGN, value) ? COMPARATOR_OF_SIGN[value] : undefined;
    if (comparator === undefined) throw tokens.error('Expected one of > < >= <= =', ['comparator']);
    tokens.next();
    return comparator;
  }

  /** A number, or a function with what it is multiplied by and moved by. */
  #right(further: Record<string, number | string>): SourceSide | { readonly value: number | string | null } {
    const tokens = this.#tokens;
    const { kind, value } = tokens.peek();
    const isUnset = kind === 'sign' && value === '?' && !tokens.isSign('(', 1);
    if (kind === 'number' || value.startsWith('$') || isUnset) {
      const number = readValue(tokens);
      if (!tokens.tookSign('*')) return { value: number };
      if (number !== null) further.rhs_scale = number;
    } else if (kind === 'sign' && value !== '?' && value !== '(') {
      throw tokens.error('Expected a number or a function', ['number', 'function']);
    }
    const { side, ago } = this.#side();
    if (ago !== null) further.rhs_days_ago = ago;
    const isMinus = tokens.isSign('-');
    if (tokens.tookSign('+') || tokens.tookSign('-')) {
      const { value: moved } = tokens.peek();
      if (isMinus && moved.startsWith('$'))
        throw tokens.error(`Expected a number after -: write + ${moved} and give it negative values`, [
          'number',
        ]);
      const offset = readValue(tokens);
      if (offset !== null) further.rhs_offset = isMinus ? -offset : offset;
    }
    return side;
  }

  #side(): { readonly side: SourceSide; readonly ago: number | string | null } {
    const tokens = this.#tokens;
    const isUnset = tokens.isSign('?') && tokens.isSign('(', 1);
    if (isUnset) tokens.next();
    const fn = isUnset ? null : readFunctionName(tokens).fn;
    tokens.sign('(');
    const ticker = this.#series();
    let params: FunctionParams = {};
    if (fn === null) tokens.sign(')');
    else if (INDICATORS[fn].isPair) {
      tokens.sign(',');
      const second = this.#series();
      params = { ...readParams(tokens, fn, false), ...(second !== null && { with: second }) };
    } else params = readParams(tokens, fn, false);
    const isAgo =
      tokens.peek().kind !== 'sign' &&
      (tokens.isWord('days', 1) || tokens.isWord('day', 1)) &&
      tokens.isWord('ago', 2);
    const ago = isAgo ? readValue(tokens) : null;
    if (isAgo) {
      tokens.next();
      tokens.next();
    }
    return { side: { fn, params, ticker }, ago };
  }

  #series(): string | null {
    const left = readTicker(this.#tokens);
    if (!this.#tokens.tookSign('/')) return left;
    const right = readTicker(this.#tokens);
    return `${left ?? ''}/${right ?? ''}`;
  }
}
