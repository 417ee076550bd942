import { expect, test } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { importSource } from './import-source.ts';
import { latestStart, missingTickers, replaceTicker, tickerCounts } from './stand-ins.ts';

const SOURCE =
  'weight equally [ if RSI(TQQQ, 10) > 79 then UVXY "Vol" else [ TQQQ, OLDX "Ancient Mining Company" ] , if MA Price(TQQQ/SPY, 5) > 2 then $A ]';
const tree = (source = SOURCE) => {
  let count = 0;
  const result = importSource(source, () => {
    count += 1;
    return `n${count}`;
  });
  if (isRefusal(result)) throw new Error(result.detail);
  return result.algorithm;
};
const known = new Map(
  [
    { ticker: 'SPY', name: 'SPDR S&P 500', first_day: '1993-01-29' },
    { ticker: 'QQQ', name: 'Invesco QQQ', first_day: '1999-03-10' },
    { ticker: 'UVXY', name: 'Ultra VIX', first_day: '2011-10-07' },
    { ticker: 'SIM:TQQQ', name: 'TQQQ, simulated', first_day: '1999-03-11' },
    { ticker: 'MINE', name: 'Ancient Mining ETF', first_day: '2001-01-02' },
  ].map((asset) => [asset.ticker, asset] as const),
);

test('counts tickers wherever they stand', () => {
  expect(Object.fromEntries(tickerCounts(tree()))).toEqual({ TQQQ: 3, UVXY: 1, OLDX: 1, SPY: 1 });
});

test('a ticker without prices gets its simulation, its index and the nearest name', () => {
  expect(
    missingTickers(tree(), known).map(({ ticker, times, standIns }) => [
      ticker,
      times,
      standIns.map((one) => one.ticker),
    ]),
  ).toEqual([
    ['TQQQ', 3, ['SIM:TQQQ', 'QQQ']],
    ['OLDX', 1, ['MINE']],
  ]);
});

test('the shortest history is named', () => {
  expect(latestStart(tree(), known)).toMatchObject({ ticker: 'UVXY', first_day: '2011-10-07' });
});

test('replacing a ticker changes every place of it and nothing else', () => {
  const before = tree();
  const after = replaceTicker(before, 'TQQQ', 'SIM:TQQQ');
  expect(Object.fromEntries(tickerCounts(after))).toEqual({ 'SIM:TQQQ': 3, UVXY: 1, OLDX: 1, SPY: 1 });
  expect(replaceTicker(after, 'NONE', 'SPY')).toBe(after);
});

test('a style or sector fund gets the index that it is cut from', () => {
  const funds = ['SPY', 'SVXY', 'XLC'].map(
    (ticker) => [ticker, { ticker, name: ticker, first_day: '2020-01-02' }] as const,
  );
  const missing = missingTickers(tree('weight equally [ VOOG, SVIX, VOX ]'), new Map(funds));
  expect(missing.map(({ standIns }) => standIns[0]?.ticker)).toEqual(['SPY', 'SVXY', 'XLC']);
});
