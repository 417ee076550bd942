import { describe, expect, it } from 'vitest';
import { MEASURED } from './costs.ts';
import { Node } from './node.ts';
import { type Cluster, type Load, simulate } from './simulate.ts';
import { Timeline } from './timeline.ts';

const cluster: Cluster = {
  nodes: 10,
  threads: 2,
  jobPartitions: 32,
  partitionsPerSlot: 4,
  apiProcessors: 8,
  storeProcessors: 12,
};
const load: Load = { users: 50, batchesPerSecond: 0.5, seconds: 600, seed: 7 };

it('lets a node share its threads among what it does', () => {
  const timeline = new Timeline();
  const node = new Node(timeline, 2);
  const ends: [string, number][] = [];
  const run = (name: string, seconds: number, most: number) =>
    node.run(seconds, most, () => ends.push([name, timeline.now]));
  run('both threads', 4, 2);
  timeline.at(1, () => run('one thread', 1, 1));
  timeline.runTo(10);
  // Alone for a second (2 of 4 done), then one thread each.
  expect(ends).toEqual([
    ['one thread', 2],
    ['both threads', 2.5],
  ]);
  expect(node.worked).toBe(5);
});

it('lets things happen in the order of their times, and those of the same time as they were planned', () => {
  const timeline = new Timeline();
  const seen: number[] = [];
  for (const time of [5, 3, 9, 1, 3.5, 7, 2]) timeline.at(time, () => seen.push(time));
  timeline.at(3, () => timeline.after(1, () => seen.push(4)));
  timeline.runTo(8);
  expect(seen).toEqual([1, 2, 3, 3.5, 4, 5, 7]);
  expect(timeline.now).toBe(8);
});

describe('the simulated cluster', () => {
  it('comes to the same each time, and to something else with another seed', () => {
    expect(simulate(cluster, load, MEASURED)).toEqual(simulate(cluster, load, MEASURED));
    expect(simulate(cluster, { ...load, seed: 8 }, MEASURED)).not.toEqual(simulate(cluster, load, MEASURED));
  });
  it('does what is asked of it where it has room, and falls behind where it has none', () => {
    const calm = simulate(cluster, load, MEASURED);
    expect(calm.batches).toBeGreaterThan(0.9 * load.batchesPerSecond * load.seconds);
    expect(calm.quick.p95).toBeLessThan(2);
    const lost = simulate({ ...cluster, nodes: 1 }, load, MEASURED);
    expect(lost.batches).toBeLessThan(calm.batches);
    expect(lost.busy.nodes).toBeGreaterThan(0.8);
    expect(lost.busy.nodes).toBeLessThanOrEqual(1);
  });
  it('is slowed down by a log that takes a second for an event', () => {
    const slow = simulate(cluster, load, { ...MEASURED, append: 1 });
    expect(slow.busy.log).toBeGreaterThan(1);
    expect(slow.batches).toBeLessThan(50);
  });
  it('uses all nodes for one user who is alone', () => {
    const alone = simulate(
      { ...cluster, jobPartitions: 64 },
      { ...load, users: 1, batchesPerSecond: 5 },
      MEASURED,
    );
    expect(alone.busy.nodes).toBeGreaterThan(0.85);
  });
});
