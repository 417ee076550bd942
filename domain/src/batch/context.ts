import { backtestErrorsProjection } from '../backtest-error/projections.ts';
import { BACKTEST_ERROR_STREAM } from '../backtest-error/stream.ts';
import type { EventType } from '../kernel/event-type.ts';
import type { Projection } from '../kernel/projection.ts';
import { TRIALS_STREAM } from '../trials/stream.ts';
import { lineageTrialsProjection } from '../trials/trials.ts';
import { quotaReservationsProjection, usageMonthsProjection } from '../usage/projections.ts';
import { USAGE_STREAM } from '../usage/stream.ts';
import { batchLooksProjection } from './looks.ts';
import { batchDefinitionsProjection, batchesProjection } from './projections.ts';
import { BATCH_STREAM } from './stream.ts';

/** Event types of batches and of what belongs to them: quota, trials, backtest errors. */
export const BATCH_CONTEXT_EVENTS: readonly EventType[] = [
  ...BATCH_STREAM.events,
  ...USAGE_STREAM.events,
  ...TRIALS_STREAM.events,
  ...BACKTEST_ERROR_STREAM.events,
];

/** Their projections. */
export const BATCH_CONTEXT_PROJECTIONS: readonly Projection[] = [
  batchesProjection,
  batchDefinitionsProjection,
  batchLooksProjection,
  usageMonthsProjection,
  quotaReservationsProjection,
  lineageTrialsProjection,
  backtestErrorsProjection,
];
