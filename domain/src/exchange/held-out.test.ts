import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anySymphony, type Said, saidBy } from '../../testing/exchange/any-symphony.ts';
import {
  type Choose,
  chooser,
  composerJson,
  ednOf,
  textForm,
} from '../../testing/exchange/symphony-files.ts';
import { isRefusal } from '../kernel/refusal.ts';
import type { Algorithm } from '../strategy/tree.ts';
import { nodesOf } from '../strategy/tree-walk.ts';
import { type ImportedSource, importSource } from './import-source.ts';

let count = 0;
const newId = () => {
  count += 1;
  return `node_${count}`;
};

function imported(given: unknown): ImportedSource {
  const result = importSource(given, newId);
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
}

/** What stands in a tree of ours, in the same lists. */
function saidByTree(algorithm: Algorithm): Said {
  const said: Said = { tickers: [], windows: [], thresholds: [], weights: [], counts: [] };
  const addWindow = (window: unknown) => window !== undefined && said.windows.push(Number(window));
  for (const { node, parent } of nodesOf(algorithm)) {
    if (parent?.node_type === 'wt-cash-specified')
      said.weights.push(Number(((Number(node.weight.num) / Number(node.weight.den)) * 100).toFixed(9)));
    if (node.node_type === 'asset') said.tickers.push(node.ticker);
    if (node.node_type === 'wt-inverse-volatility') addWindow(node.params.window);
    if (node.node_type === 'filter') {
      addWindow(node.sort.params.window);
      said.counts.push(Number(node.select.num));
    }
    if (node.node_type !== 'condition') continue;
    said.tickers.push(String(node.lhs_val));
    addWindow(node.lhs_fn_params.window);
    if (node.rhs_fixed_val) said.thresholds.push(Number(node.rhs_val));
    else {
      said.tickers.push(String(node.rhs_val));
      addWindow(node.rhs_fn_params.window);
    }
  }
  return said;
}

function sorted(said: Said): Said {
  const numbers = (list: readonly number[]) => [...list].sort((left, right) => left - right);
  return {
    tickers: [...said.tickers].sort(),
    windows: numbers(said.windows),
    thresholds: numbers(said.thresholds),
    weights: numbers(said.weights),
    counts: numbers(said.counts),
  };
}

/** How a text may be wrapped on its way here. */
function wrapped(node: object, choose: Choose): unknown {
  const text = JSON.stringify(node, null, choose(0, 2));
  return choose<unknown>(
    text,
    `\uFEFF${text.replaceAll('\n', '\r\n')}`,
    node,
    JSON.stringify({ symphony: node, capital: 10000 }),
    JSON.stringify({ id: 'x', fields: { score: text } }),
    JSON.stringify(text),
    text.replace(/\}(\s*)\]/g, '},$1]'),
    `// from the forum\n${text}`,
    `\`\`\`json\n${text}\n\`\`\``,
  );
}

describe('no number is changed or lost, however a file spells it', () => {
  const cases = () => fc.tuple(anySymphony(), fc.array(fc.nat(10_000), { minLength: 7, maxLength: 60 }));
  const check = (
    write: (
      given: ReturnType<typeof anySymphony> extends fc.Arbitrary<infer One> ? One : never,
      choose: Choose,
    ) => unknown,
  ) =>
    fc.assert(
      fc.property(cases(), ([block, numbers]) => {
        const { algorithm, report } = imported(write(block, chooser(numbers)));
        expect(report.items.filter(({ kind }) => kind === 'lost')).toEqual([]);
        expect(sorted(saidByTree(algorithm))).toEqual(sorted(saidBy(block)));
        expect(algorithm).toMatchObject({ rebalance: 'corridor', corridor: 5 });
        const told = report.items.map(({ said }) => said).join('\n');
        const source = JSON.stringify(write(block, chooser(numbers)));
        // Leftovers that mean nothing have a line each.
        for (const leftover of ['777', '888', '999', '666'])
          if (source.includes(leftover)) expect(told).toContain(leftover);
      }),
      { numRuns: 250 },
    );

  test('in JSON', () => {
    check((block, choose) => wrapped(composerJson(block, choose), choose));
  });

  test('in EDN', () => {
    check((block, choose) => {
      const edn = ednOf(composerJson(block, choose), choose);
      return choose(edn, `{:capital 10000.0, :symphony ${edn}}`, JSON.stringify(edn), `;; mine\n${edn}`);
    });
  });

  test('in the text form', () => {
    check((block, choose) => {
      const text = textForm(block, choose);
      return choose(
        text,
        text.replaceAll('\n', '\r\n'),
        JSON.stringify(text),
        JSON.stringify({ score: text }),
      );
    });
  });
});
