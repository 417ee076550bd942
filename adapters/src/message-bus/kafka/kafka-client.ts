import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { KafkaMessageBusOptions } from './kafka-options.ts';

/** The libraries that can speak to Kafka for us. */
export const KAFKA_CLIENTS = ['kafkajs', 'platformatic'] as const;
export type KafkaClientName = (typeof KAFKA_CLIENTS)[number];

export interface KafkaClient {
  /** Resolves when brokers have answered. */
  openMessageBus(options: KafkaMessageBusOptions): Promise<MessageBus>;
  /** Whether an error of the client means that the brokers are away, or do not know yet who leads what. */
  isOutage(error: unknown): boolean;
}

/** Loads the library that is asked for, and not the other one. */
export async function loadKafkaClient(name: KafkaClientName): Promise<KafkaClient> {
  return name === 'kafkajs'
    ? await import('./kafkajs/kafkajs-message-bus.ts')
    : await import('./platformatic/platformatic-message-bus.ts');
}
