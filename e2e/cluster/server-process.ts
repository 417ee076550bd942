import { execFile, spawn } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { promisify } from 'node:util';

/**
 * A server's process on this machine, found by the port that it listens on (with `ss`), so that the lab can
 * kill it and start it again exactly as it was started. Linux only.
 */
export class ServerProcess {
  readonly #port: number;
  readonly #command: readonly string[];
  readonly #directory: string;
  readonly #environment: NodeJS.ProcessEnv;
  #pid: number;
  #isOurs = false;

  private constructor(parts: {
    port: number;
    pid: number;
    command: readonly string[];
    directory: string;
    environment: NodeJS.ProcessEnv;
  }) {
    this.#port = parts.port;
    this.#pid = parts.pid;
    this.#command = parts.command;
    this.#directory = parts.directory;
    this.#environment = parts.environment;
  }

  /**
   * Rejects where no process of this user listens on the port.
   *
   * @param isOurs the process is ended by `endOwn`, as one that this object has started
   */
  static async listeningOn(port: number, isOurs = false): Promise<ServerProcess> {
    const pid = await listenerOf(port);
    const split = (text: string) => text.split('\0').filter((part) => part !== '');
    const command = split(await readFile(`/proc/${pid}/cmdline`, 'utf8'));
    const environment = Object.fromEntries(
      split(await readFile(`/proc/${pid}/environ`, 'utf8')).map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)];
      }),
    );
    const directory = await readlink(`/proc/${pid}/cwd`);
    const executable = await readlink(`/proc/${pid}/exe`);
    const server = new ServerProcess({
      port,
      pid,
      command: [executable, ...command.slice(1)],
      directory,
      environment,
    });
    server.#isOurs = isOurs;
    return server;
  }

  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    process.kill(this.#pid, signal);
  }

  /**
   * Lets the server write to none of its files (EFBIG), as on a disk without room: a limit of size 0 on them,
   * which needs no rights. A server may end of it, as it may of a full disk.
   */
  async fillDisk(): Promise<void> {
    await limitFiles(this.#pid, '0');
  }

  /** Makes room again, and starts the server where it has ended; resolves when its port is open. */
  async freeDisk(): Promise<void> {
    if (!(await this.#isAlive())) return await this.startAgain();
    await limitFiles(this.#pid, 'unlimited');
    // One that had made up its mind to end does so within moments.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    if (!(await this.#isAlive())) await this.startAgain();
  }

  /** A process that has ended and is not yet waited for counts as ended. */
  async #isAlive(): Promise<boolean> {
    try {
      const status = await readFile(`/proc/${this.#pid}/status`, 'utf8');
      return !/^State:\s+[ZX]/m.test(status);
    } catch {
      return false;
    }
  }

  /** Ends the server where this object has started it: whoever started the first one does not know of it. */
  endOwn(): void {
    if (!this.#isOurs) return;
    this.#isOurs = false;
    this.signal('SIGCONT');
    process.kill(this.#pid, 'SIGTERM');
  }

  /** Starts what was killed; resolves when the port is open. Kafka took 161 s on a machine with a load of 20. */
  async startAgain(timeoutMs = 300_000): Promise<void> {
    const [file = '', ...words] = this.#command;
    const child = spawn(file, words, {
      cwd: this.#directory,
      env: this.#environment,
      detached: true,
      stdio: 'ignore',
    });
    child.unref();
    if (child.pid === undefined) throw new Error(`${file} could not be started`);
    this.#pid = child.pid;
    this.#isOurs = true;
    const deadline = Date.now() + timeoutMs;
    while (!(await isOpen(this.#port))) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${file} did not come back on port ${this.#port} (exit code ${child.exitCode})`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function limitFiles(pid: number, softLimit: string): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${softLimit}:`]);
}

async function listenerOf(port: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ss', ['-Hltnp', `sport = :${port}`]);
  const pid = /pid=(\d+)/.exec(stdout)?.[1];
  if (!pid) throw new Error(`No process of this user listens on port ${port}`);
  return Number(pid);
}

async function isOpen(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
