import type { IdSource } from '@quantloom/domain/kernel/ids';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Log } from '@quantloom/domain/ports/log';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Outages } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { Tracing } from '@quantloom/domain/ports/tracing';

export interface BatchProcessDeps {
  readonly eventStore: EventStore;
  readonly bus: MessageBus;
  readonly readModels: ReadModels;
  readonly results: ResultStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** Absent where no server is needed. */
  readonly outages?: Outages;
  /** Who is told of the work on each event; absent: nobody. */
  readonly tracing?: Tracing;
  readonly options?: BatchProcessOptions;
}

export interface BatchProcessOptions {
  /**
   * Partitions on the bus or in work for each one that the compute nodes work on side by side, of large and
   * of quick batches each. Default 4.
   */
  readonly partitionsPerSlot?: number;
  /** Partitions that one user may have there, as long as no compute node has said how many it works on. Default 8. */
  readonly partitionsPerUser?: number;
  /** A reservation without a batch is given back after this long. Default 60. */
  readonly reservationSeconds?: number;
  /** How often open reservations and stuck batches are looked for. Default 10. */
  readonly sweepSeconds?: number;
  /** A partition that was queued or running this long without progress goes onto the bus again. Default 300. */
  readonly lostJobSeconds?: number;
  /**
   * So many positions behind the end of the log, what is open is asked for instead of reacting to all that
   * happened. Default 50,000.
   */
  readonly farBehind?: bigint;
}
