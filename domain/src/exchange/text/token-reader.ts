import { type Expected, TextError, type Token } from './tokens.ts';

/** Steps through the tokens of a text; every "no" is an error at the word. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The token `ahead` of the next one; the last one again beyond the end. */
  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (!token) throw new TypeError('A list of tokens ends with an end');
    return token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#at += 1;
    return token;
  }

  /** Whether the next token is a keyword, letter case aside. */
  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.value.toLowerCase() === word;
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && token.value === sign;
  }

  /** Takes the next token where it is this keyword. */
  tookWord(...words: readonly string[]): boolean {
    const isThere = words.some((word) => this.isWord(word));
    if (isThere) this.next();
    return isThere;
  }

  tookSign(sign: string): boolean {
    const isThere = this.isSign(sign);
    if (isThere) this.next();
    return isThere;
  }

  /** Takes a keyword that must stand here. */
  word(...words: readonly string[]): string {
    const token = this.peek();
    if (!this.tookWord(...words)) throw this.error(`Expected ${listWords(words)}`, [{ words }]);
    return token.value.toLowerCase();
  }

  sign(sign: string): void {
    if (!this.tookSign(sign)) throw this.error(`Expected ${sign}`, [{ words: [sign] }]);
  }

  /** An error at the next token (or another one), which it quotes. */
  error(sentence: string, expected: readonly Expected[] = [], token = this.peek()): TextError {
    const found = token.kind === 'end' ? 'but the text ends here' : `not ${quoted(token)}`;
    return new TextError(`${sentence}, ${found}`, token.offset, token.length, expected);
  }
}

function quoted({ kind, value }: Token): string {
  const short = value.length > 30 ? `${value.slice(0, 30)}…` : value;
  return kind === 'text' ? JSON.stringify(short) : `“${short}”`;
}

function listWords(words: readonly string[]): string {
  return words.length < 2
    ? `“${words.join('')}”`
    : `${words
        .slice(0, -1)
        .map((word) => `“${word}”`)
        .join(', ')} or “${words.at(-1)}”`;
}
