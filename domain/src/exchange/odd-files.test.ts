import { describe, expect, test } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { importSource } from './import-source.ts';
import { printStrategy } from './text/printer.ts';

let made = 0;
const newId = () => {
  made += 1;
  return `node_${made}`;
};

/** The tree on one line, without its head, and the lines of the report as `kind: said -> became`. */
function read(given: unknown): { readonly text: string; readonly lines: readonly string[] } {
  const result = importSource(given, newId);
  if (isRefusal(result)) return { text: result.detail, lines: [] };
  const [, body = ''] = printStrategy(result.algorithm).split(/\n\n/, 2);
  return {
    text: body.replace(/\s+/g, ' ').trim(),
    lines: result.report.items.map(({ kind, said, became }) => `${kind}: ${said} -> ${became}`),
  };
}

const asset = (ticker: unknown, more: object = {}) => ({ step: 'asset', ticker, ...more });
const root = (children: readonly unknown[], more: object = {}) => ({
  step: 'root',
  name: 'R',
  rebalance: 'daily',
  children,
  ...more,
});
const test1 = { 'lhs-fn': 'relative-strength-index', 'lhs-val': 'QQQ', comparator: 'gt', 'rhs-val': '79' };
const branch = (more: object = {}) => ({
  step: 'if-child',
  'lhs-fn-params': { window: 10 },
  ...test1,
  children: [asset('UVXY')],
  ...more,
});
const otherwise = (...children: unknown[]) => ({ step: 'if-child', 'is-else-condition?': true, children });
const when = (more: object, last: unknown = otherwise(asset('SPY'))) =>
  root([{ step: 'if', children: [branch(more), last] }]);
const specified = (...weights: unknown[]) =>
  root([{ step: 'wt-cash-specified', children: weights.map((weight) => asset('A', { weight })) }]);
const filter = (more: object) =>
  root([
    {
      step: 'filter',
      'sort-by-fn': 'cumulative-return',
      'sort-by-fn-params': { window: 20 },
      'select-fn': 'top',
      'select-n': '2',
      children: [asset('A'), asset('B')],
      ...more,
    },
  ]);

