/** What the queue needs to know of a job. */
export interface QueuedJob {
  /** The user (or other party) whose share of the machine the job uses. */
  readonly owner: string;
  /** Whether the job has a task to hand out to this thread now. */
  isReady(thread: number): boolean;
}

interface Owner {
  /** Milliseconds of work done for this owner, counted from the least served owner at the time it came. */
  served: number;
  readonly jobs: Set<QueuedJob>;
}

/** Every so many turns an owner's oldest job is served, so that a stream of small jobs cannot hold up a large one for ever. */
const OLDEST_TURN = 4;

/**
 * Whose task is next. Owners take turns by the work done for each; within an owner the job that has had the least work goes first, so
 * a small job overtakes a large one.
 */
export class JobQueue<Job extends QueuedJob> {
  private readonly owners = new Map<string, Owner>();
  private readonly attained = new Map<QueuedJob, number>();
  private turns = 0;

  add(job: Job): void {
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

  /** Counts work done for a job. */
  charge(job: Job, milliseconds: number): void {
    const attained = this.attained.get(job);
    const owner = this.owners.get(job.owner);
    if (attained === undefined || owner === undefined) return;
    this.attained.set(job, attained + milliseconds);
    owner.served += milliseconds;
  }

  /** The job whose task a thread gets next; undefined where no job has one for it. */
  next(thread = 0): Job | undefined {
    let best: Owner | undefined;
    for (const owner of this.owners.values()) {
      const isReady = owner.jobs.values().some((job) => job.isReady(thread));
      if (isReady && (best === undefined || owner.served < best.served)) best = owner;
    }
    if (best === undefined) return undefined;
    this.turns++;
    const ready = [...best.jobs].filter((job) => job.isReady(thread)) as Job[];
    if (this.turns % OLDEST_TURN === 0) return ready[0];
    return ready.reduce((least, job) => (this.workOf(job) < this.workOf(least) ? job : least));
  }

  /** All jobs, oldest first within an owner. */
  jobs(): Job[] {
    return [...this.owners.values()].flatMap((owner) => [...owner.jobs]) as Job[];
  }

  private workOf(job: Job): number {
    return this.attained.get(job) ?? 0;
  }
}
