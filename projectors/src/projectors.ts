import type { EventCatalogue } from '@quantloom/domain/kernel/event-type';
import type { Projection } from '@quantloom/domain/kernel/projection';
import type { Clock } from '@quantloom/domain/ports/clock';
import { BEFORE_FIRST, type EventStore, type Position } from '@quantloom/domain/ports/event-store';
import { type Log, NO_LOG } from '@quantloom/domain/ports/log';
import type { Outages } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { rebuildProjection } from './rebuild/rebuild-projection.ts';
import { ProjectionRunner, type RunnerState } from './runtime/projection-runner.ts';
import { Turns } from './runtime/turns.ts';

export interface ProjectorsDeps {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly Projection[];
  /** Every event type of the product (`domain/src/event-catalogue.ts`). */
  readonly catalogue: EventCatalogue;
  readonly clock: Clock;
  readonly log?: Log;
  /** Absent where no server is needed. */
  readonly outages?: Outages;
  /** Events per commit at most (default 500). */
  readonly batchSize?: number;
  /** Default 50 ms. */
  readonly idleSaveMs?: number;
  /** Default 1000 ms. */
  readonly retryMs?: number;
}

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly state: RunnerState;
  readonly reached: Position;
  readonly lastError: string | null;
  /** Why it is stopped until somebody does something, with the command that heals it. */
  readonly stoppedFor: string | null;
}

export interface Projectors {
  start(): Promise<void>;
  /** Drains: batches under way are written, then the runners end. */
  stop(): Promise<void>;
  /**
   * True as soon as the projections (default: all) have applied everything up to `position`; false when
   * `timeoutMs` (default 2000) passed first.
   */
  whenReached(
    position: Position,
    options?: { projections?: readonly string[]; timeoutMs?: number },
  ): Promise<boolean>;
  /**
   * Builds a projection anew from position 0 beside the one that serves, then switches. Rejects for an
   * unknown name.
   */
  rebuild(name: string): Promise<{ events: number; documents: number }>;
  status(): readonly ProjectionStatus[];
}

interface Waiter {
  readonly position: Position;
  readonly runners: readonly ProjectionRunner[];
  readonly done: (isReached: boolean) => void;
}

/** The first sentence about a projection that is stopped until somebody does something; null: there is none. */
export function stoppedProjection({ status }: Pick<Projectors, 'status'>): string | null {
  return status().find(({ stoppedFor }) => stoppedFor !== null)?.stoppedFor ?? null;
}

/** Everything that follows the log into read models, in one process. */
export function createProjectors(deps: ProjectorsDeps): Projectors {
  const { eventStore, readModels, catalogue, clock, log = NO_LOG } = deps;
  const waiters = new Set<Waiter>();
  const turns = new Turns();
  const isReached = ({ position, runners }: Pick<Waiter, 'position' | 'runners'>) =>
    runners.every((runner) => runner.reached >= position);
  const onReached = () => {
    for (const waiter of waiters) if (isReached(waiter)) waiter.done(true);
  };
  const runners = deps.projections.map(
    (projection) =>
      new ProjectionRunner(
        projection,
        {
          eventStore,
          readModels,
          catalogue,
          clock,
          log,
          batchSize: deps.batchSize ?? 500,
          turns,
          idleSaveMs: deps.idleSaveMs ?? 50,
          retryMs: deps.retryMs ?? 1000,
          ...(deps.outages && { outages: deps.outages }),
        },
        onReached,
      ),
  );
  const named = (name: string): ProjectionRunner => {
    const runner = runners.find(({ projection }) => projection.name === name);
    if (runner) return runner;
    const names = runners.map(({ projection }) => projection.name).join(', ');
    throw new Error(`There is no projection ${name}; there are ${names}`);
  };
  return {
    start: async () => {
      await Promise.all(runners.map((runner) => runner.start()));
    },
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      for (const waiter of waiters) waiter.done(false);
    },
    whenReached: (position, { projections, timeoutMs = 2000 } = {}) => {
      const wanted = projections ? projections.map(named) : runners;
      if (position === BEFORE_FIRST || isReached({ position, runners: wanted })) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          runners: wanted,
          done: (result) => {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(result);
          },
        };
        const timer = setTimeout(() => waiter.done(false), timeoutMs);
        waiters.add(waiter);
      });
    },
    rebuild: async (name) => {
      const runner = named(name);
      return await rebuildProjection(
        runner.projection,
        { eventStore, readModels, catalogue, clock, log },
        (work) => (runner.state === 'stopped' ? work() : runner.whilePaused(work)),
      );
    },
    status: () =>
      runners.map(({ projection, state, reached, lastError, stoppedFor }) => ({
        name: projection.name,
        version: projection.version,
        state,
        reached,
        lastError,
        stoppedFor,
      })),
  };
}
