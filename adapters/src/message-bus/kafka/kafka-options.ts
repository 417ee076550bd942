import type { ConnectionOptions } from 'node:tls';
import type { KafkaSubscriptionSettings } from './kafka-subscription.ts';

/** How a bus reaches its brokers and how it works there, whichever client does it. */
export interface KafkaMessageBusOptions extends Partial<KafkaSubscriptionSettings> {
  /** `host:port`, several separated by commas. */
  readonly brokers: string;
  readonly clientId?: string;
  /** Brokers are reached over TLS; `{}`: with the authorities that Node knows. */
  readonly ssl?: ConnectionOptions;
  readonly sasl?: KafkaSasl;
  /** Replicas of topics that are created (default: the broker's). */
  readonly replicationFactor?: number;
  /**
   * Replicas that must have a message before it counts as stored, on topics that are created (default: the
   * broker's, which is usually one).
   */
  readonly minInsyncReplicas?: number | undefined;
  /**
   * A process that says nothing for this long loses its partitions, in ms (default 6,000, the least that a
   * broker allows by itself).
   */
  readonly sessionTimeoutMs?: number;
}

export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/**
 * How often a member says that it is there, in ms: members learn of a rebalance by it, and all wait for the
 * last one.
 */
export const heartbeatIntervalMs = (sessionTimeoutMs: number): number =>
  Math.min(1000, Math.floor(sessionTimeoutMs / 5));

/**
 * The whole group waits this long for a member that was killed, also for the one that comes back in its
 * place: with ten seconds, a node that dies every ten seconds keeps all others from taking jobs.
 */
export const SESSION_TIMEOUT_MS = 6_000;

export const brokersOf = (brokers: string): string[] => brokers.split(',').map((broker) => broker.trim());

/**
 * A fetch that finds nothing waits this long at the broker, in ms; what comes meanwhile ends it. Members
 * notice rebalances, pauses and their own end only between fetches. A node has five consumers, so that with a
 * tenth of a second it would ask fifty times a second for nothing.
 */
export const FETCH_WAIT_MS = 250;

/** What a topic is created with beyond its partitions and replicas. */
export function topicSettings({
  minInsyncReplicas,
}: Pick<KafkaMessageBusOptions, 'minInsyncReplicas'>): readonly {
  readonly name: string;
  readonly value: string;
}[] {
  return minInsyncReplicas === undefined
    ? []
    : [{ name: 'min.insync.replicas', value: String(minInsyncReplicas) }];
}

export function subscriptionSettings(options: KafkaMessageBusOptions): KafkaSubscriptionSettings {
  return {
    handlerTimeoutMs: options.handlerTimeoutMs ?? 30_000,
    firstRetryMs: options.firstRetryMs ?? 100,
    maxRetryMs: options.maxRetryMs ?? 30_000,
    onError:
      options.onError ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error))),
  };
}
