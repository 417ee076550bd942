import { describe, expect, it, test } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { importSource } from './import-source.ts';
import { notationOf } from './syntax/source-text.ts';

const SETTINGS = 'settings of the run, beside the strategy';

function read(given: unknown) {
  let count = 0;
  const result = importSource(given, () => {
    count += 1;
    return `n${count}`;
  });
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
}

/** Why a source is not read at all. */
function refused(given: unknown): string {
  const result = importSource(given, () => 'n');
  return isRefusal(result) ? result.detail : `read as ${result.report.source}`;
}

const symphony = (ticker = 'SPY', name = 'A symphony') => ({
  id: 'r',
  step: 'root',
  name,
  rebalance: 'daily',
  children: [{ id: 'w', step: 'wt-cash-equal', children: [{ id: 'a', step: 'asset', ticker }] }],
});
const spell = (further: object = {}) => ({
  name: 'A spell',
  description: '',
  trading_type: 'Daily',
  threshold: 5,
  version: 2,
  incantation: { incantation_type: 'Ticker', symbol: 'QQQ', name: '' },
  ...further,
});

/** What is told of settings and fees. */
const toldOf = (given: unknown) =>
  read(given)
    .report.items.filter(({ became }) => became === SETTINGS || became === 'no such fee')
    .map(({ kind, path, said, effect }) => `${kind} ¦ ${path} ¦ ${said} ¦ ${effect}`);

describe('settings of a run that stand around a symphony', () => {
  const request = {
    symphony: symphony(),
    'start-date-in-epoch-days': 14_610,
    'end-date-in-epoch-days': 18_262.9,
    capital: '25000',
    'slippage-percent': 0.0005,
    'apply-reg-fee?': true,
    'apply-taf-fee?': false,
  };

  it('are taken from the request, and told', () => {
    expect(read(request).settings).toStrictEqual({
      start_date: '2010-01-01',
      end_date: '2020-01-01',
      starting_balance: 25_000,
      slippage_bps: 5,
    });
    expect(toldOf(request)).toEqual([
      'differs ¦ /apply-reg-fee? ¦ apply-reg-fee? true ¦ Cents a trade; slippage can be raised instead',
      'taken ¦  ¦ start date 2010-01-01, end date 2020-01-01, starting balance 25000, slippage bps ' +
        '5 ¦ None on the strategy',
    ]);
    expect(toldOf({ symphony: symphony(), 'apply-taf-fee?': true })).toEqual([
      'differs ¦ /apply-taf-fee? ¦ apply-taf-fee? true ¦ Cents a trade; slippage can be raised instead',
    ]);
  });

  it('are left as they are where the request says nothing of them', () => {
    expect(read(symphony()).settings).toStrictEqual({});
    expect(toldOf(symphony())).toEqual([]);
    expect(read({ symphony: symphony(), slippage_percent: 0.001 }).settings).toStrictEqual({
      slippage_bps: 10,
    });
    expect(read({ symphony: symphony(), capital: 100 }).settings).toStrictEqual({ starting_balance: 100 });
  });

  it('are no dates where their days lie in no century that has prices', () => {
    const dates = (start: unknown, end: unknown) =>
      read({ symphony: symphony(), 'start-date-in-epoch-days': start, 'end-date-in-epoch-days': end })
        .settings;
    expect(dates(100_001, -100_001)).toStrictEqual({});
    expect(dates('2010-01-01', null)).toStrictEqual({});
    expect(dates(-100_000, 100_000)).toStrictEqual({ start_date: '1696-03-17', end_date: '2243-10-17' });
  });

  it('are read as newer requests spell them: dates as text, fees without a question mark', () => {
    const newer = {
      symphony: symphony(),
      start_date: '2014-01-02',
      end_date: '2020-06-30T00:00:00Z',
      slippage_percent: 0.00025,
      apply_reg_fee: true,
      apply_taf_fee: false,
    };
    expect(read(newer).settings).toStrictEqual({
      start_date: '2014-01-02',
      end_date: '2020-06-30',
      slippage_bps: 2.5,
    });
    expect(toldOf(newer)).toEqual([
      'differs ¦ /apply_reg_fee ¦ apply_reg_fee true ¦ Cents a trade; slippage can be raised instead',
      'taken ¦  ¦ start date 2014-01-02, end date 2020-06-30, slippage bps 2.5 ¦ None on the strategy',
    ]);
    expect(read({ symphony: symphony(), 'start-date': '2014-02-30' }).settings).toStrictEqual({});
  });

  it('are those that stand nearest to it', () => {
    expect(read({ capital: 1, request: { capital: 2, symphony: symphony() } }).settings).toStrictEqual({
      starting_balance: 2,
    });
    expect(read({ capital: 1, request: { symphony: symphony() } }).settings).toStrictEqual({
      starting_balance: 1,
    });
  });
});

