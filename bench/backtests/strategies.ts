import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { generator } from '../engine/synthetic-market.ts';
import {
  asset,
  condition,
  either,
  equal,
  filter,
  group,
  inverse,
  root,
  type Side,
  specified,
} from '../engine/trees.ts';

const FUNCTIONS = [
  'relative-strength-index',
  'cumulative-return',
  'standard-deviation-return',
  'max-drawdown',
  'moving-average-return',
] as const;
const AVERAGES = ['moving-average-price', 'exponential-moving-average-price'] as const;

/** Strategies of ten assets, of every kind of block in every mixture, no two alike; the same ones for the same seed. */
export function strategies(tickers: readonly string[], count: number, seed = 11): Algorithm[] {
  const random = generator(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(choices: readonly T[]) => choices[below(choices.length)] as T;
  const window = () => 5 + below(120);
  const side = (): Side => [one(FUNCTIONS), window(), one(tickers)];
  const test = () => {
    const ticker = random() < 0.3 ? `${one(tickers)}/SPY` : one(tickers);
    return one([
      () => condition(side(), one(['gt', 'lt']), side()),
      () => condition(['current-price', 1, ticker], 'gt', [one(AVERAGES), window(), ticker]),
      () => condition(['relative-strength-index', window(), ticker], 'lt', 30 + below(40)),
      () => condition(['z-score', window(), ticker], 'gt', 1),
    ])();
  };
  const tree = (names: readonly string[]): BlockNode => {
    const leaves = names.map(asset);
    if (names.length < 3) return equal(...leaves);
    const half = Math.floor(names.length / 2);
    const parts = () => [tree(names.slice(0, half)), tree(names.slice(half))] as const;
    return one([
      () => either([test(), test()], ...parts(), one(['allOf', 'anyOf'])),
      () => either(test(), ...parts()),
      () => filter(one(FUNCTIONS), window(), one(['top', 'bottom']), 1 + below(2), ...leaves),
      () => filter(one(FUNCTIONS), window(), 'top', 1, ...parts().map((part) => group(part))),
      () => inverse(window(), ...leaves),
      () => inverse(window(), ...parts()),
      () => specified(...parts().map((part): [number, BlockNode] => [50, part])),
      () => equal(...parts()),
    ])();
  };
  return Array.from({ length: count }, () => {
    const from = below(tickers.length - 9);
    return root(tree(tickers.slice(from, from + 10)));
  });
}
