import { describe, expect, it, test } from 'vitest';
import type { Algorithm, ConditionNode } from '../strategy/tree.ts';
import type { Comparison } from './answer-comparison.ts';
import { comparisonItems, withComparisons } from './compared-report.ts';
import { extrasOfCondition } from './composer/extras.ts';
import { ReportWriter } from './fidelity-report.ts';
import { textLosses } from './pins.ts';
import { hasAnswerIndicators, readAnswerIndicators } from './source-answer.ts';
import { encodingOf } from './source-bytes.ts';
import { readSource } from './syntax/source-text.ts';

const answer = (values: string, day = ':last-market-day 18262') =>
  readSource(`{:latest-feat-vals {${values}} ${day}}`)?.datum;

describe('indicator values of an answer', () => {
  test.each(['55.50', '55.500M', '60.0', '7.5E-4', '-0.10', '60', '1E2'])(
    'have the digits that they were written with: %s',
    (written) => {
      const datum = answer(`{:feature :price :ticker "SPY"} ${written}`);
      expect(readAnswerIndicators(datum)?.values[0]?.said).toBe(written.replace('M', ''));
    },
  );

  it('are those of its last day, with the digits that it gives', () => {
    const datum = answer(
      '{:feature "relative-strength-index" :ticker "SPY" :window-days 10} 55.5 {:feature ' +
        '"cum-return-pct" :ticker "QQQ" :window-days 60} -0.1',
    );
    expect(hasAnswerIndicators(datum)).toBe(true);
    expect(readAnswerIndicators(datum)).toEqual({
      date: '2020-01-01',
      values: [
        {
          feature: 'relative-strength-index',
          ticker: 'SPY',
          window: 10,
          said: '55.5',
          fn: 'relative-strength-index',
          factor: 1,
        },
        {
          feature: 'cum-return-pct',
          ticker: 'QQQ',
          window: 60,
          said: '-0.1',
          fn: 'cumulative-return',
          factor: 100,
        },
      ],
    });
  });

  test.each([
    ['price', 'current-price', 1, null],
    ['mean-price', 'moving-average-price', 1, 20],
    ['moving-average-price', 'moving-average-price', 1, 20],
    ['exponential-moving-average-price', 'exponential-moving-average-price', 1, 20],
    ['moving-average-return', 'moving-average-return', 100, 20],
    ['standard-deviation-return', 'standard-deviation-return', 100, 20],
    ['standard-deviation-price', 'standard-deviation-price', 1, 20],
    ['cumulative-return', 'cumulative-return', 100, 20],
    ['max-drawdown', 'max-drawdown', 100, 20],
    ['daily-return', 'cumulative-return', 100, 1],
    ['toString', null, 1, 20],
    ['of another world', null, 1, 20],
  ])('%s is %s, times %d', (feature, fn, factor, window) => {
    const days = feature === 'price' ? '' : ':window-days 20';
    expect(
      readAnswerIndicators(answer(`{:feature "${feature}" :ticker "SPY" ${days}} 1.5`))?.values,
    ).toMatchObject([{ feature, fn, factor, window }]);
  });

  it('are none where a value, a ticker or the day is missing', () => {
    const good = '{:feature "price" :ticker "SPY"} 1.5';
    expect(readAnswerIndicators(answer(good))?.values).toHaveLength(1);
    expect(
      readAnswerIndicators(answer(`{:feature "price" :ticker "A"} nil {:feature "price"} 1 ${good}`))?.values,
    ).toHaveLength(1);
    for (const bad of [
      '{:feature "price" :ticker "SPY"} "high"',
      '{:feature "price" :ticker "SPY"} nil',
      '{:feature "price" :ticker 5} 1.5',
      '{:feature 5 :ticker "SPY"} 1.5',
      '{:ticker "SPY"} 1.5',
    ])
      expect(readAnswerIndicators(answer(bad)), bad).toBeNull();
    expect(readAnswerIndicators(answer(good, ''))).toBeNull();
    expect(readAnswerIndicators(answer(good, ':last-market-day "soon"'))).toBeNull();
    for (const none of [null, 'text', [], {}, { 'latest-feat-vals': {}, 'last-market-day': 18_262 }]) {
      expect(hasAnswerIndicators(none)).toBe(false);
      expect(readAnswerIndicators(none)).toBeNull();
    }
  });
});

