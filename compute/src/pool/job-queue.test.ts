import { describe, expect, test } from 'vitest';
import { JobQueue, type QueuedJob } from './job-queue.ts';

class FakeJob implements QueuedJob {
  readonly owner: string;
  readonly name: string;
  tasks: number;
  readonly isLong: boolean;
  readonly isSmall: boolean;
  constructor(owner: string, name: string, tasks: number, isLong = false) {
    this.owner = owner;
    this.isLong = isLong;
    this.isSmall = name === 'small';
    this.name = name;
    this.tasks = tasks;
  }
  isReady(): boolean {
    return this.tasks > 0;
  }
}

/** Hands out tasks of 40 ms until `turns` are over or nothing is left; answers whose they were. */
function drain(queue: JobQueue<FakeJob>, turns: number): string[] {
  const order: string[] = [];
  for (let i = 0; i < turns; i++) {
    const job = queue.next();
    if (job === undefined) break;
    job.tasks--;
    order.push(job.name);
    queue.charge(job, 40);
  }
  return order;
}

describe('job queue', () => {
  test('serves owners alike, however many jobs they have', () => {
    const queue = new JobQueue<FakeJob>();
    for (let i = 0; i < 10; i++) queue.add(new FakeJob('ann', 'ann', 100));
    queue.add(new FakeJob('bob', 'bob', 100));
    const order = drain(queue, 40);
    expect(order.filter((name) => name === 'bob')).toHaveLength(20);
  });

  test('lets a small job overtake a large one of the same owner', () => {
    const queue = new JobQueue<FakeJob>();
    queue.add(new FakeJob('ann', 'large', 1000));
    drain(queue, 100);
    const small = new FakeJob('ann', 'small', 3);
    queue.add(small);
    expect(drain(queue, 4).filter((name) => name === 'small')).toHaveLength(3);
  });

  test('serves jobs of one owner in the order they came where they have had the same', () => {
    const queue = new JobQueue<FakeJob>();
    for (const name of ['first', 'second', 'third']) queue.add(new FakeJob('ann', name, 1));
    expect(drain(queue, 3)).toEqual(['first', 'second', 'third']);
  });

  test('gives the oldest job every fourth turn, and the others before', () => {
    const queue = new JobQueue<FakeJob>();
    queue.add(new FakeJob('ann', 'large', 1000));
    drain(queue, 4);
    queue.add(new FakeJob('ann', 'small', 100));
    expect(drain(queue, 4)).toEqual(['small', 'small', 'small', 'large']);
  });

  test('a stream of small jobs does not hold up a large one for ever', () => {
    const queue = new JobQueue<FakeJob>();
    const large = new FakeJob('ann', 'large', 1000);
    queue.add(large);
    drain(queue, 10);
    const before = large.tasks;
    for (let i = 0; i < 40; i++) {
      const small = new FakeJob('ann', 'small', 1);
      queue.add(small);
      drain(queue, 1);
      if (small.tasks === 0) queue.delete(small);
    }
    expect(before - large.tasks).toBeGreaterThanOrEqual(10);
  });

  test('an owner who comes later gets no credit for the time before', () => {
    const queue = new JobQueue<FakeJob>();
    queue.add(new FakeJob('ann', 'ann', 1000));
    drain(queue, 500);
    queue.add(new FakeJob('bob', 'bob', 1000));
    const order = drain(queue, 20);
    expect(order.filter((name) => name === 'ann').length).toBeGreaterThanOrEqual(9);
  });

  test('has nothing where no job is ready, and forgets a job that is gone', () => {
    const queue = new JobQueue<FakeJob>();
    const job = new FakeJob('ann', 'ann', 1);
    queue.add(job);
    queue.add(new FakeJob('bob', 'bob', 0));
    queue.delete(job);
    expect(queue.next()).toBeUndefined();
    expect(queue.jobs().map(({ name }) => name)).toEqual(['bob']);
  });

  test('gives a thread only what it may compute', () => {
    const queue = new JobQueue<FakeJob>();
    const pinned = new (class extends FakeJob {
      override isReady(thread = 0): boolean {
        return super.isReady() && thread === 1;
      }
    })('ann', 'pinned', 1);
    queue.add(pinned);
    expect(queue.next(0)).toBeUndefined();
    expect(queue.next(1)).toBe(pinned);
  });

  test('keeps long jobs from a thread that is there for short ones', () => {
    const queue = new JobQueue<FakeJob>();
    queue.add(new FakeJob('ann', 'long', 1, true));
    expect(queue.hasShort(0)).toBe(false);
    expect(queue.next(0, false)).toBeUndefined();
    queue.add(new FakeJob('bob', 'short', 1));
    expect(queue.hasShort(0)).toBe(true);
    expect(queue.next(0, false)?.name).toBe('short');
    expect(queue.next(1)?.name).toBe('long');
  });
});

