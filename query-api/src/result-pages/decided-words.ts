import { INDICATORS, parseIndicatorKey } from '@quantloom/domain/strategy/indicator';

/**
 * What decided a day, in the words of the tree: `MA Price(QQQ, 200)` of `QQQ-moving-average-price-200`, and
 * `QQQ` of itself. Ids of blocks mean nothing to a reader.
 */
export function decidedWords(decidedBy: readonly string[]): string {
  return [...new Set(decidedBy.map(wordsOf))].join(', ');
}

function wordsOf(key: string): string {
  const parsed = parseIndicatorKey(key);
  if (!parsed) return key;
  const { series, fn, params } = parsed;
  // Tickers are written in capitals.
  const names = series === series.toUpperCase() ? series.split('~') : ['a block'];
  return `${INDICATORS[fn].shortLabel}(${[...names, ...params].join(', ')})`;
}
