import { partitionOf } from '@quantloom/adapters/message-bus/partitioner';
import { DispatchBoard } from '@quantloom/domain/batch/dispatch';
import { cutPartitions, QUICK_COMPILE_ROWS } from '@quantloom/domain/batch/partitioning';
import { jobKey } from '@quantloom/domain/contracts/messages/jobs';
import { percentile } from '../results/percentile.ts';
import type { Costs } from './costs.ts';
import { Node } from './node.ts';
import { Timeline } from './timeline.ts';

export interface Cluster {
  readonly nodes: number;
  /** Threads that compute, of each node. */
  readonly threads: number;
  /** Partitions of each topic of work. */
  readonly jobPartitions: number;
  readonly partitionsPerSlot: number;
  readonly apiProcessors: number;
  readonly storeProcessors: number;
}

export interface Load {
  readonly users: number;
  readonly batchesPerSecond: number;
  /** Seconds that are simulated. */
  readonly seconds: number;
  readonly seed: number;
}

export interface Outcome {
  readonly batches: number;
  readonly rows: number;
  /** Seconds from the click to the rows of batches that one node computes in two seconds. */
  readonly quick: { readonly p50: number; readonly p95: number };
  /** Seconds until the batch is finished, divided by what all nodes together would need for it alone, of large ones. */
  readonly largeStretch: number;
  /** Part of the time that each thing was at work; above 1 it falls behind. */
  readonly busy: Readonly<Record<Part, number>>;
  readonly terabytesPerMonth: number;
}

export const PARTS = ['nodes', 'batch process', 'projections', 'log', 'APIs', 'results store'] as const;
export type Part = (typeof PARTS)[number];

const SLOTS = 2;
/**
 * Kinds of batches: the part of all up to this kind (7, 2, 0.8 and 0.2 of ten), rows, and how many times as
 * dear as a cheap one a row is.
 */
const KINDS = [
  { upTo: 0.7, rows: 2_000, dear: 10 },
  { upTo: 0.9, rows: 20_000, dear: 10 },
  { upTo: 0.98, rows: 150_000, dear: 20 },
  { upTo: 1, rows: 1_500_000, dear: 5 },
] as const;

interface Batch {
  readonly id: string;
  readonly userId: string;
  readonly rows: number;
  readonly secondsPerRow: number;
  readonly partitionSize: number;
  readonly isQuick: boolean;
  readonly createdAt: number;
  readonly waiting: number[];
  inFlight: number;
  left: number;
}

interface Job {
  readonly batch: Batch;
  readonly rows: number;
  readonly isSum: boolean;
}

/** One thing that does one piece of work after the other. */
class Serial {
  worked = 0;
  #free = 0;

  /** When work that comes now is done. */
  take(now: number, seconds: number): number {
    this.worked += seconds;
    this.#free = Math.max(now, this.#free) + seconds;
    return this.#free;
  }
}

/** Numbers from 0 to 1 that repeat with the seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A cluster at work, event by event: the dispatch and the cutting are the product's own code, jobs lie in the
 * partitions that their keys hash to, one after the other in each, and what they take comes from the measured
 * costs. The same input gives the same outcome.
 */
