import type { IdSource } from '@quantloom/domain/kernel/ids';
import type { StateCache } from '@quantloom/domain/kernel/state-cache';
import type { AnswerComparison } from '@quantloom/domain/ports/answer-comparison';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { Billing } from '@quantloom/domain/ports/billing';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { MarketDataImports } from '@quantloom/domain/ports/market-data-imports';
import type { PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import type { ReadModelProgress } from '@quantloom/http/read-own-writes';

/** What every command needs. */
export interface WriteDeps {
  readonly eventStore: EventStore;
  /** Answers kept for idempotency keys; read models that a command has to look at. */
  readonly readModels: ReadModels;
  readonly clock: Clock;
  /** Random (not monotonic) ULIDs for commands; a new thing gets the id of the command that makes it. */
  readonly newId: IdSource;
  /** Folded streams, so that a command reads only what is new. */
  readonly stateCache: StateCache;
  /**
   * Counts requests and bytes by client; without it usage is shown as 0, and only what is stored altogether
   * is limited.
   */
  readonly rateLimits?: RateLimits;
}

/** Everything the command API is built from. A route module names the parts it uses. */
export interface CommandApiDeps extends WriteDeps {
  readonly identity: Identity;
  /** Messages to addresses that users name. */
  readonly webhooks: Webhooks;
  /** Accounts of paper money. */
  readonly paperBrokers: PaperBrokers;
  readonly billing: Billing;
  readonly marketData: MarketData;
  /** Absent where files come by the command line only. */
  readonly marketDataImports?: MarketDataImports;
  readonly backtestRunner: BacktestRunner;
  /** Absent where an import is read without a look at prices. */
  readonly answerComparison?: AnswerComparison;
  /** Absent where nobody reads what was written, in tests of the write side alone. */
  readonly consistency?: ReadModelProgress;
  /** Addresses that strangers may put onto the waitlist in a day, all together; default 1,000. */
  readonly waitlistPerDay?: number;
  /** True for an embedded installation: its first account is administrator and on the API plan. */
  readonly firstAccountIsAdministrator?: boolean;
  /** True where API clients and everything public wait for a confirmed e-mail address. */
  readonly sharingNeedsConfirmedAddress?: boolean;
  /** True where administrators need a second factor for what only they may do. */
  readonly administratorsNeedSecondFactor?: boolean;
}
