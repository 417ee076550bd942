import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { type FetchResult, fetchPrices } from '@quantloom/adapters/market-data/providers/fetch-prices';
import type { PriceProvider } from '@quantloom/adapters/market-data/providers/provider';
import type { Clock } from '@quantloom/domain/ports/clock';
import { Cron } from 'croner';

export interface RefreshLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface RefreshOptions {
  readonly dataDir: string;
  readonly marketData: Pick<MarketDataFiles, 'prune'>;
  readonly provider: PriceProvider;
  /** `HH:MM` UTC, on Mondays to Fridays. */
  readonly at: string;
  readonly clock: Clock;
  readonly log: RefreshLog;
  /** Versions that batches refer to. */
  readonly versionsInUse: () => Promise<Iterable<string>>;
  /** Versions kept beside those in use; default 5. */
  readonly keep?: number;
}

export interface MarketDataRefresh {
  /** Fetches now, as at the appointed time. A failure is logged, not thrown: the next day tries again. */
  run(): Promise<FetchResult | null>;
  nextRun(): Date | null;
  /** Ends a fetch under way (what it has fetched is kept) and all later ones. */
  stop(): Promise<void>;
}

/** File beside the versions that says when the last refresh came to its end (ISO 8601). */
const LAST_REFRESH = 'last-refresh';

/** The newest appointed time up to `now`: `HH:MM` UTC on Mondays to Fridays. */
function lastAppointed(at: string, now: Date): Date {
  const day = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  while (day > now || day.getUTCDay() === 0 || day.getUTCDay() === 6) day.setUTCDate(day.getUTCDate() - 1);
  return day;
}

/**
 * Keeps the series of one provider up to date every trading day. A refresh that was missed, because nothing ran at its time or the process died on the way, is made
 * up for at once: otherwise a night's decisions would all come a day late.
 */
export function startMarketDataRefresh(options: RefreshOptions): MarketDataRefresh {
  const stopped = new AbortController();
  let underway: Promise<FetchResult | null> | null = null;

  const file = path.join(options.dataDir, 'market-data', LAST_REFRESH);
  const noteRefresh = (now: Date): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, now.toISOString());
  };
  /** False before the first refresh: an installation does not fetch because it is started for the first time. */
  const wasMissed = (): boolean => {
    try {
      return new Date(readFileSync(file, 'utf8')) < lastAppointed(options.at, options.clock.now());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return false;
    }
  };

  const once = async (): Promise<FetchResult | null> => {
    const { dataDir, provider, clock, log, marketData, keep = 5 } = options;
    try {
      const result = await fetchPrices({
        dataDir,
        provider,
        tickers: 'known',
        now: clock.now(),
        signal: stopped.signal,
      });
      noteRefresh(clock.now());
      const { changed, replaced, unchanged, failed } = result;
      log.info(
        { version: result.manifest?.version ?? null, changed, replaced, unchanged, failed: failed.length },
        'market data refreshed',
      );
      if (result.manifest) {
        const removed = await marketData.prune({
          keep,
          now: clock.now(),
          versionsInUse: options.versionsInUse,
        });
        if (removed.length > 0) log.info({ removed }, 'old market data removed');
      }
      return result;
    } catch (error) {
      if (!stopped.signal.aborted)
        log.warn({ err: error }, 'market data were not refreshed; the version there is stays current');
      return null;
    }
  };
  const run = () => {
    underway ??= once().finally(() => {
      underway = null;
    });
    return underway;
  };
  const [hour, minute] = options.at.split(':');
  const job = new Cron(
    `${Number(minute)} ${Number(hour)} * * 1-5`,
    { timezone: 'UTC', unref: true },
    async () => {
      await run();
    },
  );
  if (wasMissed()) void run();
  return {
    run,
    nextRun: () => job.nextRun(),
    stop: async () => {
      job.stop();
      stopped.abort();
      await underway;
    },
  };
}
