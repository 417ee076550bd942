// @vitest-environment happy-dom
import { getSubscription } from '@quantloom/domain/contracts/http/calls';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, show } from '../../../testing/page.tsx';
import BillingPage from './BillingPage.tsx';

afterEach(leave);

const subscription = (planId: string | null, name: string, cents: number, address: string) => ({
  plan_id: planId,
  product: { name },
  price: { unit_amount: cents },
  management_url: address,
});
const line = async (name: string) => (await screen.findByText(name, { selector: 'li p' })).closest('li');
const addressOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

it('says what is paid for, and offers each other plan that can be had as more or as less', async () => {
  const paid = subscription('api', 'API of before', 2950, 'https://pay.example/ann');
  answer([getSubscription, () => paid]);
  show(<BillingPage />);
  await screen.findByText('API of before');
  expect(screen.getByText('$29.50 a month')).toBeDefined();
  const api = (await line('API Plan')) as HTMLElement;
  expect(api.textContent).toContain('1,500,000 batch backtests a month, 300 API requests a minute.');
  expect(api.textContent).toContain('$30.00');
  expect(screen.getAllByText('Your plan')).toEqual([within(api).getByText('Your plan')]);
  expect(within(api).queryByRole('link')).toBeNull();
  expect(addressOf('Change to Free')).toBe('https://pay.example/ann');
  // What is still to come cannot be changed to.
  expect(screen.getByText('Coming Soon').closest('li')?.textContent).toContain('Copy Trader');
  expect(screen.queryByRole('link', { name: /Copy Trader/ })).toBeNull();
  for (const name of ['Payment methods', 'Invoice history'])
    expect(addressOf(name)).toBe('https://pay.example/ann');
});

it('knows a plan without an id by its name, and leads to no address that is a program', async () => {
  let address = '/account/manage';
  answer([getSubscription, () => subscription(null, 'Free', 0, address)]);
  const { unmount } = show(<BillingPage />);
  await screen.findByText('$0.00 a month');
  expect((await line('Free'))?.textContent).toContain('Your plan');
  expect(addressOf('Upgrade to API Plan')).toBe(`${window.location.origin}/account/manage`);
  unmount();
  leave();
  address = 'javascript:alert(1)';
  show(<BillingPage />);
  await screen.findByText('$0.00 a month');
  expect(screen.queryByRole('link', { name: /API Plan|Payment methods|Invoice history/ })).toBeNull();
});

it('says that billing could not be loaded, and asks again', async () => {
  let isAway = true;
  const load = () => {
    if (isAway) throw refusal('The till is closed.');
    return subscription('free', 'Free', 0, '/account/manage');
  };
  answer([getSubscription, load]);
  show(<BillingPage />);
  await screen.findByText('The till is closed.');
  isAway = false;
  await press('Try again');
  await screen.findByText('$0.00 a month');
});
