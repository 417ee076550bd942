import type { BusMessage, OutgoingMessage } from '@quantloom/domain/ports/message-bus';

/** Where messages go that no delivery could handle. */
export const deadTopicOf = (topic: string): string => `${topic}.dead`;

/**
 * The message as it goes to the dead-letter topic: unchanged, with what went wrong and where it came from in
 * its headers.
 */
export function deadLetter(message: BusMessage, group: string, error: unknown): OutgoingMessage {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    key: message.key,
    value: message.value,
    headers: {
      ...message.headers,
      'dead-error': reason.slice(0, 2000),
      'dead-group': group,
      'dead-topic': message.topic,
      'dead-partition': String(message.partition),
      'dead-offset': String(message.offset),
      'dead-deliveries': String(message.deliveryAttempt),
    },
  };
}

/**
 * Delay before the next delivery: doubles from `firstMs` up to `maxMs`, a fifth of it random so that many
 * retries spread out.
 */
export function retryDelayMs(attempt: number, firstMs: number, maxMs: number, random = Math.random): number {
  const delay = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return delay * (0.8 + 0.2 * random());
}
