/**
 * What one piece of work costs, in seconds of one processor of the machine that docs/scale.md names; the
 * source of each stands behind it, or that it is assumed.
 */
export interface Costs {
  /** Engine and the node's part of storing, by row of a cheap template. */
  readonly row: number;
  /** A job beside its rows: two commands, the ranges that are stored, the messages. */
  readonly job: number;
  /** A batch that a thread of a node has not had before: its plan, its columns, and code that is compiled for it. */
  readonly opened: number;
  /** A node with nothing to do: what it asks its servers for all the same, as part of a processor. */
  readonly idle: number;
  /** Summing up and judging, by row, and of any batch. */
  readonly summedRow: number;
  readonly summedBatch: number;
  /** The batch process, by event that it reacts to. */
  readonly reaction: number;
  /** One event of one projection, of which one process works each. */
  readonly projected: number;
  /** A progress message that is written to the read model. */
  readonly progress: number;
  /** An append to the log: it takes one after the other. */
  readonly append: number;
  /** All that the gateway and both APIs do for a batch, watched to its end. */
  readonly request: number;
  /** A row in the results store: its server's work, and bytes on its disk. */
  readonly storedRow: number;
  readonly storedBytes: number;
}

export const MEASURED: Costs = {
  row: 11.3e-6, // docs/scale.md, e2e/cluster/scale.ts: what 840,000 further rows cost one node, without summing up
  job: 0.012, // assumed: not measured apart from its rows
  opened: 0.2, // bench/scale/node-costs.ts: the first block of a batch, more than a later one; the first batch of a process takes 2 s more
  idle: 0.021, // docs/scale.md: a node with nothing to do
  summedRow: 3e-6, // bench/fairness/head-of-line.ts: 4.5 s for 1,488,000 rows
  summedBatch: 0.05, // assumed
  reaction: 0.004, // bench/fairness/dispatch.ts (0.5 ms), and what reading the stream on a server is assumed to take
  projected: 1 / 19_000, // issue 27: catch-up from a real EventStoreDB in one stream
  progress: 0.0015, // assumed: one read and one write of a document
  append: 1 / 1_900, // issue 27: appends to a real EventStoreDB
  request: 1.9, // docs/scale.md: gateway, command-api and query-api, a batch of 200,000
  storedRow: 6.5e-6, // processor time of the ClickHouse server for 180,224 rows in blocks of 16,384
  storedBytes: 192, // docs/scale.md
};
