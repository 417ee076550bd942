import { defineStream, type EventOf } from '../../src/kernel/define-stream.ts';
import { DayText, exactly, Id } from '../../src/kernel/event-fields.ts';
import type { StreamKind } from '../../src/kernel/handle-command.ts';
import { refuse } from '../../src/kernel/refusal.ts';

/** The events of a `reminder-{strategyId}` stream: when its owner wants to look at a strategy again. */
export const REMINDER_EVENTS = defineStream({
  category: 'reminder',
  events: {
    ReminderSet: exactly({ strategyId: Id, day: DayText }),
    ReminderCancelled: exactly({ strategyId: Id }),
  },
});
export type ReminderEvent = EventOf<typeof REMINDER_EVENTS>;

/** Days are `YYYY-MM-DD`; `today` is told by the caller, since `domain` has no clock. */
export type ReminderCommand =
  | {
      readonly type: 'SetReminder';
      readonly strategyId: string;
      readonly day: string;
      readonly today: string;
    }
  | { readonly type: 'CancelReminder'; readonly strategyId: string };

export interface ReminderState {
  /** The day of the reminder; null where there is none. */
  readonly day: string | null;
}

const NO_REMINDER: ReminderState = { day: null };
const NOT_AHEAD = refuse(422, 'reminder_not_ahead', 'Choose a day after today.');

/** Setting the same day twice, or cancelling what is not set, changes nothing. */
export const reminderStream: StreamKind<ReminderCommand, ReminderState, ReminderEvent> = {
  ...REMINDER_EVENTS,
  decider: {
    initialState: NO_REMINDER,
    decide: (command, state) => {
      const { strategyId } = command;
      if (command.type === 'CancelReminder')
        return state.day === null ? [] : [{ type: 'ReminderCancelled', data: { strategyId } }];
      if (command.day <= command.today) return NOT_AHEAD;
      if (command.day === state.day) return [];
      return [{ type: 'ReminderSet', data: { strategyId, day: command.day } }];
    },
    evolve: (_, event) => (event.type === 'ReminderSet' ? { day: event.data.day } : NO_REMINDER),
  },
};
