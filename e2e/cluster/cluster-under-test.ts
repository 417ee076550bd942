import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openKafkaMessageBus } from '@quantloom/adapters/message-bus/kafka/kafka-message-bus';
import { type ClusterSize, clusterMembers } from '@quantloom/deploy/cluster/members';
import { Supervised } from '@quantloom/deploy/cluster/supervised';
import { namedBus } from '@quantloom/deploy/wiring/named-bus';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { API_CLIENT, freePort, quantloom } from '../harness/server.ts';
import type { Random } from './random.ts';

/** Servers that the lab needs; tests skip by name where one is missing. */
export const SERVER_VARIABLES = ['KAFKA_BROKERS', 'MONGODB_URL', 'CLICKHOUSE_URL'] as const;
export const missingServers = SERVER_VARIABLES.filter((name) => !process.env[name]);

const LINES_KEPT = 4_000;

/** The services of a cluster as processes that a test can kill and freeze, on servers named by the environment; dead ones are started again. */
export class ClusterUnderTest {
  readonly url: string;
  readonly dataDir: string;
  readonly name: string;
  readonly processes: ReadonlyMap<string, Supervised>;
  /** The last lines that the processes wrote. */
  readonly lines: string[];
  #deaths = 0;

  private constructor(parts: {
    url: string;
    dataDir: string;
    name: string;
    processes: ReadonlyMap<string, Supervised>;
    lines: string[];
  }) {
    this.url = parts.url;
    this.dataDir = parts.dataDir;
    this.name = parts.name;
    this.processes = parts.processes;
    this.lines = parts.lines;
  }

  /** Starts all processes on databases, topics and a data folder of its own; resolves when every one is ready. */
  static async start(
    size: ClusterSize,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ClusterUnderTest> {
    const name = `lab_${Date.now().toString(36)}_${process.pid}`;
    const dataDir = await mkdtemp(path.join(tmpdir(), 'quantloom-cluster-'));
    const port = await freePort();
    const url = `http://localhost:${port}`;
    Object.assign(process.env, {
      DATA_DIR: dataDir,
      CLUSTER_NAME: name,
      WEB_PAGES: 'off',
      COMPUTE_THREADS: '1',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      BOOTSTRAP_API_CLIENT: `${API_CLIENT.id}:${API_CLIENT.secret}`,
      ...environment,
    });
    const lines: string[] = [];
    const keep = (line: string) => {
      lines.push(`${new Date().toISOString().slice(11, 23)} ${line}`);
      if (lines.length > LINES_KEPT) lines.splice(0, lines.length - LINES_KEPT);
    };
    const processes = new Map<string, Supervised>();
    for (const member of await clusterMembers(size, { publicPort: port, publicUrl: url }))
      processes.set(
        member.name,
        new Supervised(member, {
          onLine: (line) => keep(`${member.name} ${line}`),
          onDeath: (how) => keep(`${member.name} ended (${how})`),
        }),
      );
    const cluster = new ClusterUnderTest({ url, dataDir, name, processes, lines });
    for (const one of processes.values()) one.start();
    try {
      await cluster.whenReady(120_000);
    } catch (error) {
      await cluster.stop();
      throw new Error(`${(error as Error).message}\n${lines.slice(-60).join('\n')}`);
    }
    return cluster;
  }

  async whenReady(timeoutMs = 90_000): Promise<void> {
    await Promise.all([...this.processes.values()].map((one) => one.whenReady(timeoutMs)));
  }

  process(name: string): Supervised {
    const one = this.processes.get(name);
    if (!one) throw new Error(`There is no process ${name}`);
    return one;
  }

  kill(name: string): void {
    if (this.process(name).signal('SIGKILL')) this.#deaths += 1;
  }

  /** Processes that were killed so far. */
  get deaths(): number {
    return this.#deaths;
  }

  async openBus(): Promise<MessageBus> {
    const brokers = process.env.KAFKA_BROKERS ?? '';
    return namedBus(await openKafkaMessageBus({ brokers, clientId: `${this.name}.lab` }), this.name);
  }

  /** Publishes every job that is still on the bus once more, in a random order, as a broker that delivers again would. */
  async duplicateJobs(random: Random): Promise<number> {
    const bus = await this.openBus();
    try {
      const seen: {
        topic: string;
        key: string;
        value: unknown;
        headers: Readonly<Record<string, string>>;
      }[] = [];
      const topics = [TOPICS.jobs.name, TOPICS.quickJobs.name];
      const group = `lab.duplicates.${random.between(0, 2 ** 31)}`;
      const subscription = await bus.subscribe({ group, topics, concurrency: 8 }, async (message) => {
        const { topic, key, value, headers } = message;
        seen.push({ topic, key, value, headers });
      });
      const deadline = Date.now() + 10_000;
      for (;;) {
        const lags = await Promise.all(topics.map((topic) => bus.lag(group, topic)));
        if (lags.every((lag) => lag === 0) || Date.now() > deadline) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await subscription.close();
      const again = seen.slice(-40);
      for (let index = again.length - 1; index > 0; index -= 1) {
        const other = random.between(0, index);
        [again[index], again[other]] = [again[other] as never, again[index] as never];
      }
      for (const { topic, ...message } of again) await bus.publish(topic, [message]);
      return again.length;
    } finally {
      await bus.close();
    }
  }

  /** What `quantloom log verify` says: a fault of the log or a projection that differs from its rebuild, or nothing. */
  async verifyLog(): Promise<{ readonly isSound: boolean; readonly report: string }> {
    const { code, stdout, stderr } = await quantloom(this.dataDir, 'log', 'verify', '--json');
    return { isSound: code === 0, report: stdout + stderr };
  }

  async stop(): Promise<void> {
    for (const one of this.processes.values()) one.signal('SIGCONT');
    await Promise.all([...this.processes.values()].map((one) => one.stop()));
  }
}
