import { removeNode } from '@quantloom/domain/strategy/edit';
import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import { blockNames, keyText, tickersOfKey } from '@quantloom/domain/strategy/indicator-words';
import type { NewNodeId } from '@quantloom/domain/strategy/node-factory';
import { forEachTickerPlace } from '@quantloom/domain/strategy/ticker-places';
import type { Algorithm, ConditionNode, TreeNode } from '@quantloom/domain/strategy/tree';
import { nodesOf, SLOTS, slotOf } from '@quantloom/domain/strategy/tree-walk';
import { validateAlgorithm } from '@quantloom/domain/strategy/validation';

/** The strategy with less of what made a backtest start late or end early. */
export interface PeriodVariant {
  /** `without UVXY`, `with SIM:UVXY`. */
  readonly label: string;
  /** Of the strategy that was run. */
  readonly algorithm: Algorithm;
  /** Does the same to the strategy as it is by now; the very same where nothing of it is left to change. */
  readonly applyTo: (algorithm: Algorithm) => Algorithm;
}

const SIMULATED = 'SIM:';

const sidesOf = (value: unknown): string[] =>
  typeof value === 'string' ? value.split('/').map((side) => side.trim().toUpperCase()) : [];

/**
 * The tickers of a strategy that stand in the keys of what decided a day: `UVXY`,
 * `UVXY/SPY-moving-average-price-20`, `SPY~TLT-beta-60`.
 */
export function decidingTickers(algorithm: Algorithm, decidedBy: readonly string[]): readonly string[] {
  const named = new Set(decidedBy.flatMap(tickersOfKey));
  return [...tickersOf(algorithm)].filter((ticker) => !ticker.startsWith('$') && named.has(ticker));
}

function tickersOf(algorithm: Algorithm): ReadonlySet<string> {
  const used = new Set<string>();
  forEachTickerPlace(algorithm, (value) => {
    for (const side of sidesOf(value)) used.add(side);
  });
  return used;
}

/** Why a backtest starts or ends on its day, in a sentence, from what decided that. */
export function reasonWords(
  algorithm: Algorithm,
  decidedBy: readonly string[],
  end: 'first' | 'last',
): string {
  if (decidedBy.length === 0)
    return end === 'first'
      ? 'It is the first day that was asked for.'
      : 'It is the last day that was asked for, or the last with prices.';
  const blocks = blockNames(algorithm);
  const all = decidedBy.map((key) => keyText(key, blocks)).join(', ');
  const tickers = decidingTickers(algorithm, decidedBy).join(', ');
  const what = tickers !== '' && tickers !== all ? `${tickers} (${all})` : all;
  return end === 'first'
    ? `No day before has all that the strategy needs of ${what}.`
    : `No day after has a price of ${what}.`;
}

/**
 * The ways to a longer period: each deciding ticker left out, or in its simulated form where there is one.
 * What would not run is left out, and what holds nothing would not.
 */
export function periodVariants(
  algorithm: Algorithm,
  decidedBy: readonly string[],
  newId: NewNodeId,
  isKnown: (ticker: string) => boolean,
): readonly PeriodVariant[] {
  return decidingTickers(algorithm, decidedBy).flatMap((ticker) => {
    const simulated = SIMULATED + ticker;
    const variant = (label: string, applyTo: PeriodVariant['applyTo']): PeriodVariant => ({
      label,
      algorithm: applyTo(algorithm),
      applyTo,
    });
    const found = [variant(`without ${ticker}`, (tree) => without(tree, ticker, newId))];
    if (!ticker.startsWith(SIMULATED) && isKnown(simulated))
      found.push(variant(`with ${simulated}`, (tree) => replaced(tree, ticker, simulated)));
    return found.filter(({ algorithm: changed }) => validateAlgorithm(changed).length === 0);
  });
}

const seriesOf = (node: ConditionNode): readonly unknown[] => [
  node.lhs_val,
  node.lhs_fn && INDICATORS[node.lhs_fn].isPair ? node.lhs_fn_params.with : null,
  ...(node.rhs_fixed_val
    ? []
    : [node.rhs_val, node.rhs_fn && INDICATORS[node.rhs_fn].isPair ? node.rhs_fn_params.with : null]),
];

function names(node: TreeNode, ticker: string): boolean {
  if (node.node_type === 'asset') return node.ticker.toUpperCase() === ticker;
  return node.node_type === 'condition' && seriesOf(node).some((value) => sidesOf(value).includes(ticker));
}

/** Without the assets and the conditions that name a ticker. */
function without(algorithm: Algorithm, ticker: string, newId: NewNodeId): Algorithm {
  const ids = Array.from(nodesOf(algorithm), ({ node }) => node)
    .filter((node) => names(node, ticker))
    .map(({ id }) => id);
  return ids.reduce((tree, id) => removeNode(tree, id, newId), algorithm);
}

function replaced(algorithm: Algorithm, ticker: string, by: string): Algorithm {
  if (!tickersOf(algorithm).has(ticker)) return algorithm;
  const swap = <Value>(value: Value): Value | string =>
    typeof value === 'string' && sidesOf(value).includes(ticker)
      ? value
          .split('/')
          .map((side) => (side.trim().toUpperCase() === ticker ? by : side))
          .join('/')
      : value;
  const change = (node: TreeNode): TreeNode => {
    const copy: Record<string, unknown> = { ...node };
    if (node.node_type === 'asset' && names(node, ticker)) Object.assign(copy, { ticker: by, name: by });
    if (node.node_type === 'condition') {
      const params = (given: ConditionNode['lhs_fn_params']) =>
        given.with === undefined ? given : { ...given, with: swap(given.with) };
      Object.assign(copy, {
        lhs_val: swap(node.lhs_val),
        lhs_fn_params: params(node.lhs_fn_params),
        rhs_fn_params: params(node.rhs_fn_params),
        ...(!node.rhs_fixed_val && { rhs_val: swap(node.rhs_val) }),
      });
    }
    for (const slot of SLOTS) if (slot in node) copy[slot] = slotOf(node, slot).map(change);
    return copy as unknown as TreeNode;
  };
  return change(algorithm) as Algorithm;
}
