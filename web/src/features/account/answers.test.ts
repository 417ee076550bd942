import { describe, expect, it } from 'vitest';
import { parseApiClient } from './ApiClientsPage.tsx';
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

describe('the API client', () => {
  it('is none without id or secret', () => {
    expect(parseApiClient({ id: null, secret: null })).toBeNull();
    expect(parseApiClient(null)).toBeNull();
    expect(parseApiClient({ id: 'c', secret: 's', requests_this_month: 3 })).toMatchObject({
      id: 'c',
      secret: 's',
      thisMonth: 3,
    });
  });
});
