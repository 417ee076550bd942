import type { IdSource } from '@quantloom/domain/kernel/ids';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { Consistency } from './consistency.ts';

/** What every read needs. */
export interface ReadDeps {
  readonly readModels: ReadModels;
  /** For histories, which are the log itself. */
  readonly eventStore: EventStore;
  readonly consistency: Consistency;
  readonly clock: Clock;
}

/** What reads of results need. */
export interface ResultReadDeps extends ReadDeps {
  readonly resultStore: ResultStore;
  /** Key of presigned links (HMAC-SHA-256), at least 32 bytes; the same in every process of the query API. */
  readonly linkSecret: Uint8Array;
  /** Public origin for presigned links, without a slash at the end; default: the request's own. */
  readonly publicOrigin?: string;
  /** Counts requests by client and uses of links; without it usage is shown as 0, and nothing is limited (tests). */
  readonly rateLimits?: RateLimits;
}

/** What reads need that run backtests again. */
export interface RecomputeDeps extends ResultReadDeps {
  readonly backtestRunner: BacktestRunner;
  /** Random ULIDs, for what reads record: trials and errors. */
  readonly newId: IdSource;
}
