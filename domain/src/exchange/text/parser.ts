import type { Algorithm, BlockNode, FilterWeighting, Weight } from '../../strategy/tree.ts';
import { ReportWriter } from '../fidelity-report.ts';
import { TreeWriter } from '../tree-writer.ts';
import { readSort, readTest, readTicker, readValue } from './condition-parser.ts';
import { TokenReader } from './token-reader.ts';
import { TextError, tokensOf } from './tokens.ts';
import { KEYWORDS } from './words.ts';

const FULL: Weight = { num: 100, den: 100 };
/** Blocks within blocks; the tree itself allows fewer. */
const MAX_DEPTH = 1000;
const RULES = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly', 'never', 'corridor'] as const;

/** What a text of the language holds. */
export interface ParsedText {
  readonly blocks: readonly BlockNode[];
  /** Where the text begins with `strategy`, `description` or `rebalance`. */
  readonly head: Pick<Algorithm, 'name' | 'description' | 'rebalance' | 'rebalance_on' | 'corridor'> | null;
  /** Blocks and conditions. */
  readonly count: number;
}

/**
 * Reads the language that the editor's tree prints (`docs/text-language.md`): a whole strategy, or blocks alone.
 * @throws TextError at the word where the text goes wrong
 */
export function parseText(text: string, newId: () => string): ParsedText {
  return new Parser(text, newId).text();
}

class Parser {
  readonly #tokens: TokenReader;
  readonly #writer: TreeWriter;
  #depth = 0;

  constructor(text: string, newId: () => string) {
    this.#tokens = new TokenReader(tokensOf(text));
    this.#writer = new TreeWriter(newId, new ReportWriter());
  }

  text(): ParsedText {
    const head = this.#head();
    const blocks = this.#blocks();
    const token = this.#tokens.peek();
    if (token.kind !== 'end') throw this.#tokens.error('Expected a block', ['block']);
    if (blocks.length === 0) throw this.#tokens.error('Expected a block', ['block']);
    return { head, blocks, count: this.#writer.count };
  }

  #head(): ParsedText['head'] {
    const tokens = this.#tokens;
    const isThere = ['strategy', 'description', 'rebalance'].some((word) => tokens.isWord(word));
    if (!isThere) return null;
    const name = tokens.tookWord('strategy') ? this.#text() : '';
    const description = tokens.tookWord('description') ? this.#text() : '';
    if (!tokens.tookWord('rebalance')) return { name, description, rebalance: 'daily' };
    const rule = tokens.word(...RULES);
    const rebalance = RULES.find((known) => known === rule) ?? 'daily';
    if (rebalance === 'corridor') {
      const corridor = readValue(tokens);
      return { name, description, rebalance, ...(corridor !== null && { corridor }) };
    }
    if (!tokens.tookWord('on')) return { name, description, rebalance };
    const day = tokens.word('first', 'last');
    return { name, description, rebalance, rebalance_on: day === 'first' ? 'first' : 'last' };
  }

