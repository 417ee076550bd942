import type { Billing } from '@quantloom/domain/ports/billing';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Outages } from '@quantloom/domain/ports/outages';
import type { PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import type { VerdictCores } from './analysis/verdict-core.ts';
import type { RecomputeDeps } from './deps.ts';

/** Everything the query API is built from. A route module names the parts it uses. */
export interface QueryApiDeps extends RecomputeDeps {
  readonly marketData: MarketData;
  readonly billing: Billing;
  readonly identity: Identity;
  /** True where administrators need a second factor for what only they may do. */
  readonly administratorsNeedSecondFactor?: boolean;
  /** For what messages to webhooks are signed with. */
  readonly webhooks: Pick<Webhooks, 'secretOf'>;
  readonly paperBrokers: Pick<PaperBrokers, 'open' | 'hasAlpaca'>;
  /** Verdicts that this process prepares by itself, where it does. */
  readonly verdicts?: VerdictCores;
  /** For the lag that administrators see. */
  readonly bus?: Pick<MessageBus, 'lag'>;
  /** Which servers are away; absent where none is needed. */
  readonly outages?: Outages;
}
