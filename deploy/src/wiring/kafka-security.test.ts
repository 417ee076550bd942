import { expect, test } from 'vitest';
import type { Config } from '../config.ts';
import { kafkaSecurity, minInsyncReplicasOf } from './kafka-security.ts';

const security = (given: Partial<Config>) => kafkaSecurity(given as Config);

test('a second broker has each message as soon as one of them may be away, unless it is said otherwise', () => {
  const of = (KAFKA_REPLICATION: number, KAFKA_MIN_INSYNC_REPLICAS?: number) =>
    minInsyncReplicasOf({ KAFKA_REPLICATION, KAFKA_MIN_INSYNC_REPLICAS } as Config);
  expect([of(1), of(2), of(3), of(4)]).toEqual([undefined, undefined, 2, 2]);
  expect([of(3, 1), of(1, 3)]).toEqual([1, 3]);
});

test('brokers are reached over TLS, with a name and password, both or neither', () => {
  expect(security({})).toEqual({});
  expect(security({ KAFKA_TLS: true })).toEqual({ ssl: {} });
  expect(security({ KAFKA_TLS: true, KAFKA_TLS_CA: 'PEM' })).toEqual({ ssl: { ca: ['PEM'] } });
  // An authority alone does not turn it on.
  expect(security({ KAFKA_TLS: false, KAFKA_TLS_CA: 'PEM' })).toEqual({});
  const signIn = {
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: 'q',
    KAFKA_SASL_PASSWORD: 's',
  } as const;
  expect(security(signIn)).toEqual({ sasl: { mechanism: 'scram-sha-512', username: 'q', password: 's' } });
  expect(security({ ...signIn, KAFKA_TLS: true })).toHaveProperty('ssl');
});