export function simulate(cluster: Cluster, load: Load, costs: Costs): Outcome {
  const timeline = new Timeline();
  const random = randomOf(load.seed);
  const boards = new DispatchBoard();
  const batches = new Map<string, Batch>();
  const process = new Serial();
  const projections = new Serial();
  const log = new Serial();
  const nodes = Array.from({ length: cluster.nodes }, () => ({
    running: [0, 0, 0, 0],
    machine: new Node(timeline, cluster.threads - costs.idle),
    opened: new Set<string>(),
  }));
  /** Topic → partition → what waits there, the first one perhaps in work. */
  const topics = Array.from({ length: 4 }, () =>
    Array.from({ length: cluster.jobPartitions }, () => ({ queue: [] as Job[], isBusy: false })),
  );
  const widths = [SLOTS, SLOTS, 1, SLOTS];
  const done = { batches: 0, rows: 0, requests: 0 };
  const quick: number[] = [];
  const stretches: number[] = [];
  const nodeOf = (partition: number) => partition % cluster.nodes;

  const record = (events: number, then: () => void) => {
    const written = log.take(timeline.now, events * costs.append);
    projections.take(written, events * costs.projected);
    timeline.at(process.take(written, events * costs.reaction), then);
  };

  const note = (batch: Batch) => {
    const { id: batchId, userId, isQuick, waiting, inFlight } = batch;
    boards.note({ batchId, userId, isQuick, waiting: waiting.length, inFlight }, true);
  };

  const dispatch = () => {
    const all = cluster.nodes * SLOTS * cluster.partitionsPerSlot;
    for (const isQuick of [true, false])
      for (const { batchId, count } of boards.next(isQuick, { all, perUser: 8 })) {
        const batch = batches.get(batchId);
        if (!batch) continue;
        const partitions = batch.waiting.splice(0, count);
        batch.inFlight += partitions.length;
        note(batch);
        record(1, () => {
          for (const partition of partitions) {
            const from = partition * batch.partitionSize;
            const rows = Math.min(batch.partitionSize, batch.rows - from);
            publish(isQuick ? 1 : 0, jobKey(batchId, partition), { batch, rows, isSum: false });
          }
        });
      }
  };

  /** Each thread of a node opens a batch for itself, once. */
  const openedBy = (opened: Set<string>, id: string) => {
    if (opened.has(id)) return 0;
    opened.add(id);
    return costs.opened * cluster.threads;
  };

  const publish = (topic: number, key: string, job: Job) => {
    const number = partitionOf(key, cluster.jobPartitions);
    topics[topic]?.[number]?.queue.push(job);
    pump(nodeOf(number));
  };

  /** Begins what the node may begin: as many of each topic as it works on side by side, one of a partition. */
  const pump = (name: number) => {
    const node = nodes[name];
    if (!node) return;
    for (const [topic, partitions] of topics.entries())
      for (let number = name; number < cluster.jobPartitions; number += cluster.nodes) {
        const partition = partitions[number];
        if ((node.running[topic] ?? 0) >= (widths[topic] ?? 0)) break;
        const job = partition?.queue[0];
        if (!partition || !job || partition.isBusy) continue;
        partition.isBusy = true;
        node.running[topic] = (node.running[topic] ?? 0) + 1;
        const seconds = job.isSum
          ? costs.summedBatch + job.rows * costs.summedRow
          : costs.job + openedBy(node.opened, job.batch.id) + job.rows * job.batch.secondsPerRow;
        const began = timeline.now;
        // Blocks of a partition are computed by all threads; summing up is one thread's work.
        node.machine.run(seconds, job.isSum ? 1 : cluster.threads, () => {
          partition.queue.shift();
          partition.isBusy = false;
          node.running[topic] = (node.running[topic] ?? 0) - 1;
          if (job.isSum) record(1, () => finished(job.batch));
          else record(2, () => computed(job, timeline.now - began));
          pump(name);
        });
      }
  };

  const computed = ({ batch, rows }: Job, seconds: number) => {
    done.rows += rows;
    process.take(timeline.now, Math.ceil(seconds) * costs.progress);
    batch.inFlight -= 1;
    batch.left -= 1;
    note(batch);
    if (batch.left === 0) {
      if (batch.rows * batch.secondsPerRow <= 2) quick.push(timeline.now - batch.createdAt);
      record(1, () =>
        publish(batch.rows < QUICK_COMPILE_ROWS ? 3 : 2, batch.id, { batch, rows: batch.rows, isSum: true }),
      );
    }
    dispatch();
  };

  const finished = (batch: Batch) => {
    done.batches += 1;
    batches.delete(batch.id);
    for (const { opened } of nodes) opened.delete(batch.id);
    const alone = (batch.rows * batch.secondsPerRow) / (cluster.nodes * cluster.threads);
    if (batch.rows >= 1_000_000) stretches.push((timeline.now - batch.createdAt) / Math.max(alone, 3));
  };

  const arrive = () => {
    const dice = random();
    const kind = KINDS.find(({ upTo }) => dice < upTo) ?? KINDS[0];
    const secondsPerRow = costs.row * kind.dear * (0.5 + random());
    const rows = Math.ceil(kind.rows * (0.5 + random()));
    const { partitionSize, partitions, isQuick } = cutPartitions(rows, rows * secondsPerRow);
    const batch: Batch = {
      id: `b${done.requests}`,
      userId: `u${Math.floor(random() * load.users)}`,
      rows,
      secondsPerRow,
      partitionSize,
      isQuick,
      createdAt: timeline.now,
      waiting: Array.from({ length: partitions }, (_, i) => i),
      inFlight: 0,
      left: partitions,
    };
    done.requests += 1;
    batches.set(batch.id, batch);
    record(2, () => {
      note(batch);
      dispatch();
    });
    timeline.after(-Math.log(1 - random()) / load.batchesPerSecond, arrive);
  };

  timeline.at(0, arrive);
  timeline.runTo(load.seconds);
  const worked = nodes.reduce((sum, node) => sum + node.machine.worked, 0);
  return {
    batches: done.batches,
    rows: done.rows,
    quick: { p50: percentile(quick, 0.5), p95: percentile(quick, 0.95) },
    largeStretch: percentile(stretches, 0.5),
    busy: {
      nodes: worked / (cluster.nodes * cluster.threads * load.seconds) + costs.idle / cluster.threads,
      'batch process': process.worked / load.seconds,
      projections: projections.worked / load.seconds,
      log: log.worked / load.seconds,
      APIs: (done.requests * costs.request) / (cluster.apiProcessors * load.seconds),
      'results store': (done.rows * costs.storedRow) / (cluster.storeProcessors * load.seconds),
    },
    terabytesPerMonth: ((done.rows * costs.storedBytes) / load.seconds) * 2.63e6 * 1e-12,
  };
}
