import { randomUUID } from 'node:crypto';
import type { NewEvent } from '@quantloom/domain/kernel/event';

/** A stream name nobody else uses; real servers keep their log between runs. */
export const freshStream = (category = 'contract') => `${category}-${randomUUID()}`;

/** An event with every kind of JSON value and characters outside the basic plane. */
export function anEvent(type = 'ThingHappened', data: unknown = {}, id: string = randomUUID()): NewEvent {
  return {
    id,
    type,
    data,
    metadata: {
      schemaVersion: 1,
      commandId: 'command-1',
      correlationId: 'correlation-1',
      causationId: 'command-1',
      actor: { kind: 'user', userId: 'user-1' },
      recordedAt: '2026-01-02T03:04:05.678Z',
    },
  };
}
