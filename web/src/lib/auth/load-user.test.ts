import { type ApiClient, ApiError } from '@quantloom/domain/contracts/http/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setApi } from '../api.ts';
import { loadUser } from './load-user.ts';

const USER = { id: 'u1', email: 'ada@example.com', features: [] };
const identity = { email: 'ada@example.com', subject: 'auth0|1', userId: null };

/**
 * Sets an API whose answers to creating and reading the user are these (an error is thrown); returns what it
 * is asked.
 */
function answering(created: unknown, read: unknown): unknown[] {
  const asked: unknown[] = [];
  const call = async (
    { method, path }: { method: string; path: string },
    { body }: { body?: unknown } = {},
  ) => {
    asked.push(body === undefined ? `${method} ${path}` : [`${method} ${path}`, body]);
    const answer = method === 'POST' ? created : read;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  setApi({ call } as unknown as ApiClient);
  return asked;
}

describe('the user context', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is created from e-mail and subject where the identity carries no user id', async () => {
    const asked = answering(USER, USER);
    expect(await loadUser(identity)).toEqual(USER);
    expect(asked).toEqual([
      ['POST /api/v1/users', { email: 'ada@example.com', auth0_id: 'auth0|1' }],
      'GET /api/v1/users/me',
    ]);
  });

  it('is only read where the identity carries the user id', async () => {
    const asked = answering(null, USER);
    expect(await loadUser({ ...identity, userId: 'u1' })).toEqual(USER);
    expect(asked).toEqual(['GET /api/v1/users/me']);
  });

  it('is read where another window has just created it', async () => {
    answering(new ApiError(409, { error: 'There is one' }), USER);
    expect(await loadUser(identity)).toEqual(USER);
  });

  it.each([{ email: null }, { subject: null }])('is neither created nor read with %o', async (missing) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const asked = answering(USER, USER);
    await expect(loadUser({ ...identity, ...missing })).rejects.toThrow('User email or ID is undefined');
    expect(log).toHaveBeenCalledWith('User email or ID is undefined');
    expect(asked).toEqual([]);
  });
});
