import { INDICATOR_NAMES, INDICATORS } from '../../strategy/indicator.ts';
import type { IndicatorName } from '../../strategy/tree.ts';

/** Words that begin or join parts of a strategy: a ticker of the same letters is written `asset ALL`. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...[
    'strategy',
    'description',
    'rebalance',
    'group',
    'weight',
    'top',
    'bottom',
    'if',
    'then',
    'else',
    'asset',
    'cash',
  ],
  ...[
    'by',
    'of',
    'and',
    'or',
    'any',
    'all',
    'for',
    'days',
    'day',
    'ago',
    'on',
    'over',
    'weighted',
    'equally',
  ],
]);

/** Names that are understood besides the ones that the tree prints. */
const ALIASES: Readonly<Record<string, IndicatorName>> = {
  ma: 'moving-average-price',
  sma: 'moving-average-price',
  ema: 'exponential-moving-average-price',
  price: 'current-price',
  close: 'current-price',
  return: 'cumulative-return',
  drawdown: 'current-drawdown',
  volatility: 'standard-deviation-return',
  stdevprice: 'standard-deviation-price',
  stdevreturn: 'standard-deviation-return',
};

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const NAMES: ReadonlyMap<string, IndicatorName> = new Map([
  ...Object.entries(ALIASES),
  ...INDICATOR_NAMES.flatMap((fn) =>
    [fn, INDICATORS[fn].label.split(',')[0] ?? '', INDICATORS[fn].shortLabel].map(
      (name) => [plain(name), fn] as const,
    ),
  ),
]);

/** The function that a name means, letter case, spaces and hyphens aside; null where there is none. */
export function functionNamed(name: string): IndicatorName | null {
  return NAMES.get(plain(name)) ?? null;
}

/** The name that the tree prints. */
export function nameOfFunction(fn: IndicatorName): string {
  return INDICATORS[fn].shortLabel;
}

/** The known name that is nearest to a misspelt one, as the tree prints it; null where none is near. */
export function nearestFunction(name: string): string | null {
  const wanted = plain(name);
  let best: { readonly fn: IndicatorName; readonly distance: number } | null = null;
  for (const [known, fn] of NAMES) {
    const distance = editDistance(wanted, known);
    if (distance <= Math.max(1, wanted.length / 3) && (best === null || distance < best.distance))
      best = { fn, distance };
  }
  return best && nameOfFunction(best.fn);
}

/** Letters to insert, delete or replace (Wagner and Fischer 1974). */
function editDistance(left: string, right: string): number {
  if (left.length > 60 || right.length > 60) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
