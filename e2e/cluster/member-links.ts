import { readdressBroker } from './broker-addresses.ts';
import { NetworkLink } from './network-link.ts';
import type { ServerName } from './schedule.ts';

/** Links of one process to the servers, which can be cut for this process alone. */
export interface MemberLinks {
  /** What names the servers to the process. */
  readonly environment: Readonly<Record<string, string>>;
  cut(servers: readonly ServerName[]): void;
  heal(servers: readonly ServerName[]): void;
  close(): Promise<void>;
}

const HOST_AND_PORT = /^(?<host>[^:,/]+):(?<port>\d+)$/;

function addressOf(text: string): { host: string; port: number } {
  const { host, port } = HOST_AND_PORT.exec(text)?.groups ?? {};
  if (!host || !port) throw new Error(`A link needs one server at host:port, not ${text}`);
  return { host, port: Number(port) };
}

/**
 * Links to the servers that `KAFKA_BROKERS`, `MONGODB_URL` and `CLICKHOUSE_URL` name, one server each;
 * rejects where there are several.
 */
export async function openMemberLinks(environment: NodeJS.ProcessEnv): Promise<MemberLinks> {
  const { KAFKA_BROKERS = '', MONGODB_URL = '', CLICKHOUSE_URL = '' } = environment;
  const broker = addressOf(KAFKA_BROKERS);
  const links: Readonly<Record<ServerName, NetworkLink>> = {
    kafka: await NetworkLink.to(broker, (port) => readdressBroker(broker.host, broker.port, port)),
    mongodb: await NetworkLink.to(addressOf(new URL(MONGODB_URL).host)),
    clickhouse: await NetworkLink.to(addressOf(new URL(CLICKHOUSE_URL).host)),
  };
  const address = ({ port }: NetworkLink) => `127.0.0.1:${port}`;
  return {
    environment: {
      KAFKA_BROKERS: address(links.kafka),
      // A client that looks for the members of the replica set would find the way around the link.
      MONGODB_URL: `mongodb://${address(links.mongodb)}/?directConnection=true`,
      CLICKHOUSE_URL: `http://${address(links.clickhouse)}`,
    },
    cut: (servers) => {
      for (const server of servers) links[server].cut();
    },
    heal: (servers) => {
      for (const server of servers) links[server].heal();
    },
    close: async () => {
      await Promise.all(Object.values(links).map((link) => link.close()));
    },
  };
}
