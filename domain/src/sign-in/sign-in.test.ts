import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import { eventSentence } from '../account-history/projection.ts';
import { SIGN_IN_EVENTS, signInStream, signInStreamId } from './sign-in.ts';

describe('changes of how somebody signs in', () => {
  it('are recorded as they are told, however often the same thing is done', () => {
    for (const change of SIGN_IN_EVENTS.types)
      given(signInStream, { type: change, data: { userId: 'u1' } })
        .when({ type: 'RecordSignInChange', change, userId: 'u1' })
        .thenEvents({ type: change, data: { userId: 'u1' } });
  });

  it('stand in a stream for each month', () => {
    expect(signInStreamId('u1', '2026-11-30T23:59:59.999Z')).toBe('u1-2026-11');
  });

  it('read as sentences', () => {
    expect(SIGN_IN_EVENTS.types.map(eventSentence)).toEqual([
      'Password changed',
      'Password reset',
      'Passkey added',
      'Passkey removed',
      'Authenticator app turned on',
      'Authenticator app turned off',
      'Recovery codes renewed',
      'Browser signed out',
      'Other browsers signed out',
    ]);
  });
});
