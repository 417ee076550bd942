import { type Identity, IdentityError } from '@quantloom/domain/ports/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const algorithm = { id: 'r', node_type: 'root', name: 'R', children: [] };

describe('where sharing waits for a confirmed address', () => {
  let api: TestApi;
  let account: Identity['account'];
  beforeAll(async () => {
    const identity = {
      account: (subject: string) => account(subject),
      createMachineClient: async () => ({ clientId: 'c1', clientSecret: 's' }),
    } as Partial<Identity> as Identity;
    api = await startTestApi({ identity, sharingNeedsConfirmedAddress: true });
  });
  afterAll(() => api.close());
  const is = (isEmailVerified: boolean): Identity['account'] => {
    return async (subject) => ({
      subject,
      email: 'a@example.com',
      userId: null,
      isEmailVerified,
      hasSecondFactor: null,
    });
  };
  const bot = (is_public: boolean, key: string, caller: 'paid' | 'machine' = 'paid') =>
    api.call(
      caller,
      'POST',
      '/api/v1/trading-bots',
      { name: 'B', is_public, algorithm },
      { 'idempotency-key': key },
    );
  const addClient = () => api.call('paid', 'POST', '/api/v1/api-clients', { name: 'mine', scopes: ['read'] });

  it('everything private works before', async () => {
    account = is(false);
    expect((await bot(false, 'private')).statusCode).toBe(201);
  });

  it('what others could see, and API clients, do not', async () => {
    account = is(false);
    const refused = await bot(true, 'public');
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      code: 'email_not_verified',
      error: expect.stringContaining('confirmed'),
    });
    const { id } = (await bot(false, 'hidden')).json();
    const shown = await api.call('paid', 'PATCH', `/api/v1/trading-bots/${id}`, { is_public: true });
    expect(shown.json().code).toBe('email_not_verified');
    expect((await addClient()).json().code).toBe('email_not_verified');
    const onlyClient = await api.call('paid', 'POST', '/api/v1/oauth/clients', {});
    expect(onlyClient.json().code).toBe('email_not_verified');
    const share = await api.call('paid', 'POST', `/api/v1/trading-bots/${id}/shared-results`, {
      run_id: 'r',
      shows_strategy: false,
    });
    expect(share.json().code).toBe('email_not_verified');
  });

  it('the same request is carried out once the address is confirmed', async () => {
    account = is(true);
    expect((await bot(true, 'public')).statusCode).toBe(201);
    expect((await addClient()).statusCode).toBe(201);
  });

  it('programs may what their account may, and are asked nothing', async () => {
    account = () => Promise.reject(new Error('A program has no address'));
    expect((await bot(true, 'program', 'machine')).statusCode).toBe(201);
  });

  it('an account that the issuer does not know has no confirmed address', async () => {
    account = async () => null;
    expect((await bot(true, 'unknown')).json().code).toBe('email_not_verified');
  });

  it('says that it can not be told now where the issuer does not answer', async () => {
    account = () => Promise.reject(new IdentityError('unavailable', 'away'));
    expect((await bot(true, 'away')).statusCode).toBe(503);
  });
});
