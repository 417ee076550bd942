import { readdressBroker } from './broker-addresses.ts';
import { NetworkLink } from './network-link.ts';
import type { ServerName } from './schedule.ts';

/** Links of one process to the servers, which can be cut for this process alone. */
export interface MemberLinks {
  /** What names the servers to the process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Connections that the process has made to a server so far. */
  taken(server: ServerName): number;
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
 * Links to the servers that `KAFKA_BROKERS`, `MONGODB_URL`, `CLICKHOUSE_URL` and, where it is set,
 * `EVENTSTORE_URL` name, one server each; rejects where there are several.
 */
export async function openMemberLinks(environment: NodeJS.ProcessEnv): Promise<MemberLinks> {
  const { KAFKA_BROKERS = '', MONGODB_URL = '', CLICKHOUSE_URL = '', EVENTSTORE_URL = '' } = environment;
  const broker = addressOf(KAFKA_BROKERS);
  const kafka = await NetworkLink.to(broker, (port) => readdressBroker(broker.host, broker.port, port));
  const mongodb = await NetworkLink.to(addressOf(new URL(MONGODB_URL).host));
  const clickhouse = await NetworkLink.to(addressOf(new URL(CLICKHOUSE_URL).host));
  const log = EVENTSTORE_URL === '' ? null : new URL(EVENTSTORE_URL);
  const eventstoredb = log ? await NetworkLink.to(addressOf(log.host)) : null;
  const links = new Map<ServerName, NetworkLink>([
    ['kafka', kafka],
    ['mongodb', mongodb],
    ['clickhouse', clickhouse],
    ...(eventstoredb ? ([['eventstoredb', eventstoredb]] as const) : []),
  ]);
  const to = (server: ServerName): NetworkLink => {
    const link = links.get(server);
    if (!link) throw new Error(`There is no link to ${server}`);
    return link;
  };
  const address = ({ port }: NetworkLink) => `127.0.0.1:${port}`;
  return {
    environment: {
      KAFKA_BROKERS: address(kafka),
      // A client that looks for the members of the replica set would find the way around the link.
      MONGODB_URL: `mongodb://${address(mongodb)}/?directConnection=true`,
      CLICKHOUSE_URL: `http://${address(clickhouse)}`,
      ...(log && eventstoredb && { EVENTSTORE_URL: EVENTSTORE_URL.replace(log.host, address(eventstoredb)) }),
    },
    taken: (server) => to(server).taken,
    cut: (servers) => {
      for (const server of servers) to(server).cut();
    },
    heal: (servers) => {
      for (const server of servers) to(server).heal();
    },
    close: async () => {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
  };
}
