import getPort from 'get-port';
import { GenericContainer, Wait } from 'testcontainers';
import type { RealServer } from './real-server.ts';

/** The servers of the cluster, as containers for tests. Versions are those that `docker-compose.yml` runs. */
export const MONGODB: RealServer = {
  name: 'MongoDB',
  variable: 'MONGODB_URL',
  async start() {
    const container = await new GenericContainer('mongo:8.0')
      .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
      .withExposedPorts(27017)
      .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
      .start();
    // Transactions need a replica set; one member will do.
    await container.exec([
      'mongosh',
      '--quiet',
      '--eval',
      'rs.initiate(); while (!db.hello().isWritablePrimary) sleep(50)',
    ]);
    const url = `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/?directConnection=true`;
    return { url, stop: async () => void (await container.stop()) };
  },
};

export const CLICKHOUSE: RealServer = {
  name: 'ClickHouse',
  variable: 'CLICKHOUSE_URL',
  async start() {
    const container = await new GenericContainer('clickhouse/clickhouse-server:25.8')
      .withEnvironment({ CLICKHOUSE_SKIP_USER_SETUP: '1' })
      .withExposedPorts(8123)
      .withWaitStrategy(Wait.forHttp('/ping', 8123))
      .start();
    const url = `http://${container.getHost()}:${container.getMappedPort(8123)}`;
    return { url, stop: async () => void (await container.stop()) };
  },
};

export const KAFKA: RealServer = {
  name: 'Kafka',
  variable: 'KAFKA_BROKERS',
  async start() {
    // The broker tells clients its own address, so the port must be known before it starts.
    const port = await getPort();
    const container = await new GenericContainer('apache/kafka:3.9.1')
      .withExposedPorts({ container: 9092, host: port })
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      })
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
      .start();
    return { url: `127.0.0.1:${port}`, stop: async () => void (await container.stop()) };
  },
};

export const EVENTSTORE: RealServer = {
  name: 'EventStoreDB',
  variable: 'EVENTSTORE_URL',
  async start() {
    const container = await new GenericContainer('eventstore/eventstore:24.10')
      .withEnvironment({
        EVENTSTORE_INSECURE: 'true',
        EVENTSTORE_MEM_DB: 'true',
        EVENTSTORE_RUN_PROJECTIONS: 'None',
        EVENTSTORE_MAX_APPEND_SIZE: '16767216',
      })
      .withExposedPorts(2113)
      .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
      .start();
    const url = `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`;
    return { url, stop: async () => void (await container.stop()) };
  },
};
