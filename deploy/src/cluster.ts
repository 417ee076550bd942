/** `npm run cluster`: every service as its own process on this machine, against the servers that the environment names. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { Command } from 'commander';
import { ConfigurationError, readConfig } from './config.ts';

interface Member {
  readonly name: string;
  readonly file: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

const READY_TIMEOUT_MS = 60_000;
const RESTART_DELAY_MS = 500;
const STOP_TIMEOUT_MS = 25_000;

const program = new Command('cluster')
  .description('Starts the services as processes of this machine; Ctrl-C stops them all')
  .option('--command-apis <number>', 'processes of the write side', '2')
  .option('--query-apis <number>', 'processes of the read side', '2')
  .option('--projectors <number>', 'processes of the projectors', '2')
  .option('--compute <number>', 'compute nodes', '2')
  .parse();
const counts = program.opts<Record<'commandApis' | 'queryApis' | 'projectors' | 'compute', string>>();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Keeps one process alive: a member that dies is started again after a moment. */
class Supervised {
  readonly #member: Member;
  #child: ChildProcess | null = null;
  #isStopping = false;

  constructor(member: Member) {
    this.#member = member;
  }

  start(): void {
    const { name, file, port, environment } = this.#member;
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'services', file)], {
      env: { ...process.env, ...environment, PORT: String(port), HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const [stream, target] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const)
      stream.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.split('\n')) if (line !== '') target.write(`${name} ${line}\n`);
      });
    child.once('exit', (code, signal) => {
      if (this.#isStopping) return;
      console.error(`${name} ended (${signal ?? code}) and is started again`);
      setTimeout(() => {
        if (!this.#isStopping) this.start();
      }, RESTART_DELAY_MS);
    });
  }

  async whenReady(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const answer = await fetch(`http://127.0.0.1:${this.#member.port}/ready`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${this.#member.name} was not ready after ${READY_TIMEOUT_MS} ms`);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(impatience);
  }
}

async function membersOf(publicPort: number, publicUrl: string): Promise<Member[]> {
  const make = async (name: string, file: string, count: string): Promise<Member[]> =>
    await Promise.all(
      Array.from({ length: Number(count) }, async (_, index) => ({
        name: `${name}-${index + 1}`,
        file,
        port: await freePort(),
        environment: { PUBLIC_URL: publicUrl, BEHIND_PROXY: 'true' },
      })),
    );
  const commandApis = await make('command-api', 'command-api.ts', counts.commandApis);
  const queryApis = await make('query-api', 'query-api.ts', counts.queryApis);
  const urls = (members: readonly Member[]) =>
    members.map(({ port }) => `http://127.0.0.1:${port}`).join(',');
  return [
    {
      name: 'gateway',
      file: 'gateway.ts',
      port: publicPort,
      environment: {
        PUBLIC_URL: publicUrl,
        COMMAND_API_URLS: urls(commandApis),
        QUERY_API_URLS: urls(queryApis),
      },
    },
    ...commandApis,
    ...queryApis,
    ...(await make('projectors', 'projectors.ts', counts.projectors)),
    ...(await make('compute', 'compute.ts', counts.compute)),
  ];
}

try {
  const config = readConfig();
  const processes = (await membersOf(config.PORT, config.publicUrl)).map((member) => new Supervised(member));
  const stop = async () => {
    await Promise.all(processes.map((one) => one.stop()));
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
  for (const one of processes) one.start();
  await Promise.all(processes.map((one) => one.whenReady()));
  console.log(`The cluster is ready: ${config.publicUrl}`);
} catch (error) {
  console.error(error instanceof ConfigurationError ? error.message : error);
  process.exit(1);
}
