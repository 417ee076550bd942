import { isIP } from 'node:net';
import { type BaseOptions, SASLMechanisms } from '@platformatic/kafka';
import { brokersOf, type KafkaMessageBusOptions } from '../kafka-options.ts';

const MECHANISMS = {
  plain: SASLMechanisms.PLAIN,
  'scram-sha-256': SASLMechanisms.SCRAM_SHA_256,
  'scram-sha-512': SASLMechanisms.SCRAM_SHA_512,
} as const;

/** What every object of the client is made with: who is asked, and how. */
export function connectionOptions(options: KafkaMessageBusOptions): BaseOptions {
  const bootstrapBrokers = brokersOf(options.brokers);
  const { ssl, sasl } = options;
  return {
    clientId: options.clientId ?? 'quantloom',
    bootstrapBrokers,
    connectTimeout: 5_000,
    autocreateTopics: false,
    // Without this the client checks none of its options, and leaves out those that it does not know.
    strict: true,
    ...(ssl && {
      tls: ssl,
      // By names brokers may be told apart behind one address; an IP address must not be sent as one.
      tlsServerName: bootstrapBrokers.every((broker) => isIP(hostOf(broker)) === 0),
    }),
    ...(sasl && {
      sasl: { mechanism: MECHANISMS[sasl.mechanism], username: sasl.username, password: sasl.password },
    }),
  };
}

const hostOf = (broker: string): string => broker.slice(0, broker.lastIndexOf(':')).replace(/^\[|\]$/g, '');
