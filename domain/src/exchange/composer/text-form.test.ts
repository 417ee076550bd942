import { expect, test } from 'vitest';
import { isRefusal } from '../../kernel/refusal.ts';
import { importSource } from '../import-source.ts';

const read = (text: string) => {
  let count = 0;
  const result = importSource(text, () => {
    count += 1;
    return `n${count}`;
  });
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
};

test('the text form is read with all of its blocks, each number as it stands', () => {
  const { algorithm, report } = read(`
    (defsymphony "Small one" {:asset-class "EQUITIES", :rebalance-threshold 0.05}
      (weight-specified 0.07 (asset "SPY" "S&P 500")
                        93/100 (group "Rest" [(weight-inverse-volatility 20
                          [(if (>= (rsi "QQQ" {:window 10}) 79.5)
                             [(asset "BRK.B" "Berkshire")]
                             [(filter (stdev-return {:window 6}) (select-bottom 2) [(asset "TLT") (asset "GLD")])])])])))`);
  expect(algorithm).toMatchObject({
    name: 'Small one',
    rebalance: 'corridor',
    corridor: 5,
    children: [
      {
        node_type: 'wt-cash-specified',
        children: [
          { ticker: 'SPY', weight: { num: 7, den: 100 } },
          {
            node_type: 'group',
            weight: { num: 93, den: 100 },
            children: [
              {
                node_type: 'wt-inverse-volatility',
                params: { window: 20 },
                children: [
                  {
                    conditions: [{ comparator: 'gte', rhs_val: 79.5, lhs_fn_params: { window: 10 } }],
                    then_children: [{ ticker: 'BRK-B' }],
                    else_children: [
                      {
                        sort: { fn: 'standard-deviation-return', params: { window: 6 } },
                        select: { fn: 'bottom', num: 2 },
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
  expect(report.counts).toMatchObject({ guessed: 0, lost: 0 });
});

test('places are lines and columns, also in a file that is called something else', () => {
  const { report } = read('(defsymphony "x" {}\n  (weight-equal [(asset "SPY") (moon-phase "TLT")]))');
  expect(report.items.find(({ kind }) => kind === 'lost')).toMatchObject({
    path: 'line 2, column 32',
    said: 'the block "moon-phase" ["TLT"]',
  });
});

test('conditions that are joined become groups', () => {
  const { algorithm } = read(
    '(if (or (> (rsi "A" {:window 2}) 1) (and (< (current-price "B") 2) (= (rsi "C" {:window 3}) ' +
      '3))) [(asset "SPY")] [])',
  );
  expect(algorithm.children).toMatchObject([
    {
      condition_type: 'anyOf',
      conditions: [
        { lhs_val: 'A' },
        { condition_type: 'allOf', conditions: [{ lhs_val: 'B' }, { lhs_val: 'C' }] },
      ],
    },
  ]);
});
