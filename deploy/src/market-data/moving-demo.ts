import { MarketDataError } from '@quantloom/adapters/market-data/files/market-data-error';
import type { MarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { EXCHANGE_TIME_ZONE } from '@quantloom/domain/market-data/exchange-day';
import { lastClosedSession } from '@quantloom/domain/market-data/exchange-hours';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { Log } from '@quantloom/domain/ports/log';
import { Cron } from 'croner';

export interface MovingDemoOptions {
  readonly marketData: Pick<MarketDataFiles, 'moveDemoTo'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** How long to wait where somebody else is changing the market data; default 10 minutes. */
  readonly retryEveryMs?: number;
}

export interface MovingDemo {
  /** Goes on to the last session that has closed, in one step. A failure is logged, not thrown, and tried again. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/** Five minutes past the close of the exchange, by its own clock. */
const AFTER_THE_CLOSE = '5 16 * * 1-5';
const RETRY_EVERY_MS = 10 * 60_000;

/**
 * Lets the demo data set go on by a day after each session of the exchange, so that what is followed on it is
 * decided night by night, as on real prices. It catches up at once when it starts, and leaves an installation
 * alone whose prices are somebody else's.
 */
export function startMovingDemo(options: MovingDemoOptions): MovingDemo {
  const { marketData, clock, log, retryEveryMs = RETRY_EVERY_MS } = options;
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  let underway = Promise.resolve();

  const move = async (): Promise<void> => {
    if (timer) clearTimeout(timer);
    if (isStopped) return;
    try {
      const moved = await marketData.moveDemoTo(lastClosedSession(clock.now()));
      if (moved) log.info({ version: moved.version }, `simulated prices go on to ${moved.lastDay}`);
    } catch (error) {
      // An import is under way, or another process does the same.
      const isBusy = error instanceof MarketDataError && error.code === 'import_running';
      log[isBusy ? 'info' : 'warn']({ err: error }, 'simulated prices did not go on; it is tried again');
      timer = setTimeout(() => void run(), retryEveryMs);
      timer.unref();
    }
  };
  const run = (): Promise<void> => {
    underway = underway.then(move);
    return underway;
  };
  const job = new Cron(AFTER_THE_CLOSE, { timezone: EXCHANGE_TIME_ZONE, unref: true }, run);
  void run();
  return {
    run,
    stop: async () => {
      isStopped = true;
      job.stop();
      if (timer) clearTimeout(timer);
      await underway;
      if (timer) clearTimeout(timer);
    },
  };
}
