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

describe('the order of what is found', () => {
  const asset = (ticker: string, name: string) => ({ ticker, name });
  const ASSETS = [
    asset('ABCD', 'Nothing of it'),
    asset('SIM:AB', 'Of it (simulated)'),
    asset('ZZ', 'Zebra Abc Holding'),
    asset('AB', 'Short'),
    asset('ABX', 'Abx and so on'),
    asset('YY', 'Yak Abcess'),
    asset('XX', 'Abc First'),
    asset('ABC', 'Exactly'),
    asset('WWW', 'Abcess First'),
    asset('AB-C', 'With a class'),
  ];
  const found = (query: string, options = {}, assets: readonly (typeof ASSETS)[number][] = ASSETS) =>
    new TickerSearch(assets).search(query, options).map(({ ticker }) => ticker);

  it('is the ticker itself, tickers that begin so, names that do, words of names, beginnings of words', () => {
    expect(found('abc')).toEqual(['ABC', 'AB-C', 'ABCD', 'XX', 'WWW', 'ZZ', 'YY']);
    expect(found('AB')).toEqual(['AB', 'ABC', 'AB-C', 'ABX', 'ABCD', 'XX', 'WWW', 'YY', 'ZZ']);
  });

  it('is the same for assets that come in another order', () => {
    for (const query of ['abc', 'ab', 'first', 'z', 'a', 'of', ''])
      fc.assert(
        fc.property(fc.shuffledSubarray(ASSETS, { minLength: ASSETS.length }), (shuffled) => {
          // Tickers that differ by a hyphen alone stay as they come.
          const twins = ({ ticker }: { ticker: string }) => ticker === 'ABC' || ticker === 'AB-C';
          const assets = [...ASSETS.filter(twins), ...shuffled.filter((one) => !twins(one))];
          expect(found(query, { includeSimulatedTickers: true }, assets)).toEqual(
            found(query, { includeSimulatedTickers: true }),
          );
        }),
      );
  });

  it('has simulated tickers behind the others of their group', () => {
    expect(found('ab', { includeSimulatedTickers: true, limit: 3 })).toEqual(['AB', 'SIM:AB', 'ABC']);
    expect(found('of it', { includeSimulatedTickers: true })).toEqual(['SIM:AB', 'ABCD']);
    expect(found('of it')).toEqual(['ABCD']);
  });

  it('is cut where the best fill the list, whatever is looked at last', () => {
    const all = found('ab');
    for (let limit = 0; limit <= all.length + 1; limit++)
      expect(found('ab', { limit })).toEqual(all.slice(0, limit));
  });

  it('has each asset once, however many of its words begin so', () => {
    const assets = [asset('QQ', 'Art Artist Artisan Art'), asset('AR', 'Art')];
    expect(found('ar', {}, assets)).toEqual(['AR', 'QQ']);
    expect(found('art', {}, assets)).toEqual(['AR', 'QQ']);
    expect(found('art', { limit: 1 }, assets)).toEqual(['AR']);
  });

  it('wants every word, in any order, and each at the beginning of one', () => {
    expect(found('first abc')).toEqual(['XX', 'WWW']);
    expect(found('abc first')).toEqual(['XX', 'WWW']);
    expect(found('holding zeb')).toEqual(['ZZ']);
    expect(found('abc second')).toEqual([]);
    expect(found('irst')).toEqual([]);
  });

  it('looks for simulated ones alone by their ticker alone', () => {
    const options = { includeSimulatedTickers: true };
    expect(found('sim:', options)).toEqual(['SIM:AB']);
    expect(found('SIM:of', options)).toEqual([]);
    expect(found('sim:abc', options)).toEqual([]);
    expect(found(' sim:a ', options)).toEqual(['SIM:AB']);
  });

  it.each(['nestle', 'NESTLÉ', 'Nestlé'])('does not mind accents: %s', (query) =>
    expect(found(query, {}, [asset('NSRGY', 'Nestlé S.A.')])).toEqual(['NSRGY']),
  );

  it.each(["l'oreal", 'loreal', 'L’Oréal'])('does not mind apostrophes: %s', (query) =>
    expect(found(query, {}, [asset('LRLCY', "L'Oréal (ADR)")])).toEqual(['LRLCY']),
  );

  it.each(['at&t', 'at t', 'AT+T'])('takes every other sign for the end of a word: %s', (query) =>
    expect(found(query, {}, [asset('T', 'AT&T Inc.')])).toEqual(['T']),
  );
});

describe('find', () => {
  const all = new TickerSearch([
    { ticker: 'BRK-B', name: 'Berkshire' },
    { ticker: 'SIM:BRK-B', name: 'Berkshire (simulated)' },
  ]);

  it('knows a ticker in any spelling, and no beginning of one', () => {
    for (const spelling of ['BRK-B', 'brk.b', 'BRK/B', 'brkb', ' BRK B '])
      expect(all.find(spelling)?.name).toBe('Berkshire');
    expect(all.find('sim:brk.b')?.name).toBe('Berkshire (simulated)');
    expect(all.find('BRK')).toBeNull();
    expect(all.size).toBe(2);
    expect(new TickerSearch([]).search('A')).toEqual([]);
  });
});
