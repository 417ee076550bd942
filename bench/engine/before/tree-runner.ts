import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer, Turn } from './protocol.ts';

const PROCESS = fileURLToPath(new URL('tree-process.ts', import.meta.url));

/** A process that has loaded the engine of a checkout. It works only while it is asked. */
export class TreeRunner {
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  /** Resolves once its engine is loaded and its prices are there. */
  static async start(tree: string): Promise<TreeRunner> {
    const child = fork(PROCESS, [tree], { cwd: tree, serialization: 'advanced' });
    await reply(child, tree);
    return new TreeRunner(child);
  }

  async time(turn: Turn): Promise<Answer> {
    const answer = reply(this.child, turn.name);
    this.child.send(turn);
    return (await answer) as Answer;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill();
    await exited;
  }
}

/** The next message of a process. @throws Error where it ends without one */
function reply(child: ChildProcess, about: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => {
      child.off('message', told);
      reject(new Error(`The measuring process ended with ${code} (${about})`));
    };
    const told = (message: unknown) => {
      child.off('exit', ended);
      resolve(message);
    };
    child.once('message', told);
    child.once('exit', ended);
  });
}
