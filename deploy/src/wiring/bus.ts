import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadKafkaClient } from '@quantloom/adapters/message-bus/kafka/kafka-client';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { CommandError } from '../commands/command-error.ts';
import type { Config } from '../config.ts';
import { kafkaSecurity } from './kafka-security.ts';
import { namedBus } from './named-bus.ts';

/** The bus that the configuration names, else that of the data folder, for a command; nothing else is opened. */
export async function openBus(config: Config): Promise<{ readonly bus: MessageBus; close(): Promise<void> }> {
  const { KAFKA_BROKERS, CLUSTER_NAME, DATA_DIR } = config;
  if (KAFKA_BROKERS) {
    const { openMessageBus } = await loadKafkaClient(config.KAFKA_CLIENT);
    const bus = namedBus(
      await openMessageBus({
        brokers: KAFKA_BROKERS,
        clientId: `${CLUSTER_NAME}.operator`,
        ...kafkaSecurity(config),
      }),
      CLUSTER_NAME,
    );
    return { bus, close: () => bus.close() };
  }
  const file = path.join(DATA_DIR, 'quantloom.sqlite');
  if (!existsSync(file)) throw new CommandError(404, `There is no message bus in ${DATA_DIR} (set DATA_DIR)`);
  const database = openSqliteDatabase(file);
  const bus = openSqliteMessageBus(database);
  return {
    bus,
    close: async () => {
      await bus.close();
      database.close();
    },
  };
}
