import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import { CLIENT, whenReady } from '../results/measured-server.ts';

/** Processor seconds so far, by what they were spent on. */
export interface Spent {
  /** The computing threads. */
  readonly engine: number;
  /** The store's thread, and the threads that write files. */
  readonly storing: number;
  /** The main thread: requests, messages, log, projections. */
  readonly messaging: number;
  /** All of the process, with the collector, the compiler and DuckDB's threads. */
  readonly total: number;
}

export interface TreeServer {
  readonly url: string;
  spent(): Spent;
  /** Most memory (resident, in MB) since the last call. */
  peakMegabytes(): number;
  /** At once, as a power cut would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the product as it stands in `tree`, without the pages, on a free port. */
export async function startTree(
  tree: string,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TreeServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const threadsFile = path.join(dataDir, 'bench-threads');
  writeFileSync(threadsFile, '');
  const probe = path.join(import.meta.dirname, 'thread-probe.ts');
  const child = spawn(process.execPath, ['--import', probe, 'deploy/src/start.ts'], {
    cwd: tree,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      BOOTSTRAP_API_CLIENT: `${CLIENT.id}:${CLIENT.secret}`,
      LOG_LEVEL: 'warn',
      WEB_PAGES: 'off',
      DEMO_DATA_MOVES: 'false',
      BENCH_THREADS: threadsFile,
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await whenReady(url, child);
  const proc = `/proc/${child.pid}`;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    url,
    spent: () => spentBy(proc, child.pid ?? 0, threadsFile),
    peakMegabytes: () => {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1];
      // 5 resets the peak to what is resident now.
      writeFileSync(`${proc}/clear_refs`, '5');
      return Number(peak) / 1024;
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

function spentBy(proc: string, pid: number, threadsFile: string): Spent {
  const names = new Map(
    readFileSync(threadsFile, 'utf8')
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
  const spent = { engine: 0, storing: 0, messaging: 0, total: secondsOf(`${proc}/stat`) };
  for (const thread of readdirSync(`${proc}/task`)) {
    const folder = `${proc}/task/${thread}`;
    // It may have ended meanwhile.
    if (!existsSync(folder)) continue;
    const seconds = secondsOf(`${folder}/stat`);
    const kind = kindOf(Number(thread) === pid ? 'main' : names.get(thread), `${folder}/comm`);
    if (kind) spent[kind] += seconds;
  }
  return spent;
}

function kindOf(name: string | undefined, comm: string): 'engine' | 'storing' | 'messaging' | null {
  if (name === 'main') return 'messaging';
  if (name === 'worker.ts') return 'engine';
  if (name === 'store-thread.ts') return 'storing';
  return name === undefined && readFileSync(comm, 'utf8').startsWith('libuv') ? 'storing' : null;
}

/** User and system time of a process or thread: fields 14 and 15, in hundredths. */
function secondsOf(file: string): number {
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
