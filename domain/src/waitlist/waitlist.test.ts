import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import { waitlistProjection } from './projection.ts';
import { waitlistId, waitlistStream } from './waitlist.ts';

describe('the waitlist', () => {
  const joined = { type: 'WaitlistJoined', data: { email: 'ada@example.com' } } as const;
  it('takes an address once, however it is spelt', () => {
    given(waitlistStream).when({ type: 'JoinWaitlist', email: ' Ada@Example.com ' }).thenEvents(joined);
    given(waitlistStream, joined).when({ type: 'JoinWaitlist', email: 'ada@example.com' }).thenEvents();
    expect(waitlistId('a@example.com')).not.toBe(waitlistId('b@example.com'));
  });
  it.each(['', 'ada', 'ada@', '@example.com', 'a b@example.com', `${'x'.repeat(260)}@example.com`])(
    'refuses %j',
    (email) => {
      given(waitlistStream).when({ type: 'JoinWaitlist', email }).thenRefused(422, 'invalid_email');
    },
  );

  it('is a list by when each address joined first, without the addresses', () => {
    const event = (position: string, recordedAt: string) =>
      ({ ...sampled, stream: 'waitlist-x', position, metadata: { recordedAt } }) as never;
    const sampled = { type: 'WaitlistJoined', data: { email: 'ada@example.com' } };
    const first = event('9', '2026-11-01T10:00:00.000Z');
    expect(waitlistProjection.keys(first)).toEqual(['waitlist-x']);
    const entry = waitlistProjection.evolve(null, first, 'waitlist-x');
    expect(entry).toEqual({ id: 'waitlist-x', order: expect.any(String), at: '2026-11-01T10:00:00.000Z' });
    const later = event('10', '2026-11-02T10:00:00.000Z');
    const stored = { ...entry, _revision: 0, _position: '9' } as never;
    expect(waitlistProjection.evolve(stored, later, 'waitlist-x')).toMatchObject(entry as object);
    const next = waitlistProjection.evolve(null, later, 'waitlist-y');
    expect((entry?.order ?? '') < (next?.order ?? '')).toBe(true);
  });
});
