import { describe, expect, it, test } from 'vitest';
import { isRefusal, type Refusal } from '../kernel/refusal.ts';
import { answerIn, type ImportedSource, importSource, unreadable } from './import-source.ts';
import { printStrategy } from './text/printer.ts';

function read(given: unknown): ImportedSource {
  const result = importing(given);
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
}

function refused(given: unknown): Refusal {
  const result = importing(given);
  if (!isRefusal(result)) throw new Error(`read as ${result.report.source}`);
  return result;
}

function importing(given: unknown): ImportedSource | Refusal {
  let count = 0;
  return importSource(given, () => {
    count += 1;
    return `n${count}`;
  });
}

/** The blocks of a tree on one line. */
const blocksOf = ({ algorithm }: ImportedSource) =>
  (printStrategy(algorithm).split(/\n\n/, 2)[1] ?? '').replace(/\s+/g, ' ').trim();
const linesOf = ({ report }: ImportedSource) =>
  report.items.map(({ kind, path, said, became, effect }) => [kind, path, said, became, effect].join(' ¦ '));
const nested = (depth: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

describe('a strategy of this product as JSON', () => {
  const asset = (id: string, ticker: unknown = 'SPY') => ({ id, node_type: 'asset', ticker });
  const root = (name: string, ...children: object[]) => ({ id: 'r', node_type: 'root', name, children });

  it('is taken as it is', () => {
    const { name, algorithm, report, ...rest } = read(root('Mine', asset('a'), asset('b', 'QQQ')));
    expect(name).toBe('Mine');
    expect(algorithm).toMatchObject({ name: 'Mine', children: [{ id: 'a' }, { id: 'b', ticker: 'QQQ' }] });
    expect(report).toEqual({
      source: 'Quantloom JSON',
      counts: { taken: 2, guessed: 0, differs: 0, lost: 0 },
      items: [],
    });
    expect(rest).toEqual({ settings: {}, answer: null, further: [] });
  });

  it.each([
    ['its own', { name: 'Saved', algorithm: root('Mine', asset('a')) }, 'Mine'],
    ['what it is saved as', { name: ' Saved ', algorithm: root(' ', asset('a')) }, 'Saved'],
    ['what it is saved as, cut', { name: 'x'.repeat(250), algorithm: root('', asset('a')) }, 'x'.repeat(200)],
    ['one for all', { algorithm: root('', asset('a')) }, 'Imported Trading Bot'],
    ['one for all blocks', asset('a'), 'Imported Trading Bot'],
  ])('has a name: %s', (_, given, name) => {
    const found = read(given);
    expect([found.name, found.algorithm.name]).toEqual([name, name]);
  });

  it('tells what could not be read, block by block, and new ids', () => {
    const { report } = read({ strategies: [root('Mine', asset('a', 5), asset('a'))] });
    expect(report.counts).toEqual({ taken: 1, guessed: 0, differs: 0, lost: 1 });
    expect(report.items).toEqual([
      {
        kind: 'lost',
        path: expect.stringMatching(/^\/children\/0/),
        said: expect.stringContaining('5'),
        became: 'what a new block would hold, or nothing',
        effect: 'What the block does',
        block_id: 'a',
      },
      {
        kind: 'taken',
        path: '',
        said: '1 block had no id of its own and got a new one',
        became: 'what a new block would hold, or nothing',
        effect: 'None',
        block_id: null,
      },
    ]);
  });

  it('does not tell what a plan lacks: that is for whoever saves it', () => {
    expect(linesOf(read(root('Mine', asset('a', '$fund'), asset('b', 'SIM:SPY3X'))))).toEqual([]);
  });

  it('may be blocks alone', () => {
    expect(blocksOf(read(JSON.stringify([asset('a'), asset('b', 'QQQ')])))).toBe('SPY QQQ');
    expect(read(asset('a')).report.source).toBe('Quantloom JSON');
  });
});

describe('a strategy of this product as text', () => {
  it('has its name, its blocks and nothing around them', () => {
    const { name, algorithm, report, ...rest } = read('\uFEFFstrategy "Mine" rebalance weekly SPY, QQQ');
    expect([name, algorithm.name, algorithm.rebalance]).toEqual(['Mine', 'Mine', 'weekly']);
    expect(report).toEqual({
      source: 'Quantloom text',
      counts: { taken: 2, guessed: 0, differs: 0, lost: 0 },
      items: [],
    });
    expect(rest).toEqual({ settings: {}, answer: null, further: [] });
  });

  it.each(['weight equally [ SPY ]', 'strategy " " SPY', 'SPY', 'SPY, QQQ'])(
    'without a name gets one: %s',
    (given) => {
      const { name, algorithm } = read(given);
      expect([name, algorithm.name]).toEqual(['Imported Trading Bot', 'Imported Trading Bot']);
    },
  );

  it('is told from prose, which reads like tickers', () => {
    expect(refused('buy the dip')).toMatchObject({ status: 422, code: 'no_strategy_found' });
    expect(blocksOf(read('strategy "Prose" buy the dip'))).toBe('buy the dip'.toUpperCase());
    expect(blocksOf(read('weight equally [ buy the dip ]'))).toContain('DIP');
  });

  it('is refused with the place of its fault', () => {
    expect(refused('weight equally [\n SPY > ]')).toMatchObject({
      status: 422,
      code: 'text_fault',
      detail: expect.stringMatching(/^This cannot be read as a strategy, line 2, column 6: .*[^.]\.$/),
    });
    // Also where words seem to stand around something that is none.
    expect(refused('if {"a": 1} then')).toMatchObject({ code: 'text_fault' });
  });

  it('is refused where it could not be saved', () => {
    const { code, detail, problems } = refused(`strategy "${'x'.repeat(201)}" SPY`);
    expect(code).toBe('invalid_algorithm');
    expect(problems).toHaveLength(1);
    expect(detail).toBe(problems?.[0]?.message);
  });

  it('is no strategy where it looks like something else', () => {
    expect(refused('import pandas as pd')).toMatchObject({
      code: 'no_strategy_found',
      detail: expect.stringMatching(/^No strategy was found\. This looks like program code\. Read are /),
    });
  });
});

describe('what cannot be read at all', () => {
  it.each([
    ['a text nested too deep', '['.repeat(3000), 'source_too_large'],
    ['a value nested too deep', nested(3000), 'source_too_large'],
    ['a text too long', 'x'.repeat(9 * 1024 * 1024), 'source_too_large'],
    ['a text that is broken', '{"step": "root" "x"}', 'source_unreadable'],
    ['a text too deep amid words', `Here: ${'{"a":'.repeat(3000)}`, 'source_too_large'],
  ])('is refused: %s', (_, given, code) => {
    const refusal = refused(given);
    expect(refusal).toMatchObject({ status: 422, code });
    expect(refusal.detail).toMatch(/^[A-Z].*\.$/s);
  });

  it('is known of a value before it is looked into', () => {
    expect(unreadable(nested(3000))).toEqual(refused(nested(3000)));
    expect(unreadable(nested(1000))).toBeNull();
    expect(unreadable('['.repeat(3000))).toBeNull();
  });

  it('is an own strategy that is beyond the bounds', () => {
    let tree: unknown = { id: 'a', node_type: 'asset', ticker: 'SPY' };
    for (let level = 0; level < 600; level += 1)
      tree = { id: `g${level}`, node_type: 'group', name: '', children: [tree] };
    expect(refused({ id: 'r', node_type: 'root', name: '', children: [tree] })).toMatchObject({
      code: 'invalid_algorithm',
    });
    // As blocks alone it is nothing that was found.
    expect(refused(tree)).toMatchObject({ code: 'no_strategy_found' });
  });

  it.each([
    ['a single value', 5],
    ['an empty list', '[]'],
    ['an object of something else', '{"colour": "red"}'],
    ['EDN of something else', '{:colour :red}'],
  ])('says what it seems to be: %s', (_, given) =>
    expect(refused(given)).toMatchObject({
      status: 422,
      code: 'no_strategy_found',
      detail: expect.stringMatching(
        /^No strategy was found\. (This is|This holds) .*Read are strategies of /,
      ),
    }),
  );
});

const composerAsset = (ticker: string) => ({ id: ticker, step: 'asset', ticker });
const symphony = (name: string, ...children: object[]) => ({
  id: 'r',
  step: 'root',
  name,
  rebalance: 'daily',
  children,
});

describe('a strategy of Composer', () => {
  it.each([
    ['its own', symphony(' Own ', composerAsset('SPY')), 'Own'],
    ['that of what it stands in', { name: 'Outer', score: symphony(' ', composerAsset('SPY')) }, 'Outer'],
    ['that, cut', { name: 'y'.repeat(300), score: symphony('', composerAsset('SPY')) }, 'y'.repeat(200)],
    ['one for all', symphony('', composerAsset('SPY')), 'Imported Trading Bot'],
  ])('has a name: %s', (_, given, name) => {
    const found = read(given);
    expect([found.name, found.algorithm.name]).toEqual([name, name]);
  });

  it('may be blocks alone, the name and the place of which are told', () => {
    const group = (name: string, ...children: object[]) => ({ id: name, step: 'group', name, children });
    const one = read({ shelf: group('Hedge', composerAsset('SPY')) });
    expect([one.name, blocksOf(one), one.algorithm.rebalance]).toEqual([
      'Hedge',
      'group "Hedge" [ SPY ]',
      'daily',
    ]);
    expect(one.report.source).toBe('Composer JSON, a block, at /shelf');
    const several = read({
      name: 'Shelf',
      kept: [group('A', composerAsset('SPY')), group('B', composerAsset('$'))],
    });
    expect([several.name, blocksOf(several)]).toEqual([
      'Shelf',
      'group "A" [ SPY ] group "B" [ asset ? "$" ]',
    ]);
    expect(several.report.source).toBe('Composer JSON, 2 blocks, at /kept/0');
    // The path of a fault is that in the source.
    expect(linesOf(several).filter((line) => line.startsWith('lost'))).toEqual([
      'lost ¦ /kept/children/1/children/0 ¦ the ticker "$" ¦ no ticker ¦ The block cannot run until it has one',
    ]);
  });

  it('may be forms alone', () => {
    const found = read('(group "A" [(asset "SPY" "x")])');
    expect([found.report.source, blocksOf(found)]).toEqual([
      'Composer text, a block',
      'group "A" [ SPY "x" ]',
    ]);
    const two = read('(asset "SPY" "x")\n(asset "QQQ" "y")');
    expect([two.report.source, blocksOf(two)]).toEqual(['Composer text, 2 blocks, at /0', 'SPY "x" QQQ "y"']);
  });

  it('is told what had to be put right to read it', () => {
    expect(linesOf(read(`// mine\n${JSON.stringify(symphony('A', composerAsset('SPY')))}`))).toContainEqual(
      expect.stringMatching(/^taken ¦ {2}¦ .+ ¦ left out, so that it can be read ¦ None$/),
    );
  });

  it('comes with the indicator values of the answer that it stands in', () => {
    const values = '{{:feature :price, :ticker "SPY"} 378.870}';
    const edn =
      '{:symphony {:step :root, :name "A", :rebalance :daily, :children [{:step :asset, :ticker ' +
      `"SPY"}]}, :last-market-day 18262, :latest-feat-vals ${values}}`;
    expect(read(edn).answer).toMatchObject({ date: '2020-01-01', values: [{ said: '378.870' }] });
    expect(read(symphony('A', composerAsset('SPY'))).answer).toBeNull();
    expect(answerIn(edn)).toEqual(read(edn).answer);
    expect(answerIn(edn.replace(':symphony', ':other'))).toEqual(read(edn).answer);
  });

  it.each(['{"a": 1}', 'no answer', '', '{:a', '[1'])('is no answer: %s', (given) =>
    expect(answerIn(given)).toBeNull(),
  );

  it('is refused where nothing is left of it, with what is lost', () => {
    const lost = (ticker: string) => composerAsset(`CRYPTO::${ticker}//USD`);
    expect(refused(symphony('A', lost('A'), lost('B'), lost('C'), lost('D')))).toMatchObject({
      status: 422,
      code: 'nothing_left',
      detail:
        'Nothing of this strategy can be expressed here: the ticker "CRYPTO::A//USD" ' +
        '(/children/0); the ticker "CRYPTO::B//USD" (/children/1); the ticker "CRYPTO::C//USD" ' +
        '(/children/2).',
    });
    expect(refused(symphony('A'))).toMatchObject({
      code: 'nothing_left',
      detail: 'This strategy holds no asset: there is nothing to run.',
    });
  });
});

describe('a strategy of QuantMage', () => {
  const ticker = (symbol: string) => ({ incantation_type: 'Ticker', symbol, name: '' });

  it('may be an incantation alone, or several of equal weight', () => {
    const one = read({ kept: ticker('SPY') });
    expect([one.report.source, blocksOf(one)]).toEqual(['QuantMage JSON, a block, at /kept', 'SPY']);
    const several = read([ticker('SPY'), ticker('QQQ')]);
    expect(several.report.source).toBe('QuantMage JSON, 2 blocks, at /0');
    expect(blocksOf(several)).toBe('weight equally [ SPY QQQ ]');
    expect(several.algorithm.rebalance).toBe('daily');
  });

  it('is told nothing of what is so with Composer alone', () => {
    expect(linesOf(read({ kept: ticker('SPY') })).join()).not.toContain('annualised');
  });
});

describe('more strategies than are imported at once', () => {
  const many = Array.from({ length: 52 }, (_, i) => symphony(`S${i}`, composerAsset(`T${i}`)));

  it('are the first 50, and the rest is told', () => {
    const { further, report } = read(many);
    expect(further).toHaveLength(49);
    expect(further.at(-1)?.name).toBe('S49');
    expect(report.items.at(-1)).toEqual({
      kind: 'lost',
      path: '',
      said: '2 further strategies',
      became: 'none',
      effect: 'Import them in parts',
      block_id: null,
    });
    expect(report.counts.lost).toBe(1);
    // One that cannot be read has its own line, and is none of those.
    const { further: fewer, report: told } = read(many.with(3, symphony('S3')));
    expect([fewer.length, told.items.at(-1)?.said]).toEqual([48, '2 further strategies']);
    expect(linesOf(read(many.slice(0, 50))).filter((line) => line.startsWith('lost'))).toEqual([]);
  });
});

test.each([
  ['a text that holds nothing of another tool', 'SPY, {"a": 1}', 'text_fault'],
  ['a broken strategy amid words', 'Here it is: {"step": "root" "x"} so far', 'source_unreadable'],
])('the refusal is that of what was meant: %s', (_, given, code) => {
  expect(refused(given).code).toBe(code);
});
