import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demoAssets } from './demo/demo-data-set.ts';
import { fundWords } from './fund-words.ts';
import { simulatedAssets } from './simulated-tickers.ts';
import { TickerSearch } from './ticker-search.ts';

const stored = demoAssets();
const search = new TickerSearch([...stored, ...simulatedAssets(stored)]);
const tickers = (query: string, options = {}) => search.search(query, options).map(({ ticker }) => ticker);

describe('TickerSearch', () => {
  it('puts the exact ticker first', () => {
    expect(tickers('t')[0]).toBe('T');
    expect(tickers('spy')[0]).toBe('SPY');
    expect(tickers('TLT')[0]).toBe('TLT');
  });

  it('then tickers that begin so, the shorter first, then names', () => {
    const found = tickers('go');
    expect(found.slice(0, 3)).toEqual(['GOOG', 'GOVT', 'GOOGL']);
    expect(found.slice(3).every((ticker) => !ticker.startsWith('GO'))).toBe(true);
  });

  it.each([
    ['nasdaq 100', 'QQQ'],
    ['Nasdaq', 'QQQ'],
    ['s&p 500', 'SPY'],
    ['russell 2000', 'IWM'],
    ['long term treasury', 'TLT'],
  ])('finds a fund by what people call it: %s', (query, ticker) =>
    expect(tickers(query).slice(0, 10)).toContain(ticker),
  );

  it('puts the fund itself before leveraged ones', () => expect(tickers('nasdaq 100')[0]).toBe('QQQ'));

  it.each(['BRK-B', 'brk.b', 'BRK/B', 'BRKB', 'brk b'])('finds BRK-B as %s', (query) =>
    expect(tickers(query)[0]).toBe('BRK-B'),
  );

  it.each([
    ['apple', 'AAPL'],
    ['berkshire b', 'BRK-B'],
    ['treasury 20', 'TLT'],
    ["mcdonald's", 'MCD'],
    ['mcdonalds', 'MCD'],
    ['dow jones', 'DIA'],
    ['s&p 500 etf trust', 'SPY'],
  ])('finds %s by words of the name: %s', (query, ticker) => expect(tickers(query)).toContain(ticker));

  it('matches beginnings of words only', () => expect(tickers('pple inc')).not.toContain('AAPL'));

  it('hides simulated tickers unless they are asked for', () => {
    expect(tickers('TQQQ')).toEqual(['TQQQ']);
    expect(tickers('SIM:TQQQ')).toEqual([]);
    expect(tickers('TQQQ', { includeSimulatedTickers: true })).toEqual(['TQQQ', 'SIM:TQQQ']);
    expect(tickers('sim:', { includeSimulatedTickers: true })).toHaveLength(25);
    expect(tickers('sim:tq', { includeSimulatedTickers: true })).toEqual(['SIM:TQQQ']);
  });

  it('answers at most 25, or fewer where fewer are wanted', () => {
    expect(search.search('z')).toHaveLength(25);
    expect(search.search('z', { limit: 3 })).toHaveLength(3);
  });

  it.each(['', '   ', '$', '()', '💥', '"'])('finds nothing for %j', (query) =>
    expect(tickers(query)).toEqual([]),
  );

  it('finds every asset by its own ticker, first', () => {
    fc.assert(
      fc.property(fc.constantFrom(...stored), ({ ticker }) => {
        expect(tickers(ticker.toLowerCase())[0]).toBe(ticker);
        expect(search.find(ticker)?.ticker).toBe(ticker);
      }),
    );
  });

  it('answers what a plain scan over all assets finds', () => {
    const word = fc.constantFrom(
      'a',
      'ap',
      'blue',
      'b',
      'in',
      'inc',
      'energy',
      'z',
      'xl',
      'first',
      '5',
      'fund',
      'i',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), (words) => {
        const query = words.join(' ');
        const key = words.join('').toUpperCase();
        const expected = stored.filter(({ ticker, name }) => {
          const own = `${name} ${fundWords(ticker)}`
            .toUpperCase()
            .replaceAll("'", '')
            .split(/[^A-Z0-9]+/);
          return (
            ticker.replaceAll('-', '').startsWith(key) ||
            words.every((wanted) => own.some((part) => part.startsWith(wanted.toUpperCase())))
          );
        });
        const found = search.search(query, { limit: Number.POSITIVE_INFINITY });
        expect(new Set(found.map(({ ticker }) => ticker))).toEqual(
          new Set(expected.map(({ ticker }) => ticker)),
        );
      }),
      { numRuns: 50 },
    );
  });
});
