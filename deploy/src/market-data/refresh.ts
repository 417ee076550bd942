import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { type FetchResult, fetchPrices } from '@quantloom/adapters/market-data/providers/fetch-prices';
import type { PriceProvider } from '@quantloom/adapters/market-data/providers/provider';
import { day as dayNumber } from '@quantloom/domain/market-data/day';
import { lastClosedSession, nextOpening } from '@quantloom/domain/market-data/exchange-hours';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { Log } from '@quantloom/domain/ports/log';
import { Cron } from 'croner';
import { type MissingSession, missingSession, providerHas } from './missing-session.ts';

export interface RefreshOptions {
  readonly dataDir: string;
  readonly marketData: Pick<MarketDataFiles, 'assets' | 'current' | 'prune'>;
  readonly provider: PriceProvider;
  /** `HH:MM` UTC, on Mondays to Fridays. */
  readonly at: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Versions that batches refer to. */
  readonly versionsInUse: () => Promise<Iterable<string>>;
  /** Versions kept beside those in use; default 5. */
  readonly keep?: number;
  /** How long to wait for closes that are not there yet; default 20 minutes. */
  readonly retryEveryMs?: number;
}

export interface MarketDataRefresh {
  /**
   * Fetches now, as at the appointed time. A failure is logged, not thrown; where closes are missing then, it
   * is tried again.
   */
  run(): Promise<FetchResult | null>;
  nextRun(): Date | null;
  /** Ends a fetch under way (what it has fetched is kept) and all later ones. */
  stop(): Promise<void>;
}

/** File beside the versions that says when the last refresh came to its end (ISO 8601). */
const LAST_REFRESH = 'last-refresh';
/** Stands there while the first one of an installation has begun and not come to its end. */
const NONE_DONE = new Date(0);
const RETRY_EVERY_MS = 20 * 60_000;

/** The newest appointed time up to `now`: `HH:MM` UTC on Mondays to Fridays. */
function lastAppointed(at: string, now: Date): Date {
  const day = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  while (day > now || day.getUTCDay() === 0 || day.getUTCDay() === 6) day.setUTCDate(day.getUTCDate() - 1);
  return day;
}

/**
 * Keeps the series of one provider up to date every trading day. A refresh that was missed, because nothing
 * ran at its time or the process died on the way, is made up for at once, and one after which the closes of
 * the last session are not there is tried again until the exchange opens: otherwise a night's decisions would
 * all come a day late.
 */
export function startMarketDataRefresh(options: RefreshOptions): MarketDataRefresh {
  return new Refresh(options);
}

/** What is waited for, and how often it was asked for again. */
interface Waiting {
  readonly session: string;
  tries: number;
}