describe('settings of a run in a spell', () => {
  test.each([
    [{}, {}, []],
    [{ slippage_bps: 3 }, { slippage_bps: 3 }, ['taken ¦  ¦ slippage of 3 bps ¦ None on the strategy']],
    [
      { benchmark_ticker: 'QQQ' },
      { benchmark_ticker: 'QQQ' },
      ['taken ¦  ¦ benchmark QQQ ¦ None on the strategy'],
    ],
    [
      { slippage_bps: '0', benchmark_ticker: ' spy ' },
      { slippage_bps: 0, benchmark_ticker: 'SPY' },
      ['taken ¦  ¦ slippage of 0 bps, benchmark SPY ¦ None on the strategy'],
    ],
  ])('%j', (given, settings, told) => {
    expect(read(spell(given)).settings).toStrictEqual(settings);
    expect(toldOf(spell(given))).toEqual(told);
  });

  it('are never those of a request of the other tool around it', () => {
    expect(read({ capital: 5, spell: spell() }).settings).toStrictEqual({});
  });
});

test.each([
  ['{"a": 1}', 'json'],
  ['{}', 'json'],
  ['{ \n"a"\n : 1}', 'json'],
  ['{"a \\" b": 1}', 'json'],
  ['{"a" 1}', 'edn'],
  ['{"a \\" b" 1}', 'edn'],
  ['{"a', 'json'],
  ['{“a”: 1}', 'json'],
  ['{ “a”: 1}', 'json'],
  ["{'a': 1}", 'json'],
  ['{a: 1}', 'json'],
  ['{:a 1}', 'edn'],
  ['{ :a 1}', 'edn'],
  ['{{:a 1} 2}', 'edn'],
  ['[1]', 'json'],
  ['[{"a": 1}]', 'json'],
  ['[:a]', 'edn'],
  ['[ (a)]', 'edn'],
  ['[{ :a 1}]', 'edn'],
  ['(defsymphony "A")', 'form'],
  ['; a remark\n(a)', 'form'],
  ['; a remark', 'form'],
  ['  ; a remark', 'form'],
  ['// a remark\n{"a": 1}', 'json'],
  ['/* a { remark */ [:a]', 'edn'],
  ['/* a remark */ // and one\n ; and one\n (a)', 'form'],
  ['/* a remark', null],
  ['// a remark', null],
  ['"{}"', 'quoted'],
  ['SPY', null],
  ['a {', null],
  ['a [', null],
  ['a (', null],
  ['a "', null],
  ['', null],
])('%j looks like %j', (text, notation) => expect(notationOf(text)).toBe(notation));

