import type { DataSetManifest, MarketData } from '../ports/market-data.ts';
import { demoManifest, lastDayOfDemo } from './demo/demo-data-set.ts';

/**
 * A version by its name, undefined where it is gone. All of the demo's are there, whether they are listed or
 * not: they are made anew when they are asked for.
 */
export async function findVersion(
  marketData: Pick<MarketData, 'versions'>,
  version: string,
): Promise<DataSetManifest | undefined> {
  const lastDay = lastDayOfDemo(version);
  if (lastDay !== null) return demoManifest(lastDay);
  return (await marketData.versions()).find((one) => one.version === version);
}

/** Which versions are there. */
export interface KeptVersions {
  has(version: string): boolean;
}

/** The same for many names at a time. */
export async function keptVersions(marketData: Pick<MarketData, 'versions'>): Promise<KeptVersions> {
  const listed = new Set((await marketData.versions()).map(({ version }) => version));
  return { has: (version) => listed.has(version) || lastDayOfDemo(version) !== null };
}