describe('a report', () => {
  const items = (write: (report: ReportWriter) => void) => {
    const report = new ReportWriter();
    write(report);
    return report.report('A tool');
  };

  it('tells what may change most first, and counts', () => {
    const {
      source,
      counts,
      items: lines,
    } = items((report) => {
      for (let block = 0; block < 5; block += 1) report.read();
      report.add('taken', '/t', 'a', 'b', 'c', 'n1');
      report.add('differs', '/d', 'a', 'b', 'c', 'n2');
      report.add('guessed', '/g', 'a', 'b', 'c', 'n3');
      report.add('guessed', '/g2', 'a', 'b', 'c', 'n3');
      report.add('lost', '/l', 'a', 'b', 'c', 'n4');
      report.add('lost', '/l2', 'a', 'b', 'c');
    });
    expect(source).toBe('A tool');
    // Of five blocks two are not what they were: one was guessed at twice, another lost a part.
    expect(counts).toEqual({ taken: 3, guessed: 2, differs: 1, lost: 2 });
    expect(lines.map(({ path }) => path)).toEqual(['/l', '/l2', '/g', '/g2', '/d', '/t']);
    expect(lines[1]).toEqual({
      kind: 'lost',
      path: '/l2',
      said: 'a',
      became: 'b',
      effect: 'c',
      block_id: null,
    });
  });

  it('never counts fewer than no blocks as taken', () => {
    expect(items((report) => report.add('lost', '', 'a', 'b', 'c', 'n')).counts.taken).toBe(0);
  });

  it('tells the same once, with how often, or as many times as were asked for', () => {
    const told = items((report) => {
      for (const path of ['/1', '/2', '/3']) report.once('k', 'differs', path, 'a', 'b', 'c');
      report.once('other', 'differs', '/4', 'a', 'b', 'c');
      for (const path of ['/5', '/6', '/7', '/8']) report.few('f', 2, 'differs', path, 'a', 'b', 'c');
    });
    expect(told.items.map(({ path, times }) => [path, times])).toEqual([
      ['/1', 3],
      ['/4', undefined],
      ['/5', undefined],
      ['/6', 3],
    ]);
    expect(told.counts.differs).toBe(4);
  });

  it('keeps 2,000 lines, and says how many more there were', () => {
    const told = items((report) => {
      for (let place = 0; place < 2_003; place += 1)
        report.once(`k${place}`, 'lost', `/${place}`, 'a', 'b', 'c');
    });
    expect(told.counts.lost).toBe(2_003);
    expect(told.items).toHaveLength(2_001);
    expect(told.items.at(-1)).toEqual({
      kind: 'guessed',
      path: '',
      said: '3 further places',
      became: 'only the first 2000 lines are kept',
      effect: 'The counts include them',
      block_id: null,
    });
    const full = items((report) => {
      for (let place = 0; place < 2_000; place += 1) report.add('lost', `/${place}`, 'a', 'b', 'c');
    });
    expect(full.items).toHaveLength(2_000);
  });

  it('cuts what is longer than 300 characters', () => {
    const [line] = items((report) => report.add('lost', '', 'a'.repeat(300), 'b'.repeat(301), 'c')).items;
    expect(line).toMatchObject({ said: 'a'.repeat(300), became: `${'b'.repeat(299)}…`, effect: 'c' });
  });
});

describe('values of an answer beside ours', () => {
  const row = { feature: 'price', ticker: 'SPY', window: null, theirs: '1.5', ours: '1.5', agrees: true };
  const none = { relative_difference: null, missing: null, reason: null };
  const comparison = (rows: readonly object[], left = 0): Comparison =>
    ({
      date: '2020-01-01',
      prices: 'adjusted',
      counts: { agree: 1, differ: rows.length, missing: 0, left_out: left },
      rows: [{ ...row, ...none }, ...rows],
    }) as Comparison;
  const differing = { ...row, ...none, agrees: false, window: 10, theirs: '2', ours: '1.5' };
  const report = { source: 'A', counts: { taken: 1, guessed: 0, differs: 2, lost: 0 }, items: [] };

  it('are told line by line where they differ, and once where they agree', () => {
    const lines = comparisonItems(
      comparison([
        { ...differing, relative_difference: -0.25, reason: 'prices are adjusted' },
        { ...differing, window: null, theirs: '0' },
        { ...differing, agrees: null },
      ]),
    );
    expect(lines.map(({ kind, path, said, became, effect }) => [kind, path, said, became, effect])).toEqual([
      [
        'differs',
        '/latest-feat-vals',
        'price over 10 days of SPY on 2020-01-01: 2',
        '1.5, on adjusted prices',
        '-25.0% of the value: prices are adjusted',
      ],
      [
        'differs',
        '/latest-feat-vals',
        'price of SPY on 2020-01-01: 0',
        '1.5, on adjusted prices',
        'Theirs is 0: not explained by prices or history',
      ],
      [
        'taken',
        '/latest-feat-vals',
        '4 indicator values of 2020-01-01',
        '1 agree as far as the digits of answer and prices go, 3 differ, 0 have no counterpart (adjusted prices)',
        'None',
      ],
    ]);
    expect(comparisonItems(comparison([], 7))[0]?.became).toContain(
      '0 have no counterpart, 7 were not looked at (adjusted prices)',
    );
  });

  it('are added to the report of the import', () => {
    const whole = withComparisons(report, [comparison([differing]), comparison([])]);
    expect(whole.counts).toEqual({ taken: 1, guessed: 0, differs: 3, lost: 0 });
    expect(whole.items.map(({ kind }) => kind)).toEqual(['differs', 'taken', 'taken']);
  });
});

