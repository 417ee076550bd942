import { CONSUMER_GROUPS, TOPICS, WORK } from '@quantloom/domain/contracts/messages/topics';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { RunningBatchProcesses } from '@quantloom/projectors/processes/start-batch-processes';
import type { Projectors } from '@quantloom/projectors/projectors';
import { countDeadLetters } from '../wiring/dead-letters.ts';
import type { Metrics } from './metrics.ts';

/**
 * How far the projections are behind the log, and the compute nodes behind their jobs; from the process that
 * runs the projections.
 */
export function measureLags(
  metrics: Metrics,
  deps: {
    readonly eventStore: EventStore;
    readonly bus: MessageBus;
    readonly projectors: Projectors;
    readonly processes: Pick<RunningBatchProcesses, 'backlog'>;
  },
): void {
  const { eventStore, bus, projectors, processes } = deps;
  metrics.gauge(
    'backlog_seconds',
    'Batches that wait or run, in seconds of work by their estimates; only from the process that hands out the work',
    ['kind'],
    async () =>
      (processes.backlog() ?? []).map(({ kind, seconds }) => ({ labels: { kind }, value: seconds })),
  );
  metrics.gauge(
    'backlog_partitions',
    'Partitions of batches that wait or are on their way; only from the process that hands out the work',
    ['kind'],
    async () =>
      (processes.backlog() ?? []).map(({ kind, partitions }) => ({ labels: { kind }, value: partitions })),
  );
  metrics.gauge(
    'projection_lag',
    'Positions of the log that a projection has not reached (events with the embedded log, bytes with EventStoreDB)',
    ['projection', 'state'],
    async () => {
      const head = await eventStore.head();
      return projectors.status().map(({ name, state, reached }) => ({
        labels: { projection: name, state },
        value: Math.max(0, Number(head - reached)),
      }));
    },
  );
  metrics.gauge(
    'dead_letters',
    'Messages that no delivery could handle and nobody has put back',
    ['topic'],
    async () =>
      (await countDeadLetters(bus)).map(({ topic, count }) => ({ labels: { topic }, value: count })),
  );
  metrics.gauge(
    'consumer_lag',
    'Jobs on the bus that no compute node has finished',
    ['group', 'topic'],
    async () =>
      await Promise.all(
        WORK.map(async (kind) => {
          const [group, topic] = [CONSUMER_GROUPS[kind], TOPICS[kind].name];
          return { labels: { group, topic }, value: await bus.lag(group, topic) };
        }),
      ),
  );
}
