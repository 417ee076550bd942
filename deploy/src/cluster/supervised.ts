import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** One process of the cluster. */
export interface Member {
  readonly name: string;
  /** File in `services/`. */
  readonly file: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface SupervisedOptions {
  /** Every line that the process writes, on either stream. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
  /** The process ended although nobody asked it to. */
  readonly onDeath?: (how: string) => void;
}

const RESTART_DELAY_MS = 500;
const STOP_TIMEOUT_MS = 25_000;
const SERVICES = path.join(import.meta.dirname, '../services');

/** Keeps one process alive: when it dies it is started again after a moment. */
export class Supervised {
  readonly member: Member;
  readonly #options: SupervisedOptions;
  #child: ChildProcess | null = null;
  #isStopping = false;

  constructor(member: Member, options: SupervisedOptions) {
    this.member = member;
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.member.port}`;
  }

  get pid(): number | null {
    return this.#isAlive() ? (this.#child?.pid ?? null) : null;
  }

  start(): void {
    const { file, port, environment } = this.member;
    const child = spawn(process.execPath, [path.join(SERVICES, file)], {
      env: { ...process.env, ...environment, PORT: String(port), HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.split('\n')) if (line !== '') this.#options.onLine(line, name);
      });
    child.once('exit', (code, signal) => {
      if (this.#isStopping) return;
      this.#options.onDeath?.(String(signal ?? code));
      setTimeout(() => {
        if (!this.#isStopping) this.start();
      }, RESTART_DELAY_MS);
    });
  }

  /** Sends a signal to the process as it is now; false where there is none. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): boolean {
    return this.#isAlive() && (this.#child?.kill(signal) ?? false);
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answer?.body?.cancel();
    return answer?.ok ?? false;
  }

  /** Resolves as soon as `/ready` answers; rejects after `timeoutMs`. */
  async whenReady(timeoutMs = 60_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      if (await this.isReady()) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${this.member.name} was not ready after ${timeoutMs} ms`);
  }

  /** Asks the process to end, and ends it after a while if it does not; it is not started again. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (!child || !this.#isAlive()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(impatience);
  }

  #isAlive(): boolean {
    const child = this.#child;
    return child !== null && child.exitCode === null && child.signalCode === null;
  }
}
