import { assetBlock, newAlgorithm, newBlock, newCondition } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm, BlockNode, ConditionNode, IfThenElseNode } from '@quantloom/domain/strategy/tree';

// The strategies of compute.py as the trees that are built by clicking.

let count = 0;
const newId = () => `known_${count++}`;
const asset = (ticker: string): BlockNode => assetBlock(newId, { ticker, name: ticker });
const tree = (root: Partial<Algorithm>, ...children: readonly BlockNode[]): Algorithm => ({
  ...newAlgorithm(newId),
  ...root,
  children,
});
const when = (
  condition: Partial<ConditionNode>,
  then: readonly BlockNode[],
  otherwise: readonly BlockNode[],
): BlockNode => ({
  ...(newBlock('if-then-else', newId) as IfThenElseNode),
  conditions: [{ ...newCondition(newId), ...condition }],
  then_children: then,
  else_children: otherwise,
});

const CR = { fn: 'cumulative-return', params: { window: 126 } } as const;

export const KNOWN: Readonly<Record<string, Algorithm>> = {
  'faber-monthly': tree(
    { rebalance: 'monthly' },
    when(
      {
        lhs_fn: 'current-price',
        lhs_val: 'SPY',
        rhs_fn: 'moving-average-price',
        rhs_fn_params: { window: 210 },
        rhs_val: 'SPY',
      },
      [asset('SPY')],
      [asset('BOND')],
    ),
  ),
  'dual-momentum-monthly': tree(
    { rebalance: 'monthly' },
    when(
      {
        lhs_fn: CR.fn,
        lhs_fn_params: CR.params,
        lhs_val: 'SPY',
        comparator: 'gte',
        rhs_fn: CR.fn,
        rhs_fn_params: CR.params,
        rhs_val: 'BOND',
      },
      [
        {
          ...newBlock('filter', newId),
          node_type: 'filter',
          sort: { fn: CR.fn, params: CR.params },
          select: { fn: 'top', num: 1 },
          children: [asset('SPY'), asset('QLTY')],
        },
      ],
      [asset('BOND')],
    ),
  ),
  'permanent-portfolio-corridor': tree(
    { rebalance: 'corridor', corridor: 2 },
    {
      ...newBlock('wt-cash-equal', newId),
      node_type: 'wt-cash-equal',
      children: ['SPY', 'BOND', 'SIM:GLD', 'FLAT'].map(asset),
    },
  ),
};
