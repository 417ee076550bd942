import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
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
});
