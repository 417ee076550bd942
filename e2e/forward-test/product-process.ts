import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Night } from './product.ts';

/** The product as a process that may be killed. */
export class Product {
  #child: ChildProcess | null = null;
  readonly #environment: NodeJS.ProcessEnv;
  readonly output: string[] = [];

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Resolves when it is ready; false where it was killed before. */
  async start(night: Night): Promise<boolean> {
    const child = fork(path.join(import.meta.dirname, 'product.ts'), {
      env: { ...this.#environment, NIGHT: JSON.stringify(night) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output.push(text);
        if (this.output.length > 200) this.output.shift();
      });
    this.#child = child;
    const ready = once(child, 'message').then(() => true);
    return await Promise.race([ready, once(child, 'exit').then(() => false)]);
  }

  get isAlive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  tell(night: Night): void {
    if (this.isAlive) this.#child?.send(night);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isAlive) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isAlive) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  }
}
