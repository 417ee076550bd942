import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { expect, it } from 'vitest';
import { recordFailure } from './record-failure.ts';

const DAY = '2026-03-03';

it('tells each reason of a day once, however often the night is tried again', async () => {
  const eventStore = new MemoryEventStore();
  const deps = { eventStore, clock: { now: () => new Date(`${DAY}T22:00:00.000Z`) } };
  const failed = (strategyId: string, day: string, code: string) =>
    recordFailure(deps, { strategyId, day, code } as Parameters<typeof recordFailure>[1]);
  for (const _ of [1, 2]) await failed('a', DAY, 'TOOK_TOO_LONG');
  for (const _ of [1, 2]) await failed('a', DAY, 'STRATEGY_CANNOT_RUN');
  await failed('a', DAY, 'TOOK_TOO_LONG');
  await failed('b', DAY, 'TOOK_TOO_LONG');
  await failed('a', '2026-03-04', 'TOOK_TOO_LONG');
  expect(
    eventStore.events.map(({ data }) => {
      const { strategyId, day, code } = data as Record<string, string>;
      return [strategyId, day, code].join(' ');
    }),
  ).toEqual([
    `a ${DAY} TOOK_TOO_LONG`,
    `a ${DAY} STRATEGY_CANNOT_RUN`,
    `b ${DAY} TOOK_TOO_LONG`,
    'a 2026-03-04 TOOK_TOO_LONG',
  ]);
  expect(new Set(eventStore.events.map(({ metadata }) => metadata.commandId)).size).toBe(4);
});