describe('what has left the queue', () => {
  test('counts for nobody: neither the work of a job that is gone, nor an owner who has none', () => {
    const queue = new JobQueue<FakeJob>();
    const gone = new FakeJob('ann', 'gone', 100);
    const [ann, bob] = [new FakeJob('ann', 'ann', 100), new FakeJob('bob', 'bob', 1_000)];
    for (const job of [gone, ann, bob]) queue.add(job);
    queue.delete(gone);
    // The answer of its last task comes after it was given up.
    queue.charge(gone, 1_000);
    expect(drain(queue, 10).filter((name) => name === 'ann')).toHaveLength(5);
    queue.delete(ann);
    drain(queue, 100);
    // Who comes again begins beside the others, as somebody new would.
    const again = new FakeJob('ann', 'ann', 100);
    queue.add(again);
    expect(drain(queue, 10).filter((name) => name === 'ann')).toHaveLength(5);
    queue.delete(bob);
    queue.delete(again);
    const [cid, dan] = [new FakeJob('cid', 'cid', 100), new FakeJob('dan', 'dan', 100)];
    queue.add(cid);
    drain(queue, 10);
    queue.add(dan);
    expect(drain(queue, 10).filter((name) => name === 'dan')).toHaveLength(5);
  });
});

describe('whether small jobs of others come', () => {
  test('is so while they are there, and for two seconds after the last came', () => {
    const queue = new JobQueue<FakeJob>();
    queue.add(new FakeJob('ann', 'large', 1000), 0);
    expect(queue.isAmongOthers('ann', 0)).toBe(false);
    const small = new FakeJob('bob', 'small', 1);
    queue.add(small, 1_000);
    expect(queue.isAmongOthers('ann', 60_000)).toBe(true);
    queue.delete(small);
    expect(queue.isAmongOthers('ann', 2_999)).toBe(true);
    expect(queue.isAmongOthers('ann', 3_000)).toBe(false);
  });

  test('is not so of large ones, and of one’s own', () => {
    const queue = new JobQueue<FakeJob>();
    queue.add(new FakeJob('ann', 'large', 1000), 0);
    queue.add(new FakeJob('ann', 'small', 1), 0);
    queue.add(new FakeJob('bob', 'large', 1000), 0);
    expect(queue.isAmongOthers('ann', 10)).toBe(false);
    expect(queue.isAmongOthers('bob', 10)).toBe(true);
  });

  test('is not forgotten because one’s own jobs come between', () => {
    const queue = new JobQueue<FakeJob>();
    const small = new FakeJob('bob', 'small', 1);
    queue.add(small, 0);
    queue.delete(small);
    for (const at of [10, 20, 30]) queue.add(new FakeJob('ann', 'small', 1), at);
    expect(queue.isAmongOthers('ann', 1_900)).toBe(true);
    expect(queue.isAmongOthers('ann', 2_000)).toBe(false);
  });
});
