import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import type { LoopDelay } from './loop-probe.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
export const CLIENT = { id: 'bench-client', secret: 'bench-secret-that-is-long-enough' };

/** The embedded product in a process of its own, watched from outside. */
export interface MeasuredServer {
  readonly url: string;
  /** Delay of the main thread's event loop since the last call. */
  loopDelay(): Promise<LoopDelay>;
  /** Most memory (resident, in MB) that the process held since the last call. */
  peakMegabytes(): number;
  /** Processor seconds of all threads so far. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Starts `npm start`'s program on a free port, without the pages. */
export async function startMeasuredServer(dataDir: string): Promise<MeasuredServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(
    process.execPath,
    ['--import', path.join(import.meta.dirname, 'loop-probe.ts'), 'deploy/src/start.ts'],
    {
      cwd: REPOSITORY,
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        BOOTSTRAP_API_CLIENT: `${CLIENT.id}:${CLIENT.secret}`,
        LOG_LEVEL: 'warn',
        WEB_PAGES: 'off',
        DEMO_DATA_MOVES: 'false',
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  await whenReady(url, child);
  const proc = `/proc/${child.pid}`;
  return {
    url,
    loopDelay: async () => {
      child.send('read');
      const [answer] = await once(child, 'message');
      return answer as LoopDelay;
    },
    peakMegabytes: () => {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1];
      // 5 resets the peak to what is resident now.
      writeFileSync(`${proc}/clear_refs`, '5');
      return Number(peak) / 1024;
    },
    cpuSeconds: () => {
      const fields = readFileSync(`${proc}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export async function whenReady(url: string, child: ChildProcess): Promise<void> {
  for (let i = 0; i < 2_400; i++) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/ready`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill();
  throw new Error('The server was not ready after two minutes');
}

/**
 * The API as a machine client calls it; waits where the rate limit says so. `onTime` gets the milliseconds of
 * the call that was let through.
 */
export type Call = <T>(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  onTime?: (ms: number) => void,
) => Promise<T>;

export interface Signed {
  readonly call: Call;
  readonly token: string;
}

/** Signs in as the demo user of the bootstrap machine client, who has the API plan. */
export async function signIn(url: string): Promise<Signed> {
  const { audience } = (await (await fetch(`${url}/config.json`)).json()) as { audience: string };
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      audience,
      scope: 'api:backtester',
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return signedWith(url, token);
}

/** The API as the bearer of the token calls it. */
export function signedWith(url: string, token: string): Signed {
  const call: Call = async <T>(
    method: 'GET' | 'POST',
    route: string,
    body?: unknown,
    onTime?: (ms: number) => void,
  ): Promise<T> => {
    for (;;) {
      const asked = performance.now();
      const response = await fetch(url + route, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (response.status === 429) {
        await response.arrayBuffer();
        await new Promise((resolve) =>
          setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 1)),
        );
        continue;
      }
      if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
      const answer = (await response.json()) as T;
      onTime?.(performance.now() - asked);
      return answer;
    }
  };
  return { call, token };
}