describe('what a file spells oddly is read as it is meant, and told', () => {
  test.each<[string, unknown, string, string | null]>([
    ['a percent sign', when({ 'rhs-val': '79%' }), 'RSI(QQQ, 10) > 79', 'guessed: the value "79%" -> 79'],
    ['a typographic minus', when({ 'rhs-val': '−5' }), '> -5', 'guessed: the value "−5" -> -5'],
    ['thousands', when({ 'rhs-val': '1,000' }), '> 1000', 'guessed: the value "1,000" -> 1000'],
    ['a fraction', when({ 'rhs-val': '1/4' }), '> 0.25', 'taken: the value "1/4" -> 0.25'],
    [
      'days in words',
      when({ 'lhs-fn-params': { window: '10 days' } }),
      'RSI(QQQ, 10)',
      'guessed: the window "10 days" -> 10',
    ],
    [
      'an empty window beside days',
      when({ 'lhs-fn-params': { window: '' }, 'lhs-window-days': '21' }),
      'RSI(QQQ, 21)',
      null,
    ],
    ['a sign for a comparator', when({ comparator: '>=' }), 'RSI(QQQ, 10) >= 79', null],
    ['a shorter name', when({ 'lhs-fn': 'RSI' }), 'RSI(QQQ, 10)', null],
    [
      'a name of another tool',
      when({ 'lhs-fn': 'sma' }),
      'MA Price(QQQ, 10)',
      'guessed: the function "sma" -> Moving Average of Price',
    ],
    [
      'a class of shares',
      when({ 'lhs-val': 'EQUITIES::BRK/B//USD' }),
      'RSI(BRK-B, 10)',
      'taken: the ticker "EQUITIES::BRK/B//USD" -> BRK-B',
    ],
    [
      'a flag as text',
      when({ 'rhs-fixed-value?': 'true', 'rhs-fn': 'max-drawdown' }),
      '> 79',
      'taken: rhs-fn "max-drawdown" beside a fixed value -> the fixed value',
    ],
    [
      'a number that is said to be a series',
      when({ 'rhs-fixed-value?': false }),
      '> 79',
      'guessed: "79", said not to be a fixed value, without a function -> a fixed value',
    ],
    [
      'a last branch that asks nothing',
      when({}, { step: 'if-child', children: [asset('TLT')] }),
      'else [ TLT ]',
      'guessed: a last branch without a condition -> the else',
    ],
    [
      'weights in percent signs',
      specified({ num: '25%', den: 100 }, '75%'),
      '25% A 75% A',
      'guessed: the weight {num: "25%", den: 100} -> 25/100',
    ],
    [
      'weights without a whole',
      specified({ num: 25 }, { num: '75' }),
      '25% A 75% A',
      'guessed: the weight {num: 25} -> 25/100',
    ],
    ['weights as fractions', specified({ num: 1, den: 3 }, { num: '2/3', den: 1 }), '1/3 A 2/3 A', null],
    [
      'cash',
      root([asset('$USD'), asset('A')]),
      'weight equally [ cash ] A',
      'taken: the asset $USD -> a block of cash',
    ],
    [
      'lists in round brackets',
      '{:step :root :children ({:step :asset :ticker "A"} {:step :asset :ticker "B"})}',
      'A B',
      null,
    ],
    [
      'a number on the left',
      '(defsymphony "T" {} (if (< 30 (rsi "SPY" {:window 10})) [(asset "A")] []))',
      'RSI(SPY, 10) > 30',
      null,
    ],
    [
      'a chain',
      '(defsymphony "T" {} (if (< 20 (rsi "SPY" 10) 30) [(asset "A")] []))',
      'RSI(SPY, 10) > 20 and RSI(SPY, 10) < 30',
      null,
    ],
    [
      'a negation',
      '(defsymphony "T" {} (if (not (or (< (rsi "SPY" :window 10) 30) (> (current-price "SPY") 5))) [(asset "A")]))',
      'RSI(SPY, 10) >= 30 and Current Price(SPY) <= 5',
      null,
    ],
    [
      'shares that are percentages',
      '(defsymphony "T" {} (weight-specified 25 (asset "A") 75 (asset "B")))',
      '25% A 75% B',
      'guessed: shares that add up to 100 -> percentages',
    ],
    ['blocks without a root', [asset('A'), asset('B')], 'A B', null],
    ['a name that is no text', '(defsymphony mine "what it does" {} (asset "A"))', 'A', null],
  ])('%s', (_, given, text, line) => {
    const result = read(given);
    expect(result.text).toContain(text);
    expect(result.lines.filter((one) => one.startsWith('lost'))).toEqual([]);
    if (line !== null) expect(result.lines).toContain(line);
  });

  test.each<[string, object, object]>([
    ['a fraction as text', { 'rebalance-corridor-width': '0.05' }, { rebalance: 'corridor', corridor: 5 }],
    ['a percentage as text', { 'rebalance-corridor-width': '5%' }, { rebalance: 'corridor', corridor: 5 }],
    ['no width', { 'rebalance-corridor-width': 0 }, { rebalance: 'daily' }],
    ['a width in words', { 'rebalance-corridor-width': 'wide' }, { rebalance: 'never' }],
    ['all there is', { 'rebalance-corridor-width': 1 }, { rebalance: 'corridor', corridor: 100 }],
    ['more than there is', { 'rebalance-corridor-width': 100.5 }, { rebalance: 'never' }],
  ])('a corridor: %s', (_, more, rule) => {
    const result = importSource(root([asset('A')], { rebalance: 'none', ...more }), newId);
    if (isRefusal(result)) throw new Error(result.detail);
    expect(result.algorithm).toMatchObject(rule);
    const isPlain = 'corridor' in rule && !JSON.stringify(more).includes('%');
    expect(result.report.items.some(({ said }) => said.startsWith('a corridor'))).toBe(!isPlain);
  });
});

