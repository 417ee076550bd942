import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStrategy, withoutIds } from '../../testing/any-strategy.ts';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { isRefusal } from '../kernel/refusal.ts';
import { readStructure } from '../strategy/structure.ts';
import type { Algorithm } from '../strategy/tree.ts';
import { writeEdn } from './composer/edn-writer.ts';
import { exportSymphony } from './composer/export-symphony.ts';
import { importSource } from './import-source.ts';
import { textLosses } from './pins.ts';
import { printStrategy } from './text/printer.ts';

let count = 0;
const newId = () => {
  count += 1;
  return `node_${count}`;
};

/** As it is stored: with the version that it needs. */
function stored(tree: Algorithm): Algorithm {
  const reading = readStructure(tree);
  if (reading.problems) throw new Error(reading.problems[0]?.message);
  return reading.algorithm;
}

function imported(text: string): Algorithm {
  const result = importSource(text, newId);
  if (isRefusal(result)) throw new Error(result.detail);
  return result.algorithm;
}

const hasAsset = (tree: Algorithm) => JSON.stringify(tree).includes('"asset"');

describe('round trips', () => {
  test('ours to Composer JSON and back is the same strategy, ids aside', () => {
    fc.assert(
      fc.property(anyStrategy().filter(hasAsset), (tree) => {
        const { symphony } = exportSymphony(stored(tree));
        expect(withoutIds(imported(JSON.stringify(symphony)))).toEqual(withoutIds(stored(tree)));
      }),
      { numRuns: 300 },
    );
  });

  test('ours to Composer EDN and back is the same strategy, ids aside', () => {
    fc.assert(
      fc.property(anyStrategy().filter(hasAsset), (tree) => {
        const { symphony } = exportSymphony(stored(tree));
        expect(withoutIds(imported(writeEdn(symphony)))).toEqual(withoutIds(stored(tree)));
      }),
      { numRuns: 200 },
    );
  });

  test('the export tells of everything that Composer lacks, and of nothing else', () => {
    fc.assert(
      fc.property(anyStrategy().filter(hasAsset), (tree) => {
        const { report } = exportSymphony(stored(tree));
        const lacks =
          /"\$[A-Z]+"|SIM:|"QQQ\/SPY"|_days_ago|for_days|rhs_scale|rhs_offset|"weighting"|z-score|drawdown"|histogram|aroon|13612|correlation|beta/;
        // A drawdown of the tree may be the largest one, which Composer has.
        const text = JSON.stringify({ ...tree, name: '', description: '' }, (key, value: unknown) =>
          key === 'name' ? undefined : value,
        ).replaceAll('max-drawdown', '');
        expect(report.counts.lost > 0).toBe(lacks.test(text));
      }),
      { numRuns: 200 },
    );
  });
});

describe('what an export tells', () => {
  const lost = (tree: Algorithm, terms = {}) =>
    exportSymphony(tree, terms)
      .report.items.filter(({ kind }) => kind === 'lost')
      .map(({ said }) => said);

  test('which groups are saved strategies, in Composer and in text', () => {
    const plain = strategyOfText('group "Core" [SPY]');
    const [group] = plain.children;
    const tree = {
      ...plain,
      children: [{ ...group, source: { strategy_id: '01M7', revision: 3 } }],
    } as Algorithm;
    expect(lost(tree)).toEqual(['the saved strategy Core, revision 3']);
    expect(textLosses(tree)?.items.map(({ said }) => said)).toEqual(['the saved strategy Core, revision 3']);
    expect(textLosses(plain)).toBeNull();
    expect(lost(plain)).toEqual([]);
  });

  test('series that are no tickers', () => {
    expect(lost(strategyOfText('if Current Price(@VIXCLS) > 20 then SPY else TLT'))).toEqual([
      'the series @VIXCLS',
    ]);
  });

  test('how the strategy is run here', () => {
    const tree = strategyOfText('SPY');
    expect(lost(tree, { fill: 'next-close', cash: { rate: 4 }, indicatorPrices: 'raw' })).toEqual([
      'orders filled at the next close',
      'cash that earns 4% a year',
      expect.stringContaining('decisions read from'),
    ]);
    expect(lost(tree, { fill: 'close', cash: null, indicatorPrices: 'adjusted' })).toEqual([]);
  });
});

describe('the text language', () => {
  test('ours to text and back is the same strategy, ids and weights that mean nothing aside', () => {
    fc.assert(
      fc.property(anyStrategy().filter(hasAsset), (tree) => {
        const text = printStrategy(stored(tree));
        expect(withoutIds(imported(text)), text).toEqual(withoutIds(stored(tree)));
      }),
      { numRuns: 500 },
    );
  });

  test('what was printed prints the same again', () => {
    fc.assert(
      fc.property(anyStrategy().filter(hasAsset), (tree) => {
        const text = printStrategy(stored(tree));
        expect(printStrategy(imported(text))).toBe(text);
      }),
      { numRuns: 100 },
    );
  });
});
