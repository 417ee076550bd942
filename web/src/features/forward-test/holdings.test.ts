import { expect, test } from 'vitest';
import type { TomorrowRow } from './follows.ts';
import { holdingsCsv, holdingsInWords } from './holdings.ts';

const ROW: TomorrowRow = {
  strategy_id: 's1',
  name: '=1+1, twice',
  day: '2026-11-20',
  is_late: false,
  is_current: true,
  failure: null,
  is_simulated: true,
  orders: [
    {
      ticker: 'TLT',
      side: 'sell',
      from_percent: 40,
      to_percent: 0,
      close: 90.5,
      money: 0,
      shares: 0,
    },
    {
      ticker: 'SPY',
      side: 'buy',
      from_percent: 60,
      to_percent: 100,
      close: null,
      money: null,
      shares: null,
    },
  ],
  conditions: [],
};

test('a name that a spreadsheet would run is text, and what is not known is empty', () => {
  expect(holdingsCsv([ROW]).split('\r\n').slice(1)).toEqual([
    `"'=1+1, twice",2026-11-20,TLT,sell,40,0,90.5,0,0,false,true`,
    `"'=1+1, twice",2026-11-20,SPY,buy,60,100,,,,false,true`,
    '',
  ]);
});

test('holdings are told the largest first, and nothing held is cash', () => {
  expect(holdingsInWords({ TLT: 40, SPY: 60, GLD: 0 })).toBe('SPY 60.0%, TLT 40.0%');
  expect(holdingsInWords({})).toBe('Cash');
});
