import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { describe, expect, it } from 'vitest';
import { ReadEvents } from './read-events.ts';

const eventAt = (position: number) => ({ position: BigInt(position) }) as RecordedEvent;

describe('events that were read last', () => {
  it('are the same objects for everybody', () => {
    const read = new ReadEvents();
    const first = read.event(7, 10, () => eventAt(7));
    expect(read.event(7, 10, () => eventAt(7))).toBe(first);
  });

  it('are let go, the oldest first, beyond so many events or characters', () => {
    const read = new ReadEvents({ events: 2, characters: 100 });
    const first = read.event(1, 10, () => eventAt(1));
    const second = read.event(2, 10, () => eventAt(2));
    const third = read.event(3, 10, () => eventAt(3));
    expect(read.event(2, 10, () => eventAt(2))).toBe(second);
    expect(read.event(3, 10, () => eventAt(3))).toBe(third);
    expect(read.event(1, 10, () => eventAt(1))).not.toBe(first);
    const large = read.event(4, 1_000, () => eventAt(4));
    expect(read.event(4, 1_000, () => eventAt(4))).not.toBe(large);
  });

  it('are kept again after one that was too large for all others', () => {
    const read = new ReadEvents({ events: 10, characters: 100 });
    read.event(1, 1_000, () => eventAt(1));
    const [second, third] = [2, 3].map((position) => read.event(position, 50, () => eventAt(position)));
    expect(read.event(2, 50, () => eventAt(2))).toBe(second);
    expect(read.event(3, 50, () => eventAt(3))).toBe(third);
    read.event(4, 1, () => eventAt(4));
    expect(read.event(3, 50, () => eventAt(3))).toBe(third);
    expect(read.event(2, 50, () => eventAt(2))).not.toBe(second);
  });
});
