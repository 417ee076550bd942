import { Random } from './random.ts';

export const SERVERS = ['kafka', 'mongodb', 'clickhouse'] as const;
export type ServerName = (typeof SERVERS)[number];

/** One thing that goes wrong. Times in milliseconds. */
export type Fault =
  /** `kill -9` of a process of the cluster; it is started again. */
  | { readonly kind: 'kill'; readonly at: number; readonly member: string }
  /** SIGSTOP, and SIGCONT after a while: the others think it dead, and then it goes on where it was. */
  | { readonly kind: 'freeze'; readonly at: number; readonly member: string; readonly forMs: number }
  /** `kill -9` of a server, and its start after a while, on the same port and data. */
  | { readonly kind: 'restart'; readonly at: number; readonly server: ServerName; readonly downMs: number }
  /** SIGSTOP of a server: connections stay open and nothing answers, as when the network is cut. */
  | { readonly kind: 'hang'; readonly at: number; readonly server: ServerName; readonly forMs: number }
  /** Jobs that were published are published again, in another order. */
  | { readonly kind: 'duplicate'; readonly at: number; readonly order: number };

/** The faults of a seed, in order of time. */
export function scheduleOf(
  seed: number,
  options: {
    readonly members: readonly string[];
    readonly lengthMs: number;
    readonly faults: number;
    /** Servers may be killed and frozen as well as processes. */
    readonly mayTouchServers: boolean;
  },
): readonly Fault[] {
  const random = new Random(seed);
  const faults: Fault[] = [];
  for (let index = 0; index < options.faults; index += 1) {
    const at = random.between(500, options.lengthMs);
    const dice = random.next();
    if (options.mayTouchServers && dice < 0.15)
      faults.push({
        kind: 'restart',
        at,
        server: random.pick(SERVERS),
        downMs: random.between(200, 4_000),
      });
    else if (options.mayTouchServers && dice < 0.25)
      faults.push({ kind: 'hang', at, server: random.pick(SERVERS), forMs: random.between(500, 6_000) });
    else if (dice < 0.35) faults.push({ kind: 'duplicate', at, order: random.between(0, 2 ** 31) });
    else if (dice < 0.55)
      faults.push({
        kind: 'freeze',
        at,
        member: random.pick(options.members),
        // Often longer than the time after which a frozen member is thought dead.
        forMs: random.between(500, 20_000),
      });
    else faults.push({ kind: 'kill', at, member: random.pick(options.members) });
  }
  return faults.sort((a, b) => a.at - b.at);
}
