import { ApiError } from '@quantloom/domain/contracts/http/client';
import { describe, expect, it } from 'vitest';
import { blockOf, codeOf, messageOf, queryClient, statusOf } from './api.ts';

describe('a failure', () => {
  const refusal = (body: unknown) => new ApiError(422, body);

  it('has the status and the code of an answer, and none where there was no answer', () => {
    const error = refusal({ error: 'No', code: 'invalid' });
    expect([statusOf(error), codeOf(error)]).toEqual([422, 'invalid']);
    expect(codeOf(refusal({ error: 'No' }))).toBeNull();
    for (const other of [new TypeError('fetch failed'), { status: 500, code: 'x' }, null])
      expect([statusOf(other), codeOf(other)]).toEqual([null, null]);
  });

  it('names the first block that it is about', () => {
    expect(blockOf(refusal({ errors: [{ message: 'a' }, null, { nodeId: 'n2' }, { nodeId: 'n3' }] }))).toBe(
      'n2',
    );
    for (const body of [{ errors: 'n1' }, { errors: [{ nodeId: 1 }] }, { errors: [] }, {}, null, 'text'])
      expect(blockOf(refusal(body))).toBeNull();
    expect(blockOf({ body: { errors: [{ nodeId: 'n1' }] } })).toBeNull();
  });

  it('is said in words, whatever was thrown', () => {
    expect(messageOf(new TypeError('Failed to fetch'))).toMatch(/^The server cannot be reached/);
    expect(messageOf(new Error('Row 3 is odd'))).toBe('Row 3 is odd');
    for (const other of [new Error(''), 'text', null]) expect(messageOf(other)).toBe('Something went wrong.');
    // Signed out is who is not known; another 401 says what is wrong itself.
    expect(messageOf(new ApiError(401, { error: 'Wrong password', code: 'wrong_password' }))).toBe(
      'Wrong password',
    );
  });
});

describe('a question that failed', () => {
  const retry = queryClient.getDefaultOptions().queries?.retry as (count: number, error: unknown) => boolean;

  it('is asked twice again where the server is out of reach, broken or busy', () => {
    for (const error of [
      new TypeError('fetch failed'),
      ...[429, 500, 503].map((status) => new ApiError(status, {})),
    ])
      expect([0, 1, 2].map((failures) => retry(failures, error))).toEqual([true, true, false]);
  });

  it('is not asked again where it was refused, or the page itself is at fault', () => {
    for (const error of [
      ...[400, 401, 404, 409, 499].map((status) => new ApiError(status, {})),
      new Error('odd'),
    ])
      expect(retry(0, error)).toBe(false);
  });
});
