import { ApiError, MISSING_AUTHORIZATION } from '@quantloom/domain/contracts/http/client';
import { describe, expect, it } from 'vitest';
import { messageOf } from './api.ts';

describe('what a failure says to people', () => {
  const refusal = { error: 'Missing Authorization header', code: 'unauthenticated' };

  it('has a sentence of its own for who is signed out, not that of the API', () => {
    for (const error of [new ApiError(401, refusal, null), new Error(MISSING_AUTHORIZATION)])
      expect(messageOf(error)).toMatch(/^You are signed out\. Sign in again/);
  });

  it('is the sentence of the server for any other refusal', () => {
    expect(
      messageOf(new ApiError(404, { error: 'There is no such strategy', code: 'not_found' }, null)),
    ).toBe('There is no such strategy');
  });
});
