import { backtestErrorsProjection } from '@quantloom/domain/backtest-error/projections';
import {
  BATCH_PROGRESS_COLLECTION,
  type BatchDocument,
  type BatchProgressDocument,
  batchesProjection,
} from '@quantloom/domain/batch/projections';
import { type AdminDashboard, getAdminDashboard } from '@quantloom/domain/contracts/http/admin-dashboard';
import {
  CONSUMER_GROUPS,
  DEAD_LETTER_GROUP,
  DEAD_LETTER_TOPICS,
  TOPICS,
  WORK,
} from '@quantloom/domain/contracts/messages/topics';
import { PLANS, type PlanId } from '@quantloom/domain/identity/plans';
import type { Projection } from '@quantloom/domain/kernel/projection';
import { checkpointName } from '@quantloom/domain/kernel/projection';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { awayIn, DEPENDENCY_NAMES, type Outages } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { usersProjection } from '@quantloom/domain/user/projection';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import type { ReadDeps } from '../deps.ts';

export interface DashboardDeps extends ReadDeps {
  /** Without it the lag of consumers is not shown. */
  readonly bus?: Pick<MessageBus, 'lag'>;
  /** Absent where no server is needed. */
  readonly outages?: Outages;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Sign of life: a working node reports about once a second. */
const ALIVE_MS = 60_000;
/** Counting further behind than this helps nobody and costs reads. */
const MAX_LAG = 1_000;

type Node = AdminDashboard['nodes'][number];
type Follower = AdminDashboard['followers'][number];

/** What an operator needs at a glance, from read models, log and bus at the moment of the request. */
export function mountAdminDashboard(app: FastifyInstance, deps: DashboardDeps): void {
  const { readModels, clock } = deps;
  // On a new installation, or before the first batch, nobody else may have made them yet.
  app.addHook('onReady', async () => {
    for (const { collection } of [batchesProjection, backtestErrorsProjection, usersProjection])
      await readModels.ensureCollection(collection);
    await readModels.ensureCollection(BATCH_PROGRESS_COLLECTION);
  });
  mountRoute(app, getAdminDashboard, async () => {
    const now = clock.now().getTime();
    const batches = batchesProjection.collection.name;
    const [queued, running, oldest, progress, errors, followers, plans] = await Promise.all([
      readModels.count(batches, { status: 'Queued' }),
      readModels.count(batches, { status: { in: ['Running', 'CompilingResults'] } }),
      readModels.find<BatchDocument>(batches, {
        where: { status: 'Queued' },
        sort: [['createdAt', 'asc']],
        limit: 1,
      }),
      readModels.find<BatchProgressDocument>(BATCH_PROGRESS_COLLECTION.name, { limit: MAX_LAG }),
      errorsByHour(readModels, now),
      followersOf(deps),
      usersByPlan(deps),
    ]);
    const waiting = oldest[0]?.createdAt;
    return {
      batches: {
        queued,
        running,
        queue_wait_seconds: waiting === undefined ? null : Math.max(0, (now - Date.parse(waiting)) / 1000),
      },
      outages: (deps.outages?.current() ?? []).map(({ dependency, since, reason }) => ({
        name: DEPENDENCY_NAMES[dependency],
        since: since.toISOString(),
        reason,
      })),
      dead_letters: deps.bus ? await orUnknown(deadLetters(deps.bus)) : null,
      nodes: nodesOf(progress, now),
      followers,
      errors_by_hour: errors,
      users_by_plan: plans,
    };
  });
}

/** Nodes over all batches that they work on, by their last sign of life. */
export function nodesOf(progress: readonly BatchProgressDocument[], now: number): Node[] {
  const nodes = new Map<string, { rate: number; partitions: number; at: string }>();
  for (const { running } of progress)
    for (const { node, rate, at } of Object.values(running)) {
      if (now - Date.parse(at) > ALIVE_MS) continue;
      const known = nodes.get(node);
      nodes.set(node, {
        rate: (known?.rate ?? 0) + rate,
        partitions: (known?.partitions ?? 0) + 1,
        at: known && known.at > at ? known.at : at,
      });
    }
  return [...nodes]
    .map(([node, figures]) => ({ node, ...figures }))
    .sort((a, b) => a.node.localeCompare(b.node));
}

/**
 * Backtest errors by hour, the oldest of the last 24 first. Counted by the store: each holds all that the
 * engine knew.
 */
export async function errorsByHour(readModels: Pick<ReadModels, 'count'>, now: number): Promise<number[]> {
  const at = (hoursAgo: number) => new Date(now - hoursAgo * HOUR_MS).toISOString();
  return await Promise.all(
    Array.from({ length: HOURS }, (_, hour) =>
      readModels.count(backtestErrorsProjection.collection.name, {
        createdAt: { gt: at(HOURS - hour), lte: at(HOURS - hour - 1) },
      }),
    ),
  );
}

async function followersOf(deps: DashboardDeps): Promise<Follower[]> {
  const projections = PROJECTIONS.map(
    async (projection): Promise<Follower> => ({
      name: projection.name,
      kind: 'projection',
      lag: await orUnknown(eventsBehind(deps, projection)),
    }),
  );
  const { bus } = deps;
  const consumers = bus
    ? WORK.map(
        async (kind): Promise<Follower> => ({
          name: TOPICS[kind].name,
          kind: 'consumer',
          lag: await orUnknown(bus.lag(CONSUMER_GROUPS[kind], TOPICS[kind].name)),
        }),
      )
    : [];
  return await Promise.all([...projections, ...consumers]);
}

async function deadLetters(bus: Pick<MessageBus, 'lag'>): Promise<number> {
  const counts = await Promise.all(
    DEAD_LETTER_TOPICS.map(async ({ dead }) => {
      try {
        return await bus.lag(DEAD_LETTER_GROUP, dead);
      } catch (error) {
        // The topic comes with its first message.
        if ((error as { code?: unknown }).code === 'unknown_topic') return 0;
        throw error;
      }
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** null while the server that knows is away: the rest of the dashboard is what an operator needs just then. */
async function orUnknown(lag: Promise<number>): Promise<number | null> {
  try {
    return await lag;
  } catch (error) {
    if (awayIn(error)) return null;
    throw error;
  }
}

/** Events that the projection still has to apply, counted up to 1,000. */
async function eventsBehind({ eventStore, readModels }: ReadDeps, projection: Projection): Promise<number> {
  const reached = (await readModels.checkpoint(checkpointName(projection))) ?? BEFORE_FIRST;
  let behind = 0;
  const filter = { eventTypes: projection.handles };
  for await (const _ of eventStore.readAll(reached, { filter, maxCount: MAX_LAG })) behind += 1;
  return behind;
}

async function usersByPlan({ readModels }: ReadDeps): Promise<Record<string, number>> {
  const counts = await Promise.all(
    (Object.keys(PLANS) as PlanId[]).map(
      async (planId) =>
        [planId, await readModels.count(usersProjection.collection.name, { planId })] as const,
    ),
  );
  return Object.fromEntries(counts);
}
