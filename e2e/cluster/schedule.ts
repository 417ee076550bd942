import { Random } from './random.ts';

/** Those that every cluster has. */
const SERVERS = ['kafka', 'mongodb', 'clickhouse'] as const;
export type ServerName = (typeof SERVERS)[number] | 'eventstoredb';

const REFUSALS = ['electing', 'no-leader', 'too-busy'] as const;

/** One thing that goes wrong. Times in milliseconds. */
export type Fault =
  /** `kill -9` of a process; it is started again. */
  | { readonly kind: 'kill'; readonly at: number; readonly member: string }
  /** SIGSTOP, and SIGCONT after a while: the others think it dead, and then it goes on where it was. */
  | { readonly kind: 'freeze'; readonly at: number; readonly member: string; readonly forMs: number }
  /** The network between one process and servers is cut for a while; everybody else goes on. */
  | {
      readonly kind: 'cut';
      readonly at: number;
      readonly member: string;
      readonly servers: readonly ServerName[];
      readonly forMs: number;
    }
  /** `kill -9` of a server, and its start after a while, on the same port and data. */
  | { readonly kind: 'restart'; readonly at: number; readonly server: ServerName; readonly downMs: number }
  /** SIGSTOP of a server: connections stay open and nothing answers anybody. */
  | { readonly kind: 'hang'; readonly at: number; readonly server: ServerName; readonly forMs: number }
  /** Jobs that were published are published again, in another order. */
  | { readonly kind: 'duplicate'; readonly at: number; readonly order: number }
  /** A server cannot write to its files for a while; one that ends of it is started again when there is room. */
  | { readonly kind: 'server-disk'; readonly at: number; readonly server: ServerName; readonly forMs: number }
  /** Every call of the log takes so much longer for a while. */
  | { readonly kind: 'slow-log'; readonly at: number; readonly delayMs: number; readonly forMs: number }
  /** The log refuses every call for a while, as without a leader. */
  | {
      readonly kind: 'refusing-log';
      readonly at: number;
      readonly refusal: (typeof REFUSALS)[number];
      readonly forMs: number;
    }
  /** The disk under the data folder is full for a while. */
  | { readonly kind: 'full-disk'; readonly at: number; readonly forMs: number };

export interface ScheduleOptions {
  readonly members: readonly string[];
  readonly lengthMs: number;
  readonly faults: number;
  /** The longest freeze (default 20,000: often longer than the time after which a frozen member is thought dead). */
  readonly longestFreezeMs?: number;
  /** Servers may be killed and frozen as well as processes. */
  readonly mayTouchServers?: boolean;
  /** Members have links to the servers that can be cut. */
  readonly mayCutLinks?: boolean;
  readonly mayFillDisk?: boolean;
  /** The log is a server, too: it is killed, frozen, cut off and starved as the others are. */
  readonly hasLogServer?: boolean;
  /** The server of the log takes orders to be slow and to refuse. */
  readonly mayOrderLog?: boolean;
  /**
   * What takes a while takes from a second up to this long, each order of length as often as any other, in
   * place of the seconds that each kind has else.
   */
  readonly longestOutageMs?: number;
}

const SHORTEST_LONG_MS = 1_000;

/** How often each kind comes, where it may. */
const WEIGHTS: Readonly<Record<Fault['kind'], number>> = {
  kill: 9,
  freeze: 4,
  cut: 5,
  restart: 3,
  hang: 2,
  'server-disk': 2,
  duplicate: 2,
  'full-disk': 5,
  'slow-log': 3,
  'refusing-log': 3,
};

/** How long the faults of a schedule take, one after the other, in ms: nobody can be asked to wait for less. */
export const lengthOf = (schedule: readonly Fault[]): number =>
  schedule.reduce(
    (sum, fault) => sum + ('forMs' in fault ? fault.forMs : 'downMs' in fault ? fault.downMs : 0),
    0,
  );

/** The faults of a seed, in order of time. */
export function scheduleOf(seed: number, options: ScheduleOptions): readonly Fault[] {
  const random = new Random(seed);
  const { members, mayTouchServers = false, mayCutLinks = false, mayFillDisk = false } = options;
  const { hasLogServer = false, mayOrderLog = false } = options;
  const servers: readonly ServerName[] = hasLogServer ? [...SERVERS, 'eventstoredb'] : SERVERS;
  const allowed: Readonly<Record<Fault['kind'], boolean>> = {
    kill: true,
    freeze: true,
    cut: mayCutLinks,
    restart: mayTouchServers,
    hang: mayTouchServers,
    'server-disk': mayTouchServers,
    duplicate: true,
    'full-disk': mayFillDisk,
    'slow-log': mayOrderLog,
    'refusing-log': mayOrderLog,
  };
  const kinds = (Object.keys(WEIGHTS) as Fault['kind'][])
    .filter((kind) => allowed[kind])
    .flatMap((kind) => Array.from({ length: WEIGHTS[kind] }, () => kind));
  const { longestOutageMs } = options;
  const duration = (shortestMs: number, longestMs: number): number =>
    longestOutageMs === undefined
      ? random.between(shortestMs, longestMs)
      : Math.round(SHORTEST_LONG_MS * (longestOutageMs / SHORTEST_LONG_MS) ** random.next());
  const fault = (): Fault => {
    const at = random.between(500, options.lengthMs);
    const kind = random.pick(kinds);
    switch (kind) {
      case 'kill':
        return { kind, at, member: random.pick(members) };
      case 'freeze':
        return {
          kind,
          at,
          member: random.pick(members),
          forMs: duration(500, options.longestFreezeMs ?? 20_000),
        };
      case 'cut':
        return {
          kind,
          at,
          member: random.pick(members),
          servers: random.next() < 0.3 ? servers : [random.pick(servers)],
          forMs: duration(500, 25_000),
        };
      case 'restart':
        return { kind, at, server: random.pick(servers), downMs: duration(200, 4_000) };
      case 'hang':
        return { kind, at, server: random.pick(servers), forMs: duration(500, 6_000) };
      case 'server-disk':
        return { kind, at, server: random.pick(servers), forMs: duration(500, 6_000) };
      case 'duplicate':
        return { kind, at, order: random.between(0, 2 ** 31) };
      case 'full-disk':
        return { kind, at, forMs: duration(500, 6_000) };
      case 'slow-log':
        return { kind, at, delayMs: random.between(10, 500), forMs: duration(500, 10_000) };
      case 'refusing-log':
        return { kind, at, refusal: random.pick(REFUSALS), forMs: duration(500, 6_000) };
      default:
        return kind satisfies never;
    }
  };
  return Array.from({ length: options.faults }, fault).sort((a, b) => a.at - b.at);
}
