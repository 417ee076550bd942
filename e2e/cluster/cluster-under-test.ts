import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type KafkaClientName, loadKafkaClient } from '@quantloom/adapters/message-bus/kafka/kafka-client';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import { type ClusterSize, clusterMembers } from '@quantloom/deploy/cluster/members';
import { Supervised } from '@quantloom/deploy/cluster/supervised';
import { namedBus } from '@quantloom/deploy/wiring/named-bus';
import { API_CLIENT, removeDataDir } from '../harness/server.ts';
import { type MemberLinks, openMemberLinks } from './member-links.ts';
import { ProcessLines, ProductUnderTest } from './product-under-test.ts';

/** Servers that the lab needs; tests skip by name where one is missing. */
export const SERVER_VARIABLES = ['KAFKA_BROKERS', 'MONGODB_URL', 'CLICKHOUSE_URL'] as const;
export const missingServers = SERVER_VARIABLES.filter((name) => !process.env[name]);

export interface ClusterOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Every process reaches the servers over links of its own, which can be cut. */
  readonly hasLinks?: boolean;
  /** Fills the data folder before the first process starts. */
  readonly prepare?: (dataDir: string) => Promise<void>;
}

/**
 * The services of a cluster, each a process, on servers named by the environment, with databases, topics and
 * a data folder of its own. Resolves when every one is ready.
 */
export async function startCluster(
  size: ClusterSize,
  options: ClusterOptions = {},
): Promise<ProductUnderTest> {
  const name = `lab_${Date.now().toString(36)}_${process.pid}`;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quantloom-cluster-'));
  await options.prepare?.(dataDir);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  Object.assign(process.env, {
    DATA_DIR: dataDir,
    CLUSTER_NAME: name,
    WEB_PAGES: 'off',
    DEMO_DATA_MOVES: 'false',
    COMPUTE_THREADS: '1',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    BOOTSTRAP_API_CLIENT: `${API_CLIENT.id}:${API_CLIENT.secret}`,
    ...options.environment,
  });
  const lines = new ProcessLines();
  const processes = new Map<string, Supervised>();
  const links = new Map<string, MemberLinks>();
  for (const member of await clusterMembers(size, { publicPort: port, publicUrl: url })) {
    const own = options.hasLinks ? await openMemberLinks(process.env) : undefined;
    if (own) links.set(member.name, own);
    processes.set(
      member.name,
      new Supervised(
        { ...member, environment: { ...member.environment, ...own?.environment } },
        {
          onLine: (line) => lines.note(`${member.name} ${line}`),
          onDeath: (how) => lines.note(`${member.name} ended (${how})`),
        },
      ),
    );
  }
  return await ProductUnderTest.start({
    name,
    url,
    dataDir,
    processes,
    lines,
    openBus: async () => {
      const brokers = process.env.KAFKA_BROKERS ?? '';
      // The members get their settings from this process, this one too.
      const { KAFKA_CLIENT = 'kafkajs' } = process.env;
      const { openMessageBus } = await loadKafkaClient(KAFKA_CLIENT as KafkaClientName);
      return namedBus(await openMessageBus({ brokers, clientId: `${name}.lab` }), name);
    },
    ...(options.hasLinks && {
      cut: async (member, servers, forMs) => {
        const own = links.get(member);
        lines.note(`${member} is cut off from ${servers.join(', ')} for ${forMs} ms`);
        own?.cut(servers);
        await new Promise((resolve) => setTimeout(resolve, forMs));
        own?.heal(servers);
        lines.note(`${member} has ${servers.join(', ')} again`);
      },
    }),
    release: async () => {
      await Promise.all([...links.values()].map((own) => own.close()));
      await removeDataDir(dataDir);
    },
  });
}
