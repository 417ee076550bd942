import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const REPOSITORY = path.resolve(import.meta.dirname, '../..');
export const API_CLIENT = { id: 'e2e-client', secret: 'e2e-secret-that-is-long-enough' };

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export interface RunningServer {
  readonly url: string;
  readonly dataDir: string;
  /** Everything the process printed so far. */
  output(): string;
  /** `SIGTERM`, and waits for the end. */
  stop(): Promise<void>;
  /** `SIGKILL`: nothing is flushed or closed. */
  kill(): Promise<void>;
}

/** Waits until `GET /ready` answers 200; rejects with the process's output when it ends or `timeoutMs` pass first. */
async function whenReady(
  url: string,
  child: ChildProcess,
  output: () => string,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`);
    const answer = await fetch(`${url}/ready`).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server was not ready after ${timeoutMs} ms:\n${output()}`);
}

/** Starts the embedded product as `npm start` does, on a free port and a data folder of its own (or the given one, to start again). */
export async function startServer(
  options: {
    dataDir?: string;
    port?: number;
    environment?: Record<string, string>;
    /** Program to start in place of the product's, from the repository's root. */
    program?: string;
  } = {},
): Promise<RunningServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'quantloom-e2e-')));
  const port = options.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  const chunks: string[] = [];
  const child = spawn(process.execPath, [options.program ?? 'deploy/src/start.ts'], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      BOOTSTRAP_API_CLIENT: `${API_CLIENT.id}:${API_CLIENT.secret}`,
      LOG_LEVEL: 'warn',
      WEB_PAGES: 'off',
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const output = () => chunks.join('');
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  try {
    await whenReady(url, child, output, 120_000);
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return { url, dataDir, output, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
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
