import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@quantloom/deploy/cluster/free-port';

export const REPOSITORY = path.resolve(import.meta.dirname, '../..');
export const API_CLIENT = { id: 'e2e-client', secret: 'e2e-secret-that-is-long-enough' };

export interface RunningServer {
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Everything the process printed so far. */
  output(): string;
  /** `SIGTERM`, and waits for the end. */
  stop(): Promise<void>;
  /** `SIGKILL`: nothing is flushed or closed. */
  kill(): Promise<void>;
}

/**
 * Waits until the process has said `words` and `GET /ready` answers 200; rejects with its output when it ends
 * or `timeoutMs` pass first.
 */
async function whenReady(
  url: string,
  child: ChildProcess,
  output: () => string,
  words: string,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`);
    const answer = output().includes(words) ? await fetch(`${url}/ready`).catch(() => null) : null;
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server was not ready after ${timeoutMs} ms:\n${output()}`);
}

export interface StartOptions {
  /** To start again on what another one has left; default a new folder. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly environment?: Record<string, string>;
}

async function launch(
  command: readonly string[],
  { words, hasProcesses, readyMs = 120_000 }: { words: string; hasProcesses: boolean; readyMs?: number },
  { dataDir, port, environment }: Required<StartOptions>,
): Promise<RunningServer> {
  const url = `http://localhost:${port}`;
  const chunks: string[] = [];
  const child = spawn(process.execPath, command, {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      BOOTSTRAP_API_CLIENT: `${API_CLIENT.id}:${API_CLIENT.secret}`,
      LOG_LEVEL: 'warn',
      WEB_PAGES: 'off',
      // What tests know of simulated prices holds for the days that the set begins with.
      DEMO_DATA_MOVES: 'false',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that SIGKILL reaches the processes that it starts as well.
    detached: hasProcesses,
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const output = () => chunks.join('');
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    if (signal === 'SIGKILL' && hasProcesses) process.kill(-child.pid, signal);
    else child.kill(signal);
    await ended;
  };
  try {
    await whenReady(url, child, output, words, readyMs);
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    output,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

const withDefaults = async (options: StartOptions): Promise<Required<StartOptions>> => ({
  dataDir: options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'quantloom-e2e-'))),
  port: options.port ?? (await freePort()),
  environment: options.environment ?? {},
});

/**
 * Starts the embedded product as `npm start` does, on a free port and a data folder of its own (or the given
 * one, to start again).
 */
export async function startServer(
  options: StartOptions & {
    /** Program that contains the product, in place of `npm start`'s; says ` is ready` as well. */
    readonly program?: string;
  } = {},
): Promise<RunningServer> {
  return await launch(
    [options.program ?? 'deploy/src/start.ts'],
    { words: ' is ready', hasProcesses: false },
    await withDefaults(options),
  );
}

/**
 * Starts the services as `npm run cluster` does, on the servers that the environment names, with databases
 * and topics that belong to the data folder. Sets `CLUSTER_NAME`, so that the command line means the same ones.
 */
export async function startClusterServer(options: StartOptions = {}): Promise<RunningServer> {
  const all = await withDefaults(options);
  process.env.CLUSTER_NAME = path
    .basename(all.dataDir)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');
  return await launch(
    ['deploy/src/cluster.ts'],
    { words: 'The cluster is ready', hasProcesses: true, readyMs: 200_000 },
    all,
  );
}

/** Removes a data folder after its server has ended. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

/** Runs the command line on a data folder; resolves with what it printed, whatever its exit code. */
export async function quantloom(
  dataDir: string,
  ...words: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['deploy/src/quantloom.ts', ...words],
      {
        cwd: REPOSITORY,
        env: { ...process.env, DATA_DIR: dataDir },
        maxBuffer: 256 * 1024 * 1024,
      },
    );
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}
