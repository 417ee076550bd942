import { describe, expect, it, test } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { findStrategies } from './find-strategy.ts';
import { importSource } from './import-source.ts';
import type { ReadSource } from './syntax/source-text.ts';

const search = (datum: unknown, further: Partial<ReadSource> = {}) =>
  findStrategies({ notation: 'json', datum, text: '', quoted: 0, changes: [], ...further });
let count = 0;
const newId = () => {
  count += 1;
  return `n${count}`;
};
const symphony = { step: 'root', name: 'A', rebalance: 'daily', children: [] };

describe('strategies in a source', () => {
  test.each([
    [symphony, 'wholes', 'symphony'],
    [{ node_type: 'root', children: [] }, 'wholes', 'quantloom'],
    [{ step: 'wt-cash-equal' }, 'blocks', 'symphony-block'],
    [{ step: 'wt-cash-specified' }, 'blocks', 'symphony-block'],
    [{ step: 'wt-inverse-vol' }, 'blocks', 'symphony-block'],
    [{ step: 'wt-marketcap' }, 'blocks', 'symphony-block'],
    [{ step: 'group' }, 'blocks', 'symphony-block'],
    [{ step: 'if' }, 'blocks', 'symphony-block'],
    [{ step: 'filter' }, 'blocks', 'symphony-block'],
    [{ step: 'asset', ticker: 'SPY' }, 'blocks', 'symphony-block'],
    [{ incantation_type: 'Ticker' }, 'blocks', 'incantation'],
  ] as const)('%j is among the %s', (datum, where, kind) => {
    const found = search(datum);
    expect(found[where]).toMatchObject([{ kind, path: '', around: [], name: null, isWrapped: false }]);
    expect(found.wholes.length + found.blocks.length).toBe(1);
    expect(found.fault).toBeNull();
  });

  test.each([
    [null],
    ['SPY'],
    [5],
    [[]],
    [{}],
    [{ step: 'of another tool' }],
    [{ step: 5 }],
    [{ incantation_type: 5 }],
  ])('%j holds none', (datum) => {
    expect(search(datum)).toEqual({ wholes: [], blocks: [], fault: null });
  });

  it('are found in what stands around them, the nearest first, with its name and where they stand', () => {
    const middle = { name: ' Mine ', 'a/b~c': [symphony] };
    const outer = { name: 'Outer', data: middle };
    expect(search(outer).wholes).toEqual([
      expect.objectContaining({
        kind: 'symphony',
        path: '/data/a~1b~0c/0',
        around: [middle, outer],
        name: 'Mine',
      }),
    ]);
    expect(search({ name: ' ', data: symphony }).wholes[0]?.name).toBeNull();
    expect(search({ name: 'Outer', data: { name: '', data: symphony } }).wholes[0]?.name).toBe('Outer');
    let deep: unknown = symphony;
    for (let level = 0; level < 7; level += 1) deep = { level, deep };
    expect(search(deep).wholes[0]?.around).toHaveLength(5);
  });

  it('are whole ones before blocks, and none that is inside another', () => {
    const found = search([{ step: 'asset' }, { ...symphony, children: [symphony] }, { a: symphony }]);
    expect(found.wholes.map(({ path }) => path)).toEqual(['/1', '/2/a']);
    expect(found.blocks.map(({ path }) => path)).toEqual(['/0']);
  });
});

describe('a text within a source', () => {
  const text = JSON.stringify(symphony);

  it('is read where it looks like a strategy', () => {
    expect(search({ body: text }).wholes).toMatchObject([
      { kind: 'symphony', path: '/body', isWrapped: true, notation: 'json', text },
    ]);
    expect(search({ body: '(defsymphony "A" {} (asset "SPY"))' }).wholes).toMatchObject([
      { kind: 'text-form', path: '/body', isWrapped: true, notation: 'form' },
    ]);
    expect(search({ body: '{:step :root, :name "A", :children []}' }).wholes).toMatchObject([
      { kind: 'symphony', notation: 'edn' },
    ]);
    expect(search({ body: `see: ${text}` }).wholes).toEqual([]);
    expect(search({ body: '{"step":"if"}' }).blocks).toEqual([]);
  });

  it('is read three texts deep', () => {
    const wrapped = (times: number): unknown =>
      times === 0 ? symphony : { symphony: JSON.stringify(wrapped(times - 1)) };
    expect(search(wrapped(3)).wholes).toHaveLength(1);
    expect(search(wrapped(4)).wholes).toHaveLength(0);
  });

  it('is told where it cannot be read, the first of several', () => {
    const broken = '{"step": "root", "name": "A" "x"}';
    expect(search([broken, '{"step": "root" , , , }']).fault).toMatch(/line 1/);
    const result = importSource({ body: broken }, newId);
    expect(isRefusal(result) ? result.detail : '').toMatch(
      /^No strategy was found\. A text in it looks like one, but: .*line 1/,
    );
    expect(search([broken, text]).wholes).toHaveLength(1);
  });
});

describe('what is told of every strategy of Composer', () => {
  const asset = { id: 'a', step: 'asset', ticker: 'SPY' };
  const told = (...children: object[]) => {
    const result = importSource({ ...symphony, children }, newId);
    if (isRefusal(result)) throw new Error(result.detail);
    return result.report.items.filter(
      ({ said, kind }) => kind === 'differs' && /prices that were not|annualised/.test(said),
    );
  };

  it('is how it annualises a return', () => {
    expect(told(asset)).toEqual([
      expect.objectContaining({
        kind: 'differs',
        path: '',
        said: 'an annualised return that counts the first day too (exponent 252 / (n + 1))',
        became: 'exponent 252 / n',
        effect: 'The annualised return alone, and most on short runs: after one year by about 0.4% of itself',
      }),
    ]);
  });

  it('is which prices its indicators are of, where there are any', () => {
    const filter = {
      id: 'f',
      step: 'filter',
      'sort-by-fn': 'relative-strength-index',
      'sort-by-fn-params': { window: 10 },
      'select-fn': 'top',
      'select-n': '1',
      children: [asset, { ...asset, id: 'b', ticker: 'QQQ' }],
    };
    const lines = told(filter);
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual(
      expect.objectContaining({
        became: 'indicators on prices adjusted for splits and dividends',
        effect: expect.stringContaining('200-day mean of SPY 412.04 there, 409.21 adjusted'),
      }),
    );
  });
});

describe('what an export carries beside the fields of Composer', () => {
  const root = (extras: unknown, further: object = {}) => {
    const result = importSource(
      {
        ...symphony,
        ...further,
        quantloom: extras,
        children: [{ id: 'a', step: 'asset', ticker: 'SPY' }],
      },
      newId,
    );
    if (isRefusal(result)) throw new Error(result.detail);
    return result.algorithm;
  };

  it('is the day on which it rebalances', () => {
    const monthly = { rebalance: 'monthly' };
    expect(root({ rebalance_on: 'first' }, monthly).rebalance_on).toBe('first');
    // Where the strategy said nothing, nothing is said for it.
    expect(root({ rebalance_on: null }, monthly).rebalance_on).toBeUndefined();
    expect(root({ rebalance_on: 'soon' }, monthly).rebalance_on).toBe(root(null, monthly).rebalance_on);
  });

  it('is a corridor that is a variable', () => {
    const corridor = { rebalance: 'none', 'rebalance-corridor-width': 0.05 };
    expect(root(null, corridor).corridor).toBe(5);
    expect(root({ corridor: '$width' }, corridor).corridor).toBe('$width');
    expect(root({ corridor: [7] }, corridor).corridor).toBe(5);
  });
});
