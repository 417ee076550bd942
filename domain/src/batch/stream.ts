import type { StreamKind } from '../kernel/handle-command.ts';
import type { BatchCommand } from './commands.ts';
import { batchDecider } from './decider.ts';
import { BATCH_EVENTS, type BatchEvent } from './events.ts';
import type { BatchState } from './state.ts';

/** Streams `batch-<id>`. */
export const BATCH_STREAM: StreamKind<BatchCommand, BatchState, BatchEvent> = {
  ...BATCH_EVENTS,
  decider: batchDecider,
};
