import { randomUUID } from 'node:crypto';
import type {
  BusMessage,
  BusSubscription,
  MessageBus,
  MessageContext,
} from '@quantloom/domain/ports/message-bus';
import { vi } from 'vitest';

/** A name that nobody else uses; real servers keep topics and groups between runs. */
export const fresh = (name: string) => `contract.${name}.${randomUUID().slice(0, 13)}`;
export const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
export const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 40_000, interval: 20 });
/** The number in a message of `publishNumbers`. */
export const n = (message: BusMessage) => (message.value as { n: number }).n;

/** What the contract's tests do again and again with the bus of the moment. */
export class ContractSteps {
  readonly #bus: () => MessageBus;
  #subscriptions: BusSubscription[] = [];

  constructor(bus: () => MessageBus) {
    this.#bus = bus;
  }

  readonly topicWith = async (partitions: number): Promise<string> => {
    const topic = fresh('topic');
    await this.#bus().ensureTopics([{ name: topic, partitions }]);
    return topic;
  };

  /** In a group of its own unless one is named; closed after the test. */
  readonly subscribe = async (
    options: Partial<Parameters<MessageBus['subscribe']>[0]> & { topics: string[] },
    handler: (message: BusMessage, context: MessageContext) => Promise<void> | void,
    on = this.#bus(),
  ): Promise<BusSubscription> => {
    const full = { group: fresh('group'), ...options };
    const subscription = await on.subscribe(full, async (message, context) => handler(message, context));
    this.#subscriptions.push(subscription);
    return subscription;
  };

  readonly publishNumbers = (
    topic: string,
    from: number,
    to: number,
    key = (each: number) => `k${each}`,
  ): Promise<void> =>
    this.#bus().publish(
      topic,
      numbers(to - from).map((i) => ({ key: key(from + i), value: { n: from + i } })),
    );

  async closeAll(): Promise<void> {
    await Promise.all(this.#subscriptions.map((subscription) => subscription.close()));
    this.#subscriptions = [];
  }
}
