import type { AssetResult } from './asset-search.ts';

const KEY = 'recentAssets';
const KEPT = 8;

function isAsset(value: unknown): value is AssetResult {
  const { ticker, name, kind } = (value ?? {}) as Partial<AssetResult>;
  return typeof ticker === 'string' && typeof name === 'string' && kind === 'asset';
}

/**
 * The assets that were picked last in this browser, the latest first; those that `isKnown` does not know are
 * left out.
 */
export function recentAssets(isKnown: (asset: AssetResult) => boolean): readonly AssetResult[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isAsset).filter(isKnown).slice(0, KEPT) : [];
  } catch {
    // Unreadable or refused storage: nothing is offered before one searches.
    return [];
  }
}

/**
 * Puts an asset first among those that were picked last. Variables and ratios belong to one strategy and are
 * not kept.
 */
export function rememberAsset(asset: AssetResult): void {
  if (asset.kind !== 'asset') return;
  const others = recentAssets(({ ticker }) => ticker !== asset.ticker);
  try {
    localStorage.setItem(KEY, JSON.stringify([asset, ...others].slice(0, KEPT)));
  } catch {
    // Refused storage: a convenience less.
  }
}