describe('what a text does not say of a strategy', () => {
  const asset = { id: 'a', node_type: 'asset', ticker: 'SPY' };
  const tree = (...groups: object[]) =>
    ({ id: 'r', node_type: 'root', name: 'A', children: [...groups, asset] }) as unknown as Algorithm;
  const group = (id: string, name: string, source?: object) => ({
    id,
    node_type: 'group',
    name,
    children: [asset],
    ...(source && { source }),
  });

  it('is which of its groups are saved strategies', () => {
    expect(textLosses(tree(group('g', 'Plain')))).toBeNull();
    const losses = textLosses(
      tree(
        group('g', 'Hedge', { strategy_id: 's', revision: 3 }),
        group('h', ' ', { strategy_id: 's', revision: 4 }),
      ),
    );
    expect(losses?.source).toBe('text');
    expect(losses?.items.map(({ block_id: id, said }) => [id, said])).toEqual([
      ['g', 'the saved strategy Hedge, revision 3'],
      ['h', 'a saved strategy, revision 4'],
    ]);
    expect(losses?.items[0]).toMatchObject({
      kind: 'lost',
      became: 'a group with the same blocks',
      effect: 'None on what it holds: it no longer follows that strategy',
    });
    expect(losses?.counts).toMatchObject({ lost: 2, taken: 4 });
  });
});

test('the fields of a condition that another tool has no place for are kept where they say something', () => {
  const extras = (node: object) => extrasOfCondition(node as ConditionNode);
  expect(extras({})).toEqual({});
  expect(extras({ lhs_days_ago: 0, rhs_days_ago: '0', rhs_scale: 1, rhs_offset: 0, for_days: 1 })).toEqual(
    {},
  );
  expect(extras({ lhs_days_ago: 1, rhs_days_ago: 1, rhs_scale: 0, rhs_offset: 1, for_days: 0 })).toEqual({
    lhs_days_ago: 1,
    rhs_days_ago: 1,
    rhs_scale: 0,
    rhs_offset: 1,
    for_days: 0,
  });
  expect(extras({ for_days: '$days', rhs_scale: null })).toEqual({ for_days: '$days' });
});

test.each([
  [[0xef, 0xbb, 0xbf, 0x41], 'utf-8'],
  [[0xff, 0xfe, 0x41, 0], 'utf-16le'],
  [[0xfe, 0xff, 0, 0x41], 'utf-16be'],
  [[0x7b, 0, 0x22, 0], 'utf-16le'],
  [[0, 0x7b, 0, 0x22], 'utf-16be'],
  [[0x7b, 0x22, 0x61, 0x22], 'utf-8'],
  [[0x7b, 0, 0x22, 0x61], 'utf-8'],
  [[0x7b, 0x22, 0x61, 0], 'utf-8'],
  [[0, 0, 0, 0], 'utf-8'],
  [[0x7b, 0, 0, 0], 'utf-8'],
  [[0, 0x7b, 0x22, 0x22], 'utf-8'],
  [[0, 0x7b, 0, 0], 'utf-8'],
  [[0xff], 'utf-8'],
  [[], 'utf-8'],
] as const)('a file that begins with the bytes %j is %s', (bytes, encoding) => {
  expect(encodingOf(new Uint8Array(bytes))).toBe(encoding);
});
