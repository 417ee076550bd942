import type { Supervised } from '@quantloom/deploy/cluster/supervised';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { quantloom } from '../harness/server.ts';
import { duplicateJobs } from './duplicate-jobs.ts';
import type { Random } from './random.ts';
import type { ServerName } from './schedule.ts';

const LINES_KEPT = 4_000;
/** Ten processes that start at once on a machine with a load of 30 were not ready after two minutes. */
const START_MS = 300_000;

/** The last lines that the processes of a product wrote, with the times of day. */
export class ProcessLines {
  #lines: string[] = [];

  note(line: string): void {
    this.#lines.push(`${new Date().toISOString().slice(11, 23)} ${line}`);
    if (this.#lines.length > LINES_KEPT) this.#lines = this.#lines.slice(-LINES_KEPT / 2);
  }

  last(count: number): string {
    return this.#lines.slice(-count).join('\n');
  }

  /** What a failing test says: the faults in its first line, which is what summaries show, then the last lines. */
  beside(faults: readonly string[]): string {
    const inOneLine = faults.map((fault) => fault.replaceAll(/\s+/g, ' ').slice(0, 500)).join(' | ');
    return `${inOneLine}\n${this.last(100)}`;
  }

  forget(): void {
    this.#lines = [];
  }
}

export interface ProductParts {
  readonly name: string;
  readonly url: string;
  readonly dataDir: string;
  readonly processes: ReadonlyMap<string, Supervised>;
  readonly lines: ProcessLines;
  /** Another connection to the product's bus. */
  readonly openBus: () => Promise<MessageBus>;
  /** Cuts a process off from servers, where it has links that can be cut; resolves when they are whole again. */
  readonly cut?: (member: string, servers: readonly ServerName[], forMs: number) => Promise<void>;
  /** Fills the disk up, where that is possible; resolves when there is room again. */
  readonly fillDisk?: (forMs: number) => Promise<void>;
  /** What is left to do when the processes have ended. */
  readonly release?: () => Promise<void>;
}

/** Processes of the product that a test can kill, freeze, cut off and starve; dead ones are started again. */
export class ProductUnderTest {
  readonly #parts: ProductParts;
  #deaths = 0;

  /** Starts all processes; resolves when every one is ready. */
  static async start(parts: ProductParts): Promise<ProductUnderTest> {
    const product = new ProductUnderTest(parts);
    for (const one of parts.processes.values()) one.start();
    try {
      await product.whenReady(START_MS);
    } catch (error) {
      await product.stop();
      throw new Error(`${(error as Error).message}\n${parts.lines.last(60)}`);
    }
    return product;
  }

  private constructor(parts: ProductParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.name;
  }

  get url(): string {
    return this.#parts.url;
  }

  get dataDir(): string {
    return this.#parts.dataDir;
  }

  get processes(): ReadonlyMap<string, Supervised> {
    return this.#parts.processes;
  }

  get lines(): ProcessLines {
    return this.#parts.lines;
  }

  /** Processes that were killed so far. */
  get deaths(): number {
    return this.#deaths;
  }

  async whenReady(timeoutMs = 90_000): Promise<void> {
    await Promise.all([...this.processes.values()].map((one) => one.whenReady(timeoutMs)));
  }

  process(name: string): Supervised {
    const one = this.processes.get(name);
    if (!one) throw new Error(`There is no process ${name}`);
    return one;
  }

  kill(name: string): void {
    if (this.process(name).signal('SIGKILL')) this.#deaths += 1;
  }

  async cut(member: string, servers: readonly ServerName[], forMs: number): Promise<void> {
    if (!this.#parts.cut) throw new Error(`${member} has no links that can be cut`);
    await this.#parts.cut(member, servers, forMs);
  }

  async fillDisk(forMs: number): Promise<void> {
    if (!this.#parts.fillDisk) throw new Error('This disk cannot be filled');
    await this.#parts.fillDisk(forMs);
  }

  async duplicateJobs(random: Random): Promise<number> {
    const bus = await this.#parts.openBus();
    try {
      return await duplicateJobs(bus, random);
    } finally {
      await bus.close();
    }
  }

  /** What `quantloom log verify` says: a fault of the log or a projection that differs from its rebuild, or nothing. */
  async verifyLog(): Promise<{ readonly isSound: boolean; readonly report: string }> {
    const { code, stdout, stderr } = await quantloom(this.#parts.dataDir, 'log', 'verify', '--json');
    return { isSound: code === 0, report: unequalIn(stdout) + stderr.slice(-2_000) };
  }

  /** Ends all processes and removes their data folder. */
  async stop(): Promise<void> {
    for (const one of this.processes.values()) one.signal('SIGCONT');
    await Promise.all([...this.processes.values()].map((one) => one.stop()));
    await this.#parts.release?.();
  }
}

/**
 * What a report of `log verify` says is not as it has to be: it lists every projection that is equal, too.
 * Behind the report stands the error that it ended with, or only that.
 */
function unequalIn(output: string): string {
  const end = output.indexOf('\n}\n');
  const json = output.slice(0, end + 2);
  if (!json.startsWith('{') || !json.includes('"projections"')) return output;
  const { projections, ...rest } = JSON.parse(json) as { projections: { result: string }[] };
  const unequal = projections.filter(({ result }) => result !== 'equal');
  return JSON.stringify({ ...rest, unequal }) + output.slice(end + 2);
}
