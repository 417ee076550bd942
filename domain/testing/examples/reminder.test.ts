import { describe, it } from 'vitest';
import { given } from '../../testing/given.ts';
import { type ReminderEvent, reminderStream } from './reminder.ts';

const strategyId = 's1';
const onDay = (day: string): ReminderEvent => ({ type: 'ReminderSet', data: { strategyId, day } });
const cancelled: ReminderEvent = { type: 'ReminderCancelled', data: { strategyId } };
const set = (day: string) => ({ type: 'SetReminder', strategyId, day, today: '2026-03-02' }) as const;
const cancel = { type: 'CancelReminder', strategyId } as const;

describe('a reminder', () => {
  it('is set for a day, and moved to another', () => {
    given(reminderStream).when(set('2026-03-03')).thenEvents(onDay('2026-03-03'));
    given(reminderStream, onDay('2026-03-03')).when(set('2026-03-04')).thenEvents(onDay('2026-03-04'));
    given(reminderStream, onDay('2026-03-03')).when(set('2026-03-03')).thenEvents();
  });

  it('lies ahead', () => {
    given(reminderStream).when(set('2026-03-02')).thenRefused(422, 'reminder_not_ahead');
    given(reminderStream, onDay('2026-03-01')).when(set('2026-03-01')).thenRefused(422, 'reminder_not_ahead');
  });

  it('is cancelled once', () => {
    given(reminderStream, onDay('2026-03-03')).when(cancel).thenEvents(cancelled);
    given(reminderStream, onDay('2026-03-03'), cancelled).when(cancel).thenEvents();
    given(reminderStream).when(cancel).thenEvents();
  });
});
