import { describe, expect, it } from 'vitest';
import { clientsOf } from './api-client-list.ts';
import { parseSubscription } from './BillingPage.tsx';
import { megabytes } from './StoragePanel.tsx';

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
  it('is told in MB', () => {
    const told = [0, 5, 1_234_567, 12_345_678, 209_715_200, 2_097_152_000].map(megabytes);
    expect(told).toEqual(['0 MB', 'less than 0.01 MB', '1.18 MB', '11.8 MB', '200 MB', '2,000 MB']);
  });
});

describe('API clients', () => {
  it('are told in the words of the page', () => {
    const client = {
      id: 'c',
      name: 'Nightly',
      scopes: ['read' as const],
      created_at: '2026-01-02T03:04:05.678Z',
      ends_at: null,
      replaced_by: 'd',
      last_used_at: null,
      requests_this_month: 7,
    };
    expect(clientsOf({ clients: [client], requests_per_minute: 300 })).toEqual({
      clients: [
        {
          id: 'c',
          name: 'Nightly',
          scopes: ['read'],
          createdAt: '2026-01-02T03:04:05.678Z',
          endsAt: null,
          lastUsedAt: null,
          isReplaced: true,
          thisMonth: 7,
        },
      ],
      perMinute: 300,
    });
  });
});
