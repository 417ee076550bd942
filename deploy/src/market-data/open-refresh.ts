import type { MarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Log } from '@quantloom/domain/ports/log';
import type { Config } from '../config.ts';
import type { MovingDemo, MovingDemoOptions } from './moving-demo.ts';
import type { MarketDataRefresh } from './refresh.ts';
import { versionsInUse } from './versions-in-use.ts';

export interface RefreshDeps {
  readonly marketData: Pick<MarketDataFiles, 'assets' | 'current' | 'prune'>;
  readonly eventStore: Pick<EventStore, 'readAll'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * The daily refresh that `MARKET_DATA_PROVIDER` and `MARKET_DATA_REFRESH_AT` ask for, or null where one of
 * them is missing. Rejects at start where the provider is unknown or its key is missing. What it needs is
 * loaded only then.
 */
export async function openMarketDataRefresh(
  config: Pick<Config, 'DATA_DIR' | 'MARKET_DATA_PROVIDER' | 'MARKET_DATA_REFRESH_AT'>,
  deps: RefreshDeps,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<MarketDataRefresh | null> {
  const { DATA_DIR: dataDir, MARKET_DATA_PROVIDER: id, MARKET_DATA_REFRESH_AT: at } = config;
  if (!id || !at) return null;
  const [{ openProvider }, { startMarketDataRefresh }] = await Promise.all([
    import('@quantloom/adapters/market-data/providers/open-provider'),
    import('./refresh.ts'),
  ]);
  const { marketData, eventStore, clock, log } = deps;
  return startMarketDataRefresh({
    dataDir,
    marketData,
    provider: openProvider(id, env),
    at,
    clock,
    log,
    versionsInUse: () => versionsInUse(eventStore),
  });
}

/** Lets the demo data set go on day by day, unless `DEMO_DATA_MOVES` says that it stays as it is. */
export async function openMovingDemo(
  config: Pick<Config, 'DEMO_DATA_MOVES'>,
  { marketData, clock, log }: Pick<RefreshDeps, 'clock' | 'log'> & Pick<MovingDemoOptions, 'marketData'>,
): Promise<MovingDemo | null> {
  if (!config.DEMO_DATA_MOVES) return null;
  const { startMovingDemo } = await import('./moving-demo.ts');
  return startMovingDemo({ marketData, clock, log });
}
