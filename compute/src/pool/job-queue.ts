/** What the queue needs to know of a job. */
export interface QueuedJob {
  /** The user (or other party) whose share of the machine the job uses. */
  readonly owner: string;
  /** Whether its next task may keep a thread for so long that others would wait for it. */
  readonly isLong: boolean;
  /** Whether it is soon done, and somebody waits for it: not a part of a large batch. */
  readonly isSmall: boolean;
  /** Whether the job has a task to hand out to this thread now. */
  isReady(thread: number): boolean;
}

interface Arrival {
  readonly owner: string;
  readonly at: number;
}

interface Owner {
  /** Milliseconds of work done for this owner, counted from the least served owner at the time it came. */
  served: number;
  readonly jobs: Set<QueuedJob>;
}

/** Who came within this time is taken to come again. */
const REMEMBERED_MS = 2_000;

/**
 * Every so many turns an owner's oldest job is served, so that a stream of small jobs cannot hold up a large
 * one for ever.
 */
const OLDEST_TURN = 4;

/**
 * Whose task is next. Owners take turns by the work done for each; within an owner the job that has had the
 * least work goes first, so a small job overtakes a large one.
 */
export class JobQueue<Job extends QueuedJob> {
  private readonly owners = new Map<string, Owner>();
  private readonly attained = new Map<QueuedJob, number>();
  /** Whose small job came last, and who came last before him. */
  private newest: Arrival | null = null;
  private newestOther: Arrival | null = null;
  private turns = 0;

  /** @param now milliseconds of a clock that only goes forward */
  add(job: Job, now = performance.now()): void {
    if (job.isSmall) {
      if (this.newest && this.newest.owner !== job.owner) this.newestOther = this.newest;
      this.newest = { owner: job.owner, at: now };
    }
    let owner = this.owners.get(job.owner);
    if (owner === undefined) {
      const least = Math.min(...Array.from(this.owners.values(), ({ served }) => served));
      owner = { served: Number.isFinite(least) ? least : 0, jobs: new Set() };
      this.owners.set(job.owner, owner);
    }
    owner.jobs.add(job);
    this.attained.set(job, 0);
  }

  delete(job: Job): void {
    const owner = this.owners.get(job.owner);
    owner?.jobs.delete(job);
    if (owner?.jobs.size === 0) this.owners.delete(job.owner);
    this.attained.delete(job);
  }

  /** Whether somebody else has small jobs, or had one a moment ago: people come again and again. */
  isAmongOthers(owner: string, now = performance.now()): boolean {
    for (const [other, { jobs }] of this.owners)
      if (other !== owner && jobs.values().some(({ isSmall }) => isSmall)) return true;
    const other = this.newest?.owner === owner ? this.newestOther : this.newest;
    return other !== null && now - other.at < REMEMBERED_MS;
  }

  /** Counts work done for a job. */
  charge(job: Job, milliseconds: number): void {
    const attained = this.attained.get(job);
    const owner = this.owners.get(job.owner);
    if (attained === undefined || owner === undefined) return;
    this.attained.set(job, attained + milliseconds);
    owner.served += milliseconds;
  }

  /**
   * The job whose task a thread gets next; undefined where no job has one for it.
   *
   * @param takesLong whether the thread may get a long task
   */
  next(thread = 0, takesLong = true): Job | undefined {
    const mayRun = (job: QueuedJob) => (takesLong || !job.isLong) && job.isReady(thread);
    let best: Owner | undefined;
    for (const owner of this.owners.values()) {
      const isReady = owner.jobs.values().some(mayRun);
      if (isReady && (best === undefined || owner.served < best.served)) best = owner;
    }
    if (best === undefined) return undefined;
    this.turns++;
    const ready = [...best.jobs].filter(mayRun) as Job[];
    if (this.turns % OLDEST_TURN === 0) return ready[0];
    return ready.reduce((least, job) => (this.workOf(job) < this.workOf(least) ? job : least));
  }

  /** Whether a job waits that is not long. */
  hasShort(thread: number): boolean {
    for (const { jobs } of this.owners.values())
      for (const job of jobs) if (!job.isLong && job.isReady(thread)) return true;
    return false;
  }

  /** All jobs, oldest first within an owner. */
  jobs(): Job[] {
    return [...this.owners.values()].flatMap((owner) => [...owner.jobs]) as Job[];
  }

  private workOf(job: Job): number {
    return this.attained.get(job) ?? 0;
  }
}
