import type { StreamKind } from '../kernel/handle-command.ts';
import { USAGE_EVENTS, type UsageCommand, type UsageEvent, type UsageState, usageDecider } from './usage.ts';

/** Streams `usage-<userId>-<yyyy-mm>`. */
export const USAGE_STREAM: StreamKind<UsageCommand, UsageState, UsageEvent> = {
  ...USAGE_EVENTS,
  decider: usageDecider,
};

/** Id of a user's month within the category. */
export const usageId = (userId: string, month: string): string => `${userId}-${month}`;
