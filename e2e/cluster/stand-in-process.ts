import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { StandInOrders } from '@quantloom/adapters/testing/event-store/eventstoredb/stand-in-control';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import { REPOSITORY } from '../harness/server.ts';
import { ServerProcess } from './server-process.ts';

/**
 * The stand-in of EventStoreDB as a process, with a file for its log, so that it can be killed and started
 * again on the same port. It does what the server's protocol says, not what the server's own code may get
 * wrong.
 */
export class StandInProcess {
  readonly url: string;
  readonly server: ServerProcess;
  readonly #control: number;
  readonly #folder: string;

  private constructor(parts: { url: string; server: ServerProcess; control: number; folder: string }) {
    this.url = parts.url;
    this.server = parts.server;
    this.#control = parts.control;
    this.#folder = parts.folder;
  }

  /** Resolves when it answers. */
  static async start(): Promise<StandInProcess> {
    const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-stand-in-'));
    const [port, control] = [await freePort(), await freePort()];
    const places = ['--port', `${port}`, '--control', `${control}`, '--file', path.join(folder, 'log')];
    const child = spawn(
      process.execPath,
      ['adapters/testing/serve-stand-in.ts', 'eventstore', '0', '0', ...places],
      { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    for await (const url of createInterface({ input: child.stdout })) {
      const server = await ServerProcess.listeningOn(port, true);
      return new StandInProcess({ url, server, control, folder });
    }
    throw new Error('The stand-in of EventStoreDB ended at its start');
  }

  /** Rejects where it is not there to take orders. */
  async order(orders: StandInOrders): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.#control}/`, {
      method: 'PUT',
      body: JSON.stringify(orders),
    });
    if (!answer.ok) throw new Error(`The stand-in answers ${answer.status} to an order`);
    await answer.body?.cancel();
  }

  /** Ends it, and removes its log. */
  async stop(): Promise<void> {
    this.server.endOwn();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