describe('what is lost is told with every number and ticker of it', () => {
  test.each<[string, unknown, string]>([
    [
      'an unknown function',
      when({ 'lhs-fn': 'super-trend' }),
      'lost: the function "super-trend" {window: 10} -> no function, over 10 days',
    ],
    [
      'a second else',
      root([{ step: 'if', children: [branch(), otherwise(asset('SPY')), otherwise(asset('TLT'))] }]),
      'lost: a second else: [{step: "asset", ticker: "TLT"}] -> left out',
    ],
    [
      'a branch that is none',
      root([{ step: 'if', children: [branch(), 'SPY', otherwise(asset('TLT'))] }]),
      'lost: "SPY" -> left out',
    ],
    [
      'children that are none',
      root([asset('A'), { step: 'wt-cash-equal', children: { a: 5 } }]),
      'lost: children {a: 5} -> none',
    ],
    ['a second spelling', when({ lhs_val: 'IWM' }), 'lost: lhs_val (again) "IWM" on if-child -> left out'],
    [
      'a weight without a whole',
      specified({ num: 25, den: 0 }, 1),
      'lost: the weight {num: 25, den: 0} -> none',
    ],
    [
      'an unknown block',
      root([asset('A'), { step: 'wt-moon', phase: 14, children: [asset('B')] }]),
      'lost: the block "wt-moon" {phase: 14} -> an asset block without a ticker',
    ],
    [
      'an unknown form',
      '(defsymphony "T" {} (cond (< (rsi "SPY" {:window 10}) 30) [(asset "A")]))',
      'lost: the block "cond" [(< (rsi "SPY" {window: 10}) 30)] -> an asset block without a ticker',
    ],
    [
      'an unknown condition',
      when({ condition: { 'condition-type': 'sometimes', lhs: { ticker: 'X', params: { window: 14 } } } }),
      'lost: the condition {condition-type: "sometimes", lhs: {ticker: "X", params: {window: 14}}} ' +
        '-> an empty condition',
    ],
    [
      'an unknown field of a condition',
      when({
        condition: {
          lhs: { fn: 'max-drawdown', ticker: 'X', params: { window: 9 }, lag: 3 },
          comparator: 'gt',
          rhs: { constant: 5 },
        },
      }),
      'lost: lag 3 on side of a condition -> left out',
    ],
    [
      'a parameter that is none',
      filter({ 'sort-by-fn-params': { window: 20, lag: 3 } }),
      'lost: lag 3 of cumulative-return -> left out',
    ],
    [
      'a weight that belongs to nothing',
      '(defsymphony "T" {} (weight-specified 0.5 0.25 (asset "A") 0.75 (asset "B")))',
      'lost: the weight 0.5 -> left out',
    ],
  ])('%s', (_, given, line) => {
    expect(read(given).lines).toContain(line);
  });

  test('a bare share of 1 is the whole, and what is nearly the whole is told', () => {
    expect(read(specified(1)).text).toContain('100% A');
    const nearly = 'guessed: weights that add up to 99.5% -> the same weights';
    expect(read(specified({ num: 99.5, den: 100 })).lines).toContain(nearly);
    expect(read(specified({ num: 100, den: 100 })).lines.join()).not.toContain('add up');
  });

  test('a filter cannot sort by what compares two series', () => {
    for (const fn of ['correlation', 'beta']) {
      const { lines } = read(filter({ 'sort-by-fn': fn }));
      expect(lines.some((line) => line.startsWith(`lost: sorts by ${fn}`))).toBe(true);
    }
  });

  test('a loss of one percent and more was not meant as a fraction', () => {
    const loss = (value: string) =>
      read(when({ 'lhs-fn': 'cumulative-return', 'rhs-val': value })).lines.join('\n');
    expect(loss('-0.5')).toContain('guessed: cumulative-return against -0.5 -> -0.5%');
    for (const value of ['-1', '-20', '1', '20']) expect(loss(value)).not.toContain('against');
  });

  test('one test on each of several tickers may leave the ticker of its left side out', () => {
    const condition = {
      'condition-type': 'binary-compound',
      operator: 'any',
      tickers: ['TQQQ', 'SOXL'],
      lhs: { fn: 'relative-strength-index', params: { window: 10 } },
      comparator: 'lt',
      rhs: { constant: 20 },
    };
    expect(read(when({ condition })).text).toMatch(/RSI\(TQQQ, 10\) < 20.*RSI\(SOXL, 10\) < 20/);
  });

  test('a filter without a window cannot run on one that nobody gave', () => {
    const { text, lines } = read(filter({ 'sort-by-fn-params': {} }));
    expect(text).toContain('by CR(?)');
    expect(lines.some((line) => line.startsWith('lost: no window'))).toBe(true);
  });
});

describe('several strategies in one source', () => {
  const second = root([asset('TLT')], { name: 'Second' });
  test.each([
    ['in a list', [root([asset('SPY')]), second]],
    ['in an object', { a: root([asset('SPY')]), b: { c: second } }],
    ['one a line', `${JSON.stringify(root([asset('SPY')]))}\n${JSON.stringify(second)}\n`],
    [
      'one form after the other',
      '(defsymphony "R" {} (asset "SPY"))\n(defsymphony "Second" {} (asset "TLT"))',
    ],
  ])('%s: each is read on its own', (_, given) => {
    const result = importSource(given, newId);
    if (isRefusal(result)) throw new Error(result.detail);
    expect([result.name, ...result.further.map(({ name }) => name)]).toEqual(['R', 'Second']);
    expect(result.report.items.map(({ said }) => said)).toContain('a further strategy "Second"');
  });

  test('the same one twice counts once, one that cannot be read is told', () => {
    const result = importSource([second, second, root([])], newId);
    if (isRefusal(result)) throw new Error(result.detail);
    expect(result.further).toEqual([]);
    expect(result.report.items.map(({ kind, path, effect }) => [kind, path, effect])).toEqual(
      expect.arrayContaining([
        ['taken', '/1', 'None: the same strategy'],
        ['lost', '/2', 'This strategy holds no asset: there is nothing to run.'],
      ]),
    );
  });
});

test.each([
  ['{"a": 1 "b": 2}', /a comma is missing before "b \(line 1, column 9\)/],
  ['{"step": "root",\n "name" 5}', /a : is missing before 5 \(line 2, column 9\)/],
  ['{"step": NaN}', /a value is wanted, not NaN/],
  ["{'step': 1}", /the name of a field is wanted, not 'step'/],
  ['{"step": ["a"}', /a \} stands where a \] is wanted/],
  ['{"step": [', /the \[ is never closed \(line 1, column 10\)/],
  ['{"step": "a\nb"}', /goes on over the end of its line/],
])('a fault of JSON is told at its place: %s', (text, sentence) => {
  expect(read(text).text).toMatch(sentence);
});
