import { readFileSync } from 'node:fs';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { describe, expect, it } from 'vitest';
import { messageBusContract } from '../../../testing/message-bus/contract.ts';
import { KAFKA_CLIENTS, loadKafkaClient } from './kafka-client.ts';
import type { KafkaMessageBusOptions, KafkaSasl } from './kafka-options.ts';
import { kafkaProbe } from './outage.ts';

const { SECURED_KAFKA_BROKERS: brokers = '', SECURED_KAFKA_CA_FILE: caFile = '' } = process.env;
const { SECURED_KAFKA_USERNAME: username = '', SECURED_KAFKA_PASSWORD: password = '' } = process.env;
const isMissing = [brokers, caFile, username, password].includes('');

/**
 * A broker that speaks only SASL over TLS, with the mechanisms PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512 for one
 * user. Not one of the usual servers: the environment says where it is.
 */
describe.skipIf(isMissing)(
  `Kafka over TLS with SASL${isMissing ? ': skipped, SECURED_KAFKA_* is not set' : ''}`,
  () => {
    const ssl = isMissing ? {} : { ca: [readFileSync(caFile, 'utf8')] };
    const as = (mechanism: KafkaSasl['mechanism'], secret = password) =>
      ({ brokers, ssl, sasl: { mechanism, username, password: secret } }) satisfies KafkaMessageBusOptions;

    it('is seen to be there over TLS, and not over a plain connection', async () => {
      const { signal } = new AbortController();
      await expect(kafkaProbe(brokers, ssl).check(signal)).resolves.toBeUndefined();
      await expect(kafkaProbe(brokers, null).check(AbortSignal.timeout(5_000))).rejects.toThrow(
        'Kafka is not reached',
      );
    });

    describe.each(KAFKA_CLIENTS)('through %s', (name) => {
      it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('is used with %s', async (mechanism) => {
        const { openMessageBus } = await loadKafkaClient(name);
        const bus = await openMessageBus(as(mechanism));
        const topic = `secured-${name}-${mechanism}-${Date.now()}`;
        await bus.ensureTopics([{ name: topic, partitions: 1 }]);
        await bus.publish(topic, [{ key: 'k', value: { mechanism } }]);
        const { promise, resolve } = Promise.withResolvers<unknown>();
        const subscription = await bus.subscribe({ group: topic, topics: [topic] }, async ({ value }) =>
          resolve(value),
        );
        expect(await promise).toEqual({ mechanism });
        await subscription.close();
        await bus.close();
      });

      it('refuses a wrong password, in words', async () => {
        const { openMessageBus } = await loadKafkaClient(name);
        await expect(openMessageBus(as('scram-sha-256', 'wrong'))).rejects.toThrow(/authentication failed/i);
      });

      messageBusContract(`kafka over TLS with SASL through ${name}`, async () => {
        const { openMessageBus } = await loadKafkaClient(name);
        const handlerTimeoutMs = 1000;
        const opened: MessageBus[] = [];
        const open = async () => {
          const bus = await openMessageBus({
            ...as('scram-sha-256'),
            handlerTimeoutMs,
            firstRetryMs: 5,
            sessionTimeoutMs: 45_000,
          });
          opened.push(bus);
          return bus;
        };
        return {
          bus: await open(),
          sessionMs: handlerTimeoutMs,
          openAnother: open,
          stop: async () => {
            await Promise.all(opened.map((bus) => bus.close()));
          },
        };
      });
    });
  },
);
