import type { KafkaMessageBusOptions } from '@quantloom/adapters/message-bus/kafka/kafka-options';
import type { Config } from '../config.ts';

/** A message is stored where a second broker has it, as soon as there are enough brokers for one of them to be away. */
export function minInsyncReplicasOf(
  config: Pick<Config, 'KAFKA_REPLICATION' | 'KAFKA_MIN_INSYNC_REPLICAS'>,
): number | undefined {
  return config.KAFKA_MIN_INSYNC_REPLICAS ?? (config.KAFKA_REPLICATION >= 3 ? 2 : undefined);
}

/** How the brokers are reached: over TLS, with a name and password, both or neither. */
export function kafkaSecurity(config: Config): Pick<KafkaMessageBusOptions, 'ssl' | 'sasl'> {
  const {
    KAFKA_TLS,
    KAFKA_TLS_CA,
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
  } = config;
  return {
    ...(KAFKA_TLS && { ssl: KAFKA_TLS_CA ? { ca: [KAFKA_TLS_CA] } : {} }),
    ...(mechanism && username && password && { sasl: { mechanism, username, password } }),
  };
}
