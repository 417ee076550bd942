import { expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import { streamName } from './handle-command.ts';
import { parkedEventId, parkedEventsStream } from './parked-event.ts';

const request = { projection: 'stars', stream: 'favorites-1', eventId: 'e1' };

it('is tried again as often as an administrator asks', () => {
  const asked = { type: 'ParkedEventReplayRequested', data: request } as const;
  const command = { type: 'RequestParkedEventReplay', ...request } as const;
  given(parkedEventsStream).when(command).thenEvents(asked);
  given(parkedEventsStream, asked).when(command).thenEvents(asked);
});

it('is asked for in a stream of its projection, and kept once for each of them', () => {
  expect(streamName(parkedEventsStream, 'stars')).toBe('parkedEvents-stars');
  expect(parkedEventId('stars', 'e1')).not.toBe(parkedEventId('strategies', 'e1'));
  expect(parkedEventId('stars', 'e1')).not.toBe(parkedEventId('stars', 'e2'));
});
