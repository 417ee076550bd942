import { describe, expect, it } from 'vitest';
import { parseClients } from './api-client-list.ts';
import { parseSubscription } from './BillingPage.tsx';
import { megabytes, parseStorage } from './StoragePanel.tsx';

describe('the subscription', () => {
  const answer = { plan_id: 'api', product: { name: 'API Plan' }, price: { unit_amount: 3000 } };
  it('is read with its management address', () => {
    expect(
      parseSubscription({ ...answer, management_url: '/account/billing/manage' }, 'https://q.example'),
    ).toEqual({
      planId: 'api',
      name: 'API Plan',
      cents: 3000,
      managementUrl: 'https://q.example/account/billing/manage',
    });
  });
  it.each(['javascript:alert(1)', 'data:text/html,x', '', 7])('has no link for %j', (management_url) => {
    const { managementUrl } = parseSubscription({ ...answer, management_url }, 'https://q.example');
    expect(managementUrl === null || managementUrl.startsWith('https://q.example')).toBe(true);
  });
});

describe('storage', () => {
  it('is read, and told in MB', () => {
    expect(parseStorage({ used_bytes: 5, limit_bytes: 10 })).toEqual({ usedBytes: 5, limitBytes: 10 });
    expect(() => parseStorage({ used_bytes: 5 })).toThrow('how much is stored');
    const told = [0, 5, 1_234_567, 12_345_678, 209_715_200, 2_097_152_000].map(megabytes);
    expect(told).toEqual(['0 MB', 'less than 0.01 MB', '1.18 MB', '11.8 MB', '200 MB', '2,000 MB']);
  });
});

describe('API clients', () => {
  it('are read, and none without an id', () => {
    expect(parseClients(null)).toEqual({ clients: [], perMinute: null });
    const answer = { clients: [{ id: '' }, { id: 'c', scopes: ['read', 7], replaced_by: 'd' }] };
    expect(parseClients({ ...answer, requests_per_minute: 300 })).toEqual({
      clients: [
        {
          id: 'c',
          name: 'API client',
          scopes: ['read'],
          createdAt: null,
          endsAt: null,
          lastUsedAt: null,
          isReplaced: true,
          thisMonth: null,
        },
      ],
      perMinute: 300,
    });
  });
});
