import type { PlanId } from '../identity/plans.ts';
import { MAX_NESTING, MAX_NODES } from '../strategy/structure.ts';

/** What one user may use at the same time and by the minute. */
export interface UseLimits {
  /**
   * Cost of all calls of a user within a minute, in seconds of one processor. A call counts for half of that
   * at most before it is made.
   */
  readonly costPerMinute: number;
  /** Costly calls of a user that are worked on side by side in one process. */
  readonly inFlight: number;
  /** Costly calls of a user that wait for their turn; one more is refused. */
  readonly waiting: number;
  /** Seconds after which a single backtest or an estimate is ended, waiting for a thread not included. */
  readonly deadlineSeconds: number;
  /** Event streams of a user in one process. */
  readonly eventStreams: number;
  /** MB that strategies, variable lists and batches of a user take, all of their revisions included. */
  readonly storedMegabytes: number;
  /**
   * Strategies, variable lists, batches and shared results that are not deleted: every list and every sum
   * goes through them.
   */
  readonly storedThings: number;
  /** Changes a day, of whatever: each is kept in the log for good, however small it is. */
  readonly changesPerDay: number;
  /** MB that a user writes a day: what is deleted gives room back, but what was written stays in the log. */
  readonly writtenMegabytesPerDay: number;
  /**
   * Rows a month that batches take over from earlier ones of the same user: they cost no quota, but room on
   * the disk.
   */
  readonly copiedRowsPerMonth: number;
}

/** Questions about results of a user that are worked on side by side in one process: two files and a page. */
export const QUERIES_IN_FLIGHT = 3;

const MIB = 1024 * 1024;
const PAID: UseLimits = {
  costPerMinute: 60,
  inFlight: 8,
  waiting: 64,
  deadlineSeconds: 30,
  eventStreams: 30,
  storedMegabytes: 10_000,
  storedThings: 100_000,
  changesPerDay: 100_000,
  writtenMegabytesPerDay: 3_000,
  copiedRowsPerMonth: 20_000_000,
};

/** The one table of what a plan may use. */
export const USE_LIMITS: Readonly<Record<PlanId, UseLimits>> = {
  free: {
    costPerMinute: 20,
    inFlight: 4,
    waiting: 16,
    deadlineSeconds: 10,
    eventStreams: 10,
    storedMegabytes: 1_000,
    storedThings: 10_000,
    changesPerDay: 20_000,
    writtenMegabytesPerDay: 500,
    copiedRowsPerMonth: 1_000_000,
  },
  api: PAID,
  'copy-trader': PAID,
};

/** Length of the window of `writtenMegabytesPerDay`. */
export const STORAGE_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * All free accounts of one network have together so many times what one of them has: whoever makes twenty of
 * them has three.
 */
export const FREE_ACCOUNTS_OF_A_NETWORK = 3;

/** What is counted for a user within a time. */
export type CountedUse = 'cost' | 'written' | 'changes';

/** Whose use is counted, and the network that it comes from; none where that is a private one. */
export interface UserOfNetwork {
  readonly userId: string;
  readonly planId: PlanId;
  readonly network?: string | null;
}

const keyOf = (use: CountedUse, holder: string): string => `${use}:${holder}`;

/** Under which the cost of a user's calls is counted. */
export const costKey = (userId: string): string => keyOf('cost', userId);

/** Under which the bytes are counted that a user writes in a day. */
export const writtenKey = (userId: string): string => keyOf('written', userId);

/** Under which the changes are counted that a user makes in a day. */
export const changesKey = (userId: string): string => keyOf('changes', userId);

/**
 * The windows that a user's use is counted in, each with how many times its user's limit it has: his own, and
 * that of the free accounts of his network.
 */
export function windowsOf(
  use: CountedUse,
  { userId, planId, network }: UserOfNetwork,
): readonly { readonly key: string; readonly times: number }[] {
  const own = { key: keyOf(use, userId), times: 1 };
  if (planId !== 'free' || !network) return [own];
  return [own, { key: keyOf(use, `free:${network}`), times: FREE_ACCOUNTS_OF_A_NETWORK }];
}

