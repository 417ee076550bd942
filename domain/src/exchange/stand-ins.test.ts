import { expect, test } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { importSource } from './import-source.ts';
import { latestStart, missingTickers, replaceTicker, tickerCounts } from './stand-ins.ts';

const SOURCE =
  'weight equally [ if RSI(TQQQ, 10) > 79 then UVXY "Vol" else [ TQQQ, OLDX "Ancient Mining ' +
  'Company" ] , if MA Price(TQQQ/SPY, 5) > 2 then $A ]';
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

const priced = (...all: readonly (readonly [ticker: string, name: string])[]) =>
  new Map(all.map(([ticker, name]) => [ticker, { ticker, name, first_day: '2020-01-02' }] as const));
/** What could stand in for the assets of a text, by the ticker that is missing. */
const standIns = (source: string, stored: ReturnType<typeof priced>) =>
  missingTickers(tree(source), stored).map(
    ({ ticker, standIns: found }) => `${ticker}: ${found.map((one) => one.ticker).join(' ')}`,
  );

test('places without a ticker, and variables, are no tickers', () => {
  const places = ['', '$A', 'SPY/', 'SPY/$A'].map((ticker) => ({ node_type: 'asset', ticker }));
  const algorithm = { ...tree(), children: places } as unknown as ReturnType<typeof tree>;
  expect([...tickerCounts(algorithm)]).toEqual([['SPY', 2]]);
});

test('nothing stands in for a series of conditions', () => {
  const source = 'if Current Price(@VIXCLS) > 20 then [ OLD ] else [ SPY ]';
  expect(standIns(source, priced(['SPY', 'S&P 500']))).toEqual(['OLD: ']);
});

test('the simulation comes before the fund itself, then the index, then the nearest name, three at most', () => {
  const stored = priced(
    ['AAA', 'Triple Index Wealth'],
    ['QQQ', 'Nasdaq'],
    ['SIM:TQQQ', 'Simulated'],
    ['ZZZ', 'Triple Index'],
  );
  expect(standIns('weight equally [ TQQQ "Triple Index" ]', stored)).toEqual(['TQQQ: SIM:TQQQ QQQ AAA']);
  expect(standIns('weight equally [ SIM:SQQQ "Triple Index" ]', stored)).toEqual(['SIM:SQQQ: QQQ AAA ZZZ']);
  expect(standIns('weight equally [ SIM:ZZZ "Other" ]', stored)).toEqual(['SIM:ZZZ: ZZZ']);
  // Found by its name and as the index, QQQ is told once.
  expect(standIns('weight equally [ SQQQ "Nasdaq" ]', stored)).toEqual(['SQQQ: QQQ']);
});

test.each([
  ['the one that shares most words', 'Small Cap Value Growth', 'MOST HALF'],
  ['at least half of them', 'Small Cap Large Growth', 'MOST THIRD'],
  ['less than half is no likeness', 'Small Bonds Gold', ''],
  ['capitals and signs do not count', 'SMALL-CAP; value, growth', 'MOST HALF'],
  ['words that every fund has do not count', 'Vanguard Daily Fund Gold', ''],
  ['nor do single letters', 'A B C Small D', 'HALF MOST'],
  ['a name of such words alone is like none', 'The Vanguard Daily Fund A', ''],
  ['& belongs to a word', 'R&D', 'LAB'],
])('the nearest by name: %s', (_, name, tickers) => {
  const stored = priced(
    ['THIRD', 'Small Cap Trust'],
    ['MOST', 'The Small Cap Growth'],
    ['HALF', 'Small Value'],
    ['OTHER', 'Vanguard Daily A B C Fund'],
    ['LAB', 'Vanguard R&D'],
    ['SPLIT', 'R D of R'],
  );
  expect(standIns(`weight equally [ OLD "${name}" ]`, stored)).toEqual([`OLD: ${tickers}`]);
});

test('the name is that of an asset, wherever in the tree it stands', () => {
  const stored = priced(['NEW', 'Ancient Mining'], ['SPY', 'S&P 500']);
  const named = 'OLD "Ancient Mining Company"';
  for (const source of [
    `if Current Price(OLD) > 5 then [ SPY ] else [ ${named} ]`,
    `if Current Price(OLD) > 5 then [ ${named} ] else [ SPY ]`,
    `weight equally [ OLD, SPY, group "OLD" [ if Current Price(SPY) > 5 then [ SPY ] else [ ${named}, SPY ] ] ]`,
  ])
    expect(standIns(source, stored)).toEqual(['OLD: NEW']);
  expect(standIns('group "Ancient Mining" [ OLD ]', stored)).toEqual(['OLD: ']);
});

test('no history is the shortest where no ticker has prices; of several that begin on one day it is the first', () => {
  expect(latestStart(tree(), new Map())).toBeNull();
  const alike = priced(['TQQQ', 'a'], ['UVXY', 'b'], ['SPY', 'c']);
  expect(latestStart(tree(), alike)?.ticker).toBe('TQQQ');
});

test('a replaced asset loses its name, and what else has the name of the ticker keeps it', () => {
  const before = tree(
    'weight equally [ group "TQQQ" [ TQQQ "TQQQ", SPY "S&P" ], if Correlation(TQQQ, SPY, 20) > MA ' +
      'Price(TQQQ/TQQQ, 5) then [ UVXY "V" ] ]',
  );
  const after = replaceTicker(before, 'TQQQ', 'QLD');
  const text = JSON.stringify(before)
    .replace('"name":"TQQQ","ticker":"TQQQ"', '"name":"","ticker":"QLD"')
    .replace('"ticker":"TQQQ","name":"TQQQ"', '"ticker":"QLD","name":""')
    .replace('TQQQ/TQQQ', 'QLD/QLD')
    .replaceAll(/"(lhs_val|rhs_val|with)":"TQQQ"/g, '"$1":"QLD"');
  expect(JSON.stringify(after)).toBe(text);
  expect(text).toContain('"QLD/QLD"');
  // What holds none of it is the same object, so that whoever compares by identity sees no change there.
  const blocksOf = ({ children: [weights] }: typeof after) =>
    weights?.node_type === 'wt-cash-equal' ? weights.children : [];
  const [group, condition] = blocksOf(after);
  const [groupOnceMore, conditionOnceMore] = blocksOf(replaceTicker(after, 'UVXY', 'VIXY'));
  expect(groupOnceMore).toBe(group);
  expect(conditionOnceMore).not.toBe(condition);
});
