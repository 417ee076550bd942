import { describe, expect, it } from 'vitest';
import {
  DEFAULT_TERMS,
  draftOfTerms,
  searchOfTerms,
  type TradingTerms,
  termFields,
  termsFaults,
  termsOf,
  termsOfDraft,
  termsOfSearch,
  termsWords,
} from './terms.ts';

const ALL: readonly TradingTerms[] = [
  DEFAULT_TERMS,
  { fill: 'next-close', cash: { rate: 4.5 }, benchmarks: [], indicatorPrices: 'adjusted' },
  { fill: 'close', cash: { ticker: 'BIL' }, benchmarks: ['QQQ', 'TLT'], indicatorPrices: 'splits' },
  { ...DEFAULT_TERMS, indicatorPrices: 'raw' },
];

describe('the terms of a run', () => {
  it.each(ALL)('stand in a request, an address and a form, and come back: %j', (terms) => {
    expect(termsOf(termFields(terms))).toEqual(terms);
    expect(termsOfSearch(new URLSearchParams(searchOfTerms(terms)))).toEqual({ terms, refused: [] });
    expect(termsOfDraft(draftOfTerms(terms))).toEqual(terms);
  });
  it('leave the request and the address of a usual run as they were', () => {
    expect(termFields(DEFAULT_TERMS)).toEqual({});
    expect(searchOfTerms(DEFAULT_TERMS)).toEqual({});
  });
  it('count as the default where an address makes no sense, each for itself', () => {
    expect(termsOfSearch(new URLSearchParams('fill=tomorrow&cash=4&reads=splits'))).toEqual({
      terms: { ...DEFAULT_TERMS, cash: { rate: 4 }, indicatorPrices: 'splits' },
      refused: [
        { name: 'fill', value: 'tomorrow', reason: 'fill must be close or next-close, not "tomorrow"' },
      ],
    });
    const { terms, refused } = termsOfSearch(new URLSearchParams('cash=101&benchmarks=QQQ&reads=tea'));
    expect(terms).toEqual({ ...DEFAULT_TERMS, benchmarks: ['QQQ'] });
    expect(refused.map(({ name }) => name)).toEqual(['cash', 'reads']);
  });
  it('are said on the button', () => {
    expect(ALL.map(termsWords)).toEqual([
      'Same close, cash 0%',
      'Next close, cash 4.5%',
      'Same close, cash BIL, reads split-adjusted closes, vs QQQ, TLT',
      'Same close, cash 0%, reads closes as paid',
    ]);
  });
  it('are refused in a sentence', () => {
    const draft = draftOfTerms(DEFAULT_TERMS);
    expect(termsFaults({ ...draft, cashKind: 'rate', rate: '101' }).rate).toContain('from -50 to 100');
    expect(termsFaults({ ...draft, cashKind: 'ticker' }).ticker).toBe('Choose what cash is held in');
    expect(termsFaults({ ...draft, benchmarks: [...'ABCDEF'] }).benchmarks).toContain('At most 5');
  });
});
