import type { BusMessage, MessageBus, MessageContext } from '@quantloom/domain/ports/message-bus';
import { expect, it } from 'vitest';
import { DEFAULT_CLUSTER_NAME } from '../config.ts';
import { namedBus } from './named-bus.ts';

type Handler = (message: BusMessage, context: MessageContext) => Promise<void>;

/** Brokers that say what they were asked, and hand over one message of each topic. */
function brokers() {
  const asked: unknown[] = [];
  const bus = {
    ensureTopics: async (topics: unknown) => void asked.push(topics),
    publish: async (topic: string, messages: unknown) => void asked.push([topic, messages]),
    subscribe: async (options: { topics: readonly string[] }, handler: Handler) => {
      asked.push(options);
      for (const topic of options.topics) await handler({ topic, key: 'k' } as BusMessage, CONTEXT);
    },
    lag: async (group: string, topic: string) => {
      asked.push([group, topic]);
      return 3;
    },
    outside: () => ['second.compute'],
    close: async () => void asked.push('closed'),
  } as unknown as MessageBus;
  return { bus, asked };
}
const CONTEXT = { signal: AbortSignal.any([]), heartbeat: async () => {} } as MessageContext;

it('a cluster with a name of its own begins topics and groups with it, and sees its messages without', async () => {
  const { bus, asked } = brokers();
  const named = namedBus(bus, 'second');
  await named.ensureTopics([{ name: 'jobs', partitions: 4 }]);
  await named.publish('jobs', []);
  const seen: unknown[] = [];
  await named.subscribe(
    { group: 'compute', topics: ['jobs', 'quick.jobs'], concurrency: 2, maxDeliveries: 3 },
    async ({ topic, key }, context) => void seen.push([topic, key, context]),
  );
  expect(await named.lag('compute', 'jobs')).toBe(3);
  await named.close();
  expect(asked).toEqual([
    [{ name: 'second.jobs', partitions: 4 }],
    ['second.jobs', []],
    {
      group: 'second.compute',
      topics: ['second.jobs', 'second.quick.jobs'],
      concurrency: 2,
      maxDeliveries: 3,
    },
    ['second.compute', 'second.jobs'],
    'closed',
  ]);
  expect(seen).toEqual([
    ['jobs', 'k', CONTEXT],
    ['quick.jobs', 'k', CONTEXT],
  ]);
  expect(named.outside()).toEqual(['compute']);
});

it('one of the usual name has no prefix', () => {
  const { bus } = brokers();
  expect(namedBus(bus, DEFAULT_CLUSTER_NAME)).toBe(bus);
});