class Refresh implements MarketDataRefresh {
  readonly #options: RefreshOptions;
  readonly #stopped = new AbortController();
  readonly #file: string;
  readonly #job: Cron;
  #underway: Promise<FetchResult | null> | null = null;
  #waiting: Waiting | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: RefreshOptions) {
    this.#options = options;
    this.#file = path.join(options.dataDir, 'market-data', LAST_REFRESH);
    const [hour, minute] = options.at.split(':');
    this.#job = new Cron(
      `${Number(minute)} ${Number(hour)} * * 1-5`,
      { timezone: 'UTC', unref: true },
      async () => {
        await this.run();
      },
    );
    if (this.#wasMissed()) void this.run();
  }

  run(): Promise<FetchResult | null> {
    return this.#alone(() => this.#fetch());
  }

  nextRun(): Date | null {
    return this.#job.nextRun();
  }

  async stop(): Promise<void> {
    this.#job.stop();
    this.#stopped.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#underway;
  }

  #alone(work: () => Promise<FetchResult | null>): Promise<FetchResult | null> {
    this.#underway ??= work()
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'the refresh of market data did not come to its end');
        return null;
      })
      .finally(() => {
        this.#underway = null;
      });
    return this.#underway;
  }

  async #fetch(): Promise<FetchResult | null> {
    const { dataDir, provider, clock, log } = this.#options;
    let result: FetchResult | null = null;
    try {
      const now = clock.now();
      if (!existsSync(this.#file)) this.#note(NONE_DONE);
      result = await fetchPrices({ dataDir, provider, tickers: 'known', now, signal: this.#stopped.signal });
      const { changed, replaced, unchanged, failed } = result;
      log.info(
        { version: result.manifest?.version ?? null, changed, replaced, unchanged, failed: failed.length },
        'market data refreshed',
      );
      if (result.manifest) await this.#prune();
    } catch (error) {
      if (this.#stopped.signal.aborted) return null;
      // Once a night: the tries that follow find the same.
      if (this.#waiting?.session !== lastClosedSession(clock.now()))
        log.warn({ err: error }, 'market data were not refreshed; the version there is stays current');
    }
    const isComplete = await this.#isComplete();
    if (result && isComplete) this.#note();
    return result;
  }

  async #prune(): Promise<void> {
    const { marketData, keep = 5, clock, versionsInUse, log } = this.#options;
    const removed = await marketData.prune({ keep, now: clock.now(), versionsInUse });
    if (removed.length > 0) log.info({ removed }, 'old market data removed');
  }

  /** Whether the closes of the last session are there; where they are not, they are asked for again later. */
  async #isComplete(): Promise<boolean> {
    const missing = await this.#missing();
    if (missing) this.#tryAgain(missing.session);
    else this.#waiting = null;
    return missing === null;
  }

  async #missing(): Promise<MissingSession | null> {
    const { marketData, provider, clock, log } = this.#options;
    try {
      return await missingSession(marketData, provider, clock.now());
    } catch (error) {
      log.warn({ err: error }, 'it could not be seen how far the market data go');
      return null;
    }
  }

  #tryAgain(session: string): void {
    if (this.#stopped.signal.aborted) return;
    const { clock, log, retryEveryMs = RETRY_EVERY_MS } = this.#options;
    const until = nextOpening(dayNumber(session));
    const now = clock.now();
    if (this.#waiting?.session !== session) {
      this.#waiting = { session, tries: 0 };
      const minutes = Math.round(retryEveryMs / 60_000);
      log.warn(
        { session, until },
        `no closes for ${session} since ${minuteOf(now)}: asked for every ${minutes} minutes until ${minuteOf(until)}`,
      );
    }
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = now < until ? setTimeout(() => void this.#alone(() => this.#retry()), retryEveryMs) : null;
    this.#timer?.unref();
  }

  /**
   * Asks for one ticker first: a provider that has nothing yet, or is down, is not asked for all of them
   * again and again.
   */
  async #retry(): Promise<FetchResult | null> {
    const { provider, clock, log } = this.#options;
    const waiting = this.#waiting;
    // Another session may have closed meanwhile, where the machine has slept for example.
    if (waiting === null || lastClosedSession(clock.now()) !== waiting.session) return this.#fetch();
    const missing = await this.#missing();
    // Another process may have fetched it.
    if (missing === null) {
      this.#waiting = null;
      this.#note();
      return null;
    }
    const ticker = missing.tickers[waiting.tries++ % missing.tickers.length] ?? '';
    try {
      if (await providerHas(provider, ticker, missing.session, this.#stopped.signal)) return this.#fetch();
    } catch (error) {
      if (this.#stopped.signal.aborted) return null;
      log.info({ err: error, ticker }, 'closes were asked for again in vain');
    }
    this.#tryAgain(missing.session);
    return null;
  }

  #note(ended: Date = this.#options.clock.now()): void {
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, ended.toISOString());
  }

  /** False before the first refresh: an installation does not fetch because it is started for the first time. */
  #wasMissed(): boolean {
    const { at, clock } = this.#options;
    try {
      return new Date(readFileSync(this.#file, 'utf8')) < lastAppointed(at, clock.now());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return false;
    }
  }
}

const minuteOf = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
