import type { Identity } from '@quantloom/domain/ports/identity';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

let api: TestApi;
afterEach(() => api.close());

/** What an administrator is told who reads, and who changes something. */
async function told(): Promise<readonly unknown[]> {
  const read = await api.call('admin', 'GET', '/api/v1/admin/users');
  const change = await api.call('admin', 'POST', '/api/v1/admin/users/nobody/plan', { plan_id: 'api' });
  return [read.statusCode === 200 ? 'users' : read.json().code, change.json().code];
}

describe('a second factor of administrators', () => {
  it('is asked for on both sides where the operator wants it', async () => {
    let hasSecondFactor = false;
    const identity = {
      account: async (subject: string) => ({
        subject,
        email: 'admin@example.com',
        userId: null,
        isEmailVerified: true,
        hasSecondFactor,
      }),
    } as Partial<Identity> as Identity;
    api = await startTestApi({ identity, administratorsNeedSecondFactor: true });
    expect(await told()).toEqual(['second_factor_needed', 'second_factor_needed']);
    hasSecondFactor = true;
    expect(await told()).toEqual(['users', 'user_not_found']);
  });

  it('is asked for by nobody where he does not', async () => {
    // The identity of this one may not even be asked.
    api = await startTestApi();
    expect(await told()).toEqual(['users', 'user_not_found']);
  });
});