/** Whole seconds until a window ends, for `Retry-After`: 1 at least. */
export const secondsUntil = (endsInMs: number): number => Math.max(1, Math.ceil(endsInMs / 1000));

export const bytesOf = (megabytes: number): number => megabytes * MIB;

/** How large one strategy may be, whichever way it comes: typed, imported, cloned, restored or only run. */
export const STRATEGY_LIMITS = {
  /** Blocks and conditions below the root. */
  blocks: MAX_NODES,
  /** Levels below the root. */
  depth: MAX_NESTING,
  /** Different tickers that stand in the tree, both sides of ratios; the values of variables are not in the tree. */
  tickers: 1_000,
  /** JSON of a request that holds it. */
  bytes: 8 * MIB,
} as const;

/**
 * Different tickers with prices in one batch, variables and their values included: all of them are in memory
 * while it is computed.
 */
export const MAX_BATCH_TICKERS = 2_000;

/**
 * Blocks and conditions of a strategy times trading days, where a run is asked for its reasons
 * (`explanation`, `attribution`): each day of each is kept in memory and written. 2,000 blocks over forty
 * years are within it.
 */
export const MAX_REASONS = 20_000_000;

/** One line of the table of limits as people read it. */
export interface LimitLine {
  readonly name: string;
  /** By plan, in words. */
  readonly values: Readonly<Record<PlanId, string>>;
}

const number = (value: number) => value.toLocaleString('en-US');
const size = (bytes: number) => `${number(bytes / MIB)} MB`;

function line(name: string, value: (limits: UseLimits) => string): LimitLine {
  const { free, api, 'copy-trader': trader } = USE_LIMITS;
  return { name, values: { free: value(free), api: value(api), 'copy-trader': value(trader) } };
}

const same = (name: string, value: string): LimitLine => line(name, () => value);

/** The table of limits, for the developer documentation and the operators' guide. */
export const LIMIT_LINES: readonly LimitLine[] = [
  line('Cost a minute', ({ costPerMinute }) => `${costPerMinute} s of a processor`),
  line('Costly calls at the same time', ({ inFlight }) => number(inFlight)),
  same('Questions about results at the same time', number(QUERIES_IN_FLIGHT)),
  line('Costly calls that wait', ({ waiting }) => number(waiting)),
  line('Longest backtest or estimate', ({ deadlineSeconds }) => `${deadlineSeconds} s of a processor`),
  line('Event streams at the same time', ({ eventStreams }) => number(eventStreams)),
  line('Stored strategies, lists and batches', ({ storedMegabytes }) => `${number(storedMegabytes)} MB`),
  line('Number of strategies, lists and batches', ({ storedThings }) => number(storedThings)),
  line('Changes a day', ({ changesPerDay }) => number(changesPerDay)),
  line('Written a day', ({ writtenMegabytesPerDay }) => `${number(writtenMegabytesPerDay)} MB`),
  {
    name: 'All accounts of one network',
    values: {
      free: `${FREE_ACCOUNTS_OF_A_NETWORK} times that of one`,
      api: 'each its own',
      'copy-trader': 'each its own',
    },
  },
  line('Rows taken over a month', ({ copiedRowsPerMonth }) => number(copiedRowsPerMonth)),
  same('Blocks of a strategy', number(STRATEGY_LIMITS.blocks)),
  same('Levels of a strategy', number(STRATEGY_LIMITS.depth)),
  same('Tickers in a strategy', number(STRATEGY_LIMITS.tickers)),
  same('Tickers in a batch', number(MAX_BATCH_TICKERS)),
  same('Blocks × days of a run with reasons', number(MAX_REASONS)),
  same('Size of a strategy as JSON', size(STRATEGY_LIMITS.bytes)),
];

/** The table as Markdown, for the operators' guide. */
export function limitsAsMarkdown(planNames: Readonly<Record<PlanId, string>>): string {
  const ids = Object.keys(USE_LIMITS) as PlanId[];
  const rows = [
    ['limit', ...ids.map((id) => planNames[id])],
    ...LIMIT_LINES.map(({ name, values }) => [name, ...ids.map((id) => values[id])]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const text = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [text(head), rule, ...body.map(text)].join('\n');
}
