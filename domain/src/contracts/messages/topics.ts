/** Topics of the bus, by major version; the key is the id of what must stay in order. */
export const TOPICS = {
  /** Partitions of large batches. */
  jobs: { name: 'backtest.jobs.v1', partitions: 16 },
  /** Partitions of small batches, so that they overtake large ones. */
  quickJobs: { name: 'backtest.quick-jobs.v1', partitions: 16 },
  /** Large batches whose rows are all there, to be summed up and judged. */
  compile: { name: 'backtest.compile.v1', partitions: 16 },
  /** Small ones, so that they overtake those that take half a minute. */
  quickCompile: { name: 'backtest.quick-compile.v1', partitions: 16 },
  /** Followed strategies that have to be decided or compared with a new version of the prices. */
  evaluations: { name: 'forward-test.evaluations.v1', partitions: 16 },
  progress: { name: 'backtest.progress.v1', partitions: 4 },
  /** What compute nodes say of themselves; every process that hands out work reads all of it. */
  nodes: { name: 'backtest.nodes.v1', partitions: 1 },
  /** Batch ids whose work must stop now; every compute node reads all of it. */
  cancellations: { name: 'backtest.cancellations.v1', partitions: 1 },
} as const;

/** Consumer groups of what compute nodes do; what autoscaling reads the lag of. */
export const CONSUMER_GROUPS = {
  jobs: 'compute.jobs.v1',
  quickJobs: 'compute.quick-jobs.v1',
  compile: 'compute.compile.v1',
  quickCompile: 'compute.quick-compile.v1',
  evaluations: 'compute.evaluations.v1',
} as const;

/** What compute nodes work off: who asks for one of them finds both its topic and its group. */
export const WORK = ['jobs', 'quickJobs', 'compile', 'quickCompile', 'evaluations'] as const;

/** Consumer group of whoever puts dead letters back: what it has not taken is what still lies there. */
export const DEAD_LETTER_GROUP = 'operators.dead-letters.v1';

/** Topics whose messages go to `<topic>.dead` when no delivery could handle them, by both names. */
export const DEAD_LETTER_TOPICS: readonly { readonly topic: string; readonly dead: string }[] = Object.values(
  TOPICS,
).map(({ name }) => ({ topic: name, dead: `${name}.dead` }));
