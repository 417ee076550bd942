/** A server that the product cannot do without for long, or the threads of the process itself that compute. */
export type Dependency = 'eventStore' | 'bus' | 'readModels' | 'results' | 'threads';

/** What people call them. */
export const DEPENDENCY_NAMES: Readonly<Record<Dependency, string>> = {
  eventStore: 'event log',
  bus: 'message bus',
  readModels: 'store of the read models',
  results: 'results store',
  threads: 'pool of computing threads',
};

/** A dependency that does not answer just now. */
export interface Outage {
  readonly dependency: Dependency;
  readonly since: Date;
  /** What was tried and what came of it, as a sentence without an address or a secret of its own. */
  readonly reason: string;
  /**
   * It answers, and refuses some of what it is asked, such as rows for which it has no room: the rest works,
   * and only trying tells when it is over.
   */
  readonly isPartial?: true;
}

/** Which dependencies of this process are away, and when they are back. */
export interface Outages {
  current(): readonly Outage[];
  /**
   * Resolves when no server is away any more, or when the signal aborts. Where one is so only in part, it
   * resolves after a pause: then one tries again.
   *
   * @param error what cannot go on, and why: the threads of this process are waited for where they are needed
   */
  untilBack(signal: AbortSignal, error?: unknown): Promise<void>;
}

/** For processes whose stores are files: what is in the process is never away. */
export const NO_OUTAGES: Outages = { current: () => [], untilBack: () => Promise.resolve() };

/**
 * What was asked for needs a server that does not answer just now. Nobody's fault: it is to be tried again,
 * not to be counted or recorded as a failure. Whether the work was done is not known.
 */
export class DependencyAwayError extends Error {
  readonly code = 'dependency_away';
  readonly dependency: Dependency;
  constructor(dependency: Dependency, reason: string, options?: ErrorOptions) {
    super(`The ${DEPENDENCY_NAMES[dependency]} is away: ${reason}`, options);
    this.name = 'DependencyAwayError';
    this.dependency = dependency;
  }
}

/** The outage that an error comes from, if it comes from one. */
export function awayIn(error: unknown): DependencyAwayError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as { code?: unknown }).code === 'dependency_away') return cause as DependencyAwayError;
  return null;
}

/** "results store away since 14:03:22 UTC". */
export function outageWords({
  dependency,
  since,
  isPartial,
}: Pick<Outage, 'dependency' | 'since' | 'isPartial'>): string {
  const what = isPartial ? 'refuses work' : 'away';
  return `${DEPENDENCY_NAMES[dependency]} ${what} since ${since.toISOString().slice(11, 19)} UTC`;
}
