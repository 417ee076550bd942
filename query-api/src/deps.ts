import type { IdSource } from '@quantloom/domain/kernel/ids';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { Billing } from '@quantloom/domain/ports/billing';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Outages } from '@quantloom/domain/ports/outages';
import type { PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import type { VerdictCores } from './analysis/verdict-core.ts';
import type { Consistency } from './consistency.ts';

/** What every read needs. */
export interface ReadDeps {
  readonly readModels: ReadModels;
  /** For histories, which are the log itself. */
  readonly eventStore: EventStore;
  readonly consistency: Consistency;
  readonly clock: Clock;
}

/** Everything the query API is built from. A route module names the parts it uses. */
export interface QueryApiDeps extends ReadDeps {
  readonly resultStore: ResultStore;
  /** Key of presigned links (HMAC-SHA-256), at least 32 bytes; the same in every process of the query API. */
  readonly linkSecret: Uint8Array;
  /** Public origin for presigned links, without a slash at the end; default: the request's own. */
  readonly publicOrigin?: string;
  readonly marketData: MarketData;
  readonly billing: Billing;
  readonly identity: Identity;
  /** True where administrators need a second factor for what only they may do. */
  readonly administratorsNeedSecondFactor?: boolean;
  /** For what messages to webhooks are signed with. */
  readonly webhooks: Pick<Webhooks, 'secretOf'>;
  readonly paperBrokers: Pick<PaperBrokers, 'open' | 'hasAlpaca'>;
  /** Counts requests by client; without it usage is shown as 0. */
  readonly rateLimits?: RateLimits;
  readonly backtestRunner: BacktestRunner;
  /** Verdicts that this process prepares by itself, where it does. */
  readonly verdicts?: VerdictCores;
  /** For the lag that administrators see. */
  readonly bus?: Pick<MessageBus, 'lag'>;
  /** Which servers are away; absent where none is needed. */
  readonly outages?: Outages;
  /** Random ULIDs, for what reads record: trials and errors. */
  readonly newId: IdSource;
}
