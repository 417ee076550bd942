// @vitest-environment happy-dom
import { changePlan, getBilling, getCurrentUser } from '@quantloom/domain/contracts/http/calls';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import ManageBillingPage from './ManageBillingPage.tsx';

afterEach(leave);

const plan = (id: string, name: string, cents: number, monthly: number) => ({
  id,
  name,
  unit_amount: cents,
  monthly_backtests: monthly,
  requests_per_minute: 60,
  is_available: id !== 'later',
});

it('changes to the plan that was asked for at its price, and stays with the old one where that fails', async () => {
  let planId = 'free';
  const chosen: unknown[] = [];
  const change = ({ body }: Sent) => {
    chosen.push(body);
    if (chosen.length === 1) throw refusal('The payment was refused.');
    planId = (body as { plan_id: string }).plan_id;
    return null;
  };
  // What the plan allows is known to the page at once, without a reload.
  const me = vi.fn(() => ({ id: 'ann', email: 'ann@example.com', features: [] }));
  const billing = () => ({
    notice: null,
    plan_id: planId,
    is_self_service: true,
    is_demo: false,
    plans: [plan('free', 'Free', 0, 0), plan('pro', 'Pro', 4950, 1000), plan('later', 'Later', 9900, 9000)],
    payment_methods: [],
    invoices: [{ id: 'i1', date: '2026-02-01', description: 'Pro', status: 'paid', amount: 4950 }],
  });
  answer([getBilling, billing], [changePlan, change], [getCurrentUser, me]);
  show(<ManageBillingPage />);
  const line = async (name: string) => (await screen.findByText(name)).closest('li') as HTMLElement;
  expect(within(await line('Free')).getByText('Your plan')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Choose Later' }).disabled).toBe(true);
  expect(screen.getByRole('row', { name: /paid/ }).textContent).toContain('$49.50');
  await press('Choose Pro');
  await screen.findByText(/\$49\.50 a month\. The plan takes effect at once\./);
  await press('Change plan');
  await screen.findByText('The payment was refused.');
  expect(toasts()).toEqual([]);
  await press('Change plan');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(chosen).toEqual([{ plan_id: 'pro' }, { plan_id: 'pro' }]);
  await waitFor(async () => expect(within(await line('Free')).queryByText('Your plan')).toBeNull());
  expect(toasts().map(({ title }) => title)).toEqual(['Plan changed']);
  expect(me).toHaveBeenCalledOnce();
});

it('shows how one pays, and offers no change where somebody else makes it', async () => {
  const billing = {
    notice: 'The trial ends on Friday.',
    plan_id: 'free',
    is_self_service: false,
    is_demo: true,
    plans: [plan('free', 'Free', 0, 0), plan('pro', 'Pro', 4950, 1000)],
    payment_methods: [{ id: 'm1', brand: 'Visa', last4: '4242', expires: '07/29', is_demo: true }],
    invoices: [{ id: 'i1', date: '2026-02-01', description: 'Pro', status: 'demo', amount: 4950 }],
  };
  answer([getBilling, () => billing]);
  const { unmount } = show(<ManageBillingPage />);
  await screen.findByText('The trial ends on Friday.');
  expect(screen.getByText('Visa ending in 4242, expires 07/29').closest('li')?.textContent).toContain('demo');
  expect(screen.getByRole('row', { name: /Pro/ }).textContent).toContain('February 1, 2026');
  expect(screen.getByText(/^1,000 batch backtests a month, 60 API requests a minute\./)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Choose Pro' })).toBeNull();
  unmount();
  leave();
  answer([getBilling, () => ({ ...billing, is_self_service: true })]);
  show(<ManageBillingPage />);
  await press('Choose Pro');
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Nothing is charged.');
});
