import type { Algorithm, BlockNode, GroupNode } from '@quantloom/domain/strategy/tree';
import { asset, condition, either, equal, filter, group, inverse, root, specified } from '../engine/trees.ts';
import { tickers } from '../engine/workloads.ts';

const TICKERS = tickers(0, 10);

function some(from: number, count: number): BlockNode[] {
  return Array.from({ length: count }, (_, i) => asset(TICKERS[(from + i) % TICKERS.length] as string));
}

function named(name: string, ...children: BlockNode[]): BlockNode {
  return { ...group(...children), name } as GroupNode;
}

/** One group of twenty blocks, every kind of block among them. */
function section(index: number): BlockNode {
  return named(
    `Section ${index}`,
    either(
      condition(['relative-strength-index', 10, 'SPY'], 'gt', 50 + (index % 30)),
      specified(...some(index, 4).map((one): [number, BlockNode] => [25, one])),
      filter('cumulative-return', 60, 'top', 2, ...some(index + 4, 4)),
    ),
    inverse(20, ...some(index, 3)),
    equal(...some(index + 3, 2)),
  );
}

/** A strategy of 2,000 blocks and its root: what somebody ends up with after years of cloning and pasting. */
export function largeTree(): Algorithm {
  const sections = Array.from({ length: 100 }, (_, index) => section(index));
  return { ...root(equal(...sections)), name: 'Large' };
}