describe('a text around a strategy', () => {
  const json = JSON.stringify(symphony());
  const quoted = (times: number): string => (times === 0 ? json : JSON.stringify(quoted(times - 1)));

  it('may be quoted as often as an accident quotes it', () => {
    expect(read(quoted(1)).report.source).toBe('Composer JSON, quoted');
    expect(read(quoted(4)).report.source).toBe('Composer JSON, quoted');
    expect(refused(quoted(5))).toBe('This is quoted more often than any export does.');
  });

  it('may have lost its last quotation mark', () => {
    expect(read(quoted(1).slice(0, -1)).name).toBe('A symphony');
    expect(refused('"')).toMatch(/./);
    expect(refused('"a\\q"')).toMatch(/./);
  });

  test.each([
    ['a mark of the order of bytes', `\uFEFF${json}`],
    ['white space', `\n  ${json}  \n`],
    ['a block of code', `\`\`\`json\n${json}\n\`\`\``],
    ['a block of code that is not closed', `\`\`\`\n${json}`],
    ['a block of code and what follows it', `\`\`\`json\n${json}\n\`\`\`\nno strategy {`],
  ])('may be %s', (_, given) => expect(read(given).report.source).toBe('Composer JSON'));

  it('tells where in it the strategy stands, and that it is text within it', () => {
    expect(read({ list: [1, symphony()] }).report.source).toBe('Composer JSON, at /list/1');
    expect(read({ body: json }).report.source).toBe('Composer JSON, quoted, at /body');
    expect(read(symphony().children[0]).report.source).toBe('Composer JSON, a block');
    expect(read([symphony().children[0], symphony('QQQ').children[0]]).report.source).toMatch(
      /^Composer JSON, 2 blocks/,
    );
    expect(read(spell()).report.source).toBe('QuantMage JSON');
  });
});

describe('several strategies of a source', () => {
  const furtherOf = (given: unknown) => {
    const { name, further, report } = read(given);
    const lines = report.items
      .filter(({ said }) => said.includes('further strateg'))
      .map(({ kind, path, said, became, effect }) => [kind, path, said, became, effect].join(' ¦ '));
    return { name, further: further.map((one) => one.name), lines, lost: report.counts.lost };
  };

  it('are each read on their own', () => {
    expect(furtherOf([symphony(), symphony('QQQ', 'Another'), spell()])).toEqual({
      name: 'A symphony',
      further: ['Another', 'A spell'],
      lines: [
        'taken ¦ /1 ¦ a further strategy "Another" ¦ a strategy of its own ¦ None: it is beside this one',
        'taken ¦ /2 ¦ a further strategy "A spell" ¦ a strategy of its own ¦ None: it is beside this one',
      ],
      lost: 0,
    });
  });

  it('are read once where they are the same', () => {
    expect(furtherOf([symphony(), symphony(), symphony('QQQ'), symphony('QQQ')])).toMatchObject({
      further: ['A symphony'],
      lines: [
        'taken ¦ /1 ¦ a further strategy "A symphony", once more ¦ left out ¦ None: the same strategy',
        'taken ¦ /2 ¦ a further strategy "A symphony" ¦ a strategy of its own ¦ None: it is beside this one',
        'taken ¦ /3 ¦ a further strategy "A symphony", once more ¦ left out ¦ None: the same strategy',
      ],
    });
  });

  it('are told where they cannot be read, and the first that can be is taken', () => {
    const empty = { ...symphony(), name: 'Empty', children: [] };
    expect(furtherOf([empty, symphony()])).toMatchObject({
      name: 'A symphony',
      further: [],
      lines: [
        'lost ¦ /0 ¦ a further strategy "Empty" ¦ none ¦ This strategy holds no asset: there is nothing to run.',
      ],
      lost: 1,
    });
    const named = { title: 'Outer', strategy: { name: 'Inner', symphony: { ...empty, name: ' ' } } };
    expect(furtherOf([symphony(), named]).lines).toEqual([
      'lost ¦ /1/strategy/symphony ¦ a further strategy "Inner" ¦ none ¦ This strategy holds no ' +
        'asset: there is nothing to run.',
    ]);
    expect(refused([empty, empty])).toBe('This strategy holds no asset: there is nothing to run.');
  });
});
