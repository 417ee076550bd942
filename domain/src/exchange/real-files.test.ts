import { describe, expect, test } from 'vitest';
import { type Multiset, numbersOfText, realFiles } from '../../testing/exchange/source-numbers.ts';
import { numbersOfTree } from '../../testing/exchange/tree-numbers.ts';
import { isRefusal } from '../kernel/refusal.ts';
import { validateAlgorithm } from '../strategy/validation.ts';
import { importSource } from './import-source.ts';

const files = realFiles();
let count = 0;
const newId = () => {
  count += 1;
  return `node_${count}`;
};

/** What stands more often in the source than in the tree, `value × times`, and the other way round. */
function differences(
  source: Multiset,
  tree: Multiset,
): { readonly lost: string[]; readonly added: string[] } {
  const more = (left: Multiset, right: Multiset) =>
    Object.entries(left).flatMap(([value, times]) => {
      const surplus = times - (right[value] ?? 0);
      return surplus > 0 ? Array.from({ length: surplus }, () => value) : [];
    });
  return { lost: more(source, tree), added: more(tree, source) };
}

describe.skipIf(files.size === 0)(
  'real files (shared/symphonies; skipped where the folder is absent)',
  () => {
    test.each([...files].filter(([name]) => name !== 'weird.edn'))(
      '%s can run, and every number is accounted for',
      (_, text) => {
        const imported = importSource(text, newId);
        if (isRefusal(imported)) throw new Error(imported.detail);
        expect(validateAlgorithm(imported.algorithm)).toEqual([]);
        expect(imported.report.counts.lost).toBe(0);
        const [source, tree] = [numbersOfText(text), numbersOfTree(imported.algorithm)];
        const told = imported.report.items.map(({ said }) => said).join('\n');
        for (const kind of ['tickers', 'windows', 'thresholds', 'weights'] as const) {
          const { lost, added } = differences(source[kind], tree[kind]);
          expect(added, kind).toEqual([]);
          for (const value of lost) expect(told, `${kind} ${value}`).toMatch(new RegExp(`\\b${value}\\b`));
        }
      },
    );

    test('weird.edn is told from a strategy: an answer without one', () => {
      const refused = importSource(files.get('weird.edn') ?? '', newId);
      expect(refused).toMatchObject({
        code: 'no_strategy_found',
        detail: expect.stringContaining('answer of a Composer backtest'),
      });
    });
  },
);