  #text(): string {
    const token = this.#tokens.next();
    if (token.kind !== 'text')
      throw this.#tokens.error('Expected a text in quotation marks', ['text'], token);
    return token.value;
  }

  /** Blocks with or without commas between them, up to a bracket, an `else` or the end. */
  #blocks(share?: () => Weight): BlockNode[] {
    const blocks: BlockNode[] = [];
    const tokens = this.#tokens;
    while (tokens.peek().kind !== 'end' && !tokens.isSign(']')) {
      const weight = share?.() ?? FULL;
      const block = this.#block();
      blocks.push(share ? { ...block, weight } : block);
      tokens.tookSign(',');
    }
    return blocks;
  }

  /** Blocks in brackets. */
  #list(share?: () => Weight): BlockNode[] {
    const open = this.#tokens.peek();
    if (!this.#tokens.tookSign('[')) throw this.#tokens.error('Expected [', ['list', { words: ['['] }]);
    const blocks = this.#blocks(share);
    if (this.#tokens.peek().kind === 'end')
      throw new TextError('This [ is never closed', open.offset, open.length, ['block', { words: [']'] }]);
    this.#tokens.sign(']');
    return blocks;
  }

  /** One block, or several in brackets. */
  #branch(): BlockNode[] {
    return this.#tokens.isSign('[') ? this.#list() : [this.#block()];
  }

  #block(): BlockNode {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw this.#tokens.error(`Blocks are nested more than ${MAX_DEPTH} levels deep`);
    const block = this.#blockOf();
    this.#depth -= 1;
    return block;
  }

  #blockOf(): BlockNode {
    const tokens = this.#tokens;
    const token = tokens.peek();
    const word = token.kind === 'word' ? token.value.toLowerCase() : '';
    switch (word) {
      case 'group':
        return this.#group();
      case 'weight':
        return this.#weight();
      case 'top':
      case 'bottom':
        return this.#filter(word);
      case 'if':
        return this.#if();
      case 'cash':
        tokens.next();
        return { id: this.#writer.id(), node_type: 'empty', weight: FULL, is_collapsed: false };
      case 'asset':
        tokens.next();
        return this.#asset();
      default:
        if (KEYWORDS.has(word) || (token.kind !== 'word' && token.kind !== 'ticker'))
          throw tokens.error('Expected a block: a ticker, if, weight, group, top or bottom', ['block']);
        return this.#asset();
    }
  }

  #asset(): BlockNode {
    const tokens = this.#tokens;
    const id = this.#writer.id();
    const ticker = readTicker(tokens) ?? '';
    if (tokens.isSign('/')) throw tokens.error('A ratio can be used in conditions only');
    if (tokens.isSign('('))
      throw tokens.error(`“${ticker}” stands where a block is expected; a function needs an if before it`);
    const name = tokens.peek().kind === 'text' ? tokens.next().value : '';
    return { id, node_type: 'asset', weight: FULL, is_collapsed: false, ticker, name };
  }

  #common(): { readonly id: string; readonly weight: Weight; readonly is_collapsed: false } {
    return { id: this.#writer.id(), weight: FULL, is_collapsed: false };
  }

  #group(): BlockNode {
    const common = this.#common();
    this.#tokens.next();
    const name = this.#tokens.peek().kind === 'text' ? this.#tokens.next().value : '';
    return { ...common, node_type: 'group', name, children: this.#list() };
  }

  #weight(): BlockNode {
    const tokens = this.#tokens;
    const common = this.#common();
    tokens.next();
    if (tokens.word('equally', 'by') === 'equally')
      return { ...common, node_type: 'wt-cash-equal', children: this.#list() };
    if (tokens.word('percentages', 'inverse') === 'percentages')
      return { ...common, node_type: 'wt-cash-specified', children: this.#list(() => this.#share()) };
    const window = this.#window();
    return { ...common, node_type: 'wt-inverse-volatility', params: { window }, children: this.#list() };
  }

  /** `volatility over 20 days`, the word before it taken. */
  #window(): number | string {
    this.#tokens.word('volatility');
    this.#tokens.word('over');
    const window = readValue(this.#tokens);
    this.#tokens.tookWord('days', 'day');
    return window ?? '';
  }

  /** `40%` or `1/3`. */
  #share(): Weight {
    const num = readValue(this.#tokens) ?? '';
    if (this.#tokens.tookSign('/')) return { num, den: readValue(this.#tokens) ?? '' };
    if (!this.#tokens.tookSign('%'))
      throw this.#tokens.error('Expected % or a fraction such as 1/3', [{ words: ['%'] }]);
    return { num, den: 100 };
  }

  #filter(fn: 'top' | 'bottom'): BlockNode {
    const tokens = this.#tokens;
    const common = this.#common();
    tokens.next();
    const num = readValue(tokens) ?? '';
    tokens.word('by');
    const sort = readSort(tokens);
    const { fn: sortFn, params } = sort;
    if (sortFn === 'correlation' || sortFn === 'beta') throw tokens.error('A filter cannot sort by it');
    const weighting = tokens.tookWord('weighted') ? this.#weighting() : null;
    // The bracket says it, too.
    if (!tokens.isSign('[')) tokens.word('of');
    return {
      ...common,
      node_type: 'filter',
      sort: { fn: sortFn, params },
      select: { fn, num },
      ...(weighting && { weighting }),
      children: this.#list(),
    };
  }

  #weighting(): FilterWeighting {
    const tokens = this.#tokens;
    if (tokens.word('by', 'equally') === 'equally') return { type: 'equal' };
    if (tokens.word('rank', 'inverse') === 'inverse')
      return { type: 'inverse-volatility', window: this.#window() };
    tokens.sign('[');
    const weights = [this.#share()];
    while (tokens.tookSign(',')) weights.push(this.#share());
    tokens.sign(']');
    return { type: 'by-rank', weights };
  }

  #if(): BlockNode {
    const tokens = this.#tokens;
    const id = this.#writer.id();
    tokens.next();
    const { type, items } = readTest(tokens, this.#writer);
    if (!tokens.tookWord('then'))
      throw tokens.error('Expected “then”, “and” or “or”', [{ words: ['then', 'and', 'or'] }]);
    const then = this.#branch();
    const otherwise = tokens.tookWord('else') ? this.#branch() : [];
    return this.#writer.ifThenElse(id, type, items, then, otherwise);
  }
}
