// @vitest-environment happy-dom
import { joinWaitlist } from '@quantloom/domain/contracts/http/calls';
import { PLANS } from '@quantloom/domain/identity/plans';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show } from '../../../testing/page.tsx';
import PricingPage from './PricingPage.tsx';
import { WaitlistForm } from './WaitlistForm.tsx';

afterEach(leave);

it('says of each plan what it costs and what is in it, and leads to it', () => {
  show(<PricingPage />);
  for (const plan of Object.values(PLANS)) {
    const part = within(screen.getByRole('region', { name: plan.name }));
    expect(part.getByText(`$${plan.priceCents / 100}`), plan.id).toBeDefined();
    const line = (name: string) => part.getByText(name, { exact: false }).closest('li')?.textContent;
    const has = (name: string) => line(name)?.includes('not included') === false;
    expect(line('Followed strategies')).toContain(plan.followedStrategies.toLocaleString('en-US'));
    expect(line('Batch backtests a month')).toContain(
      plan.monthlyBacktests > 0 ? plan.monthlyBacktests.toLocaleString('en-US') : 'not included',
    );
    expect(line('API requests a minute')).toContain(
      plan.requestsPerMinute > 0 ? plan.requestsPerMinute.toLocaleString('en-US') : 'not included',
    );
    expect(has('Template builder')).toBe(plan.features.includes('web.batch-backtests.create'));
    expect(has('Slippage settings')).toBe(plan.features.includes('web.slippage.view'));
    expect(has('Z-Score function')).toBe(plan.features.includes('web.z-score.view'));
    expect(has('Simulated tickers')).toBe(plan.features.includes('web.simulated-tickers.view'));
    // Who is signed in has an account already.
    const to = part.queryByRole('link')?.getAttribute('href') ?? null;
    expect(to).toBe(plan.isAvailable ? (plan.priceCents === 0 ? '/drafts' : '/account/billing') : null);
  }
});

it('takes an address for the waitlist, and keeps it where it was refused', async () => {
  const sent: unknown[] = [];
  answer([
    joinWaitlist,
    ({ body }: Sent) => {
      sent.push(body);
      if (sent.length === 1) throw refusal('This is no e-mail address.');
      return null;
    },
  ]);
  show(<WaitlistForm what="Copy Trader" />);
  const field = screen.getByLabelText<HTMLInputElement>('E-mail for the waitlist');
  fireEvent.change(field, { target: { value: 'eve@example.com' } });
  await press('Join the waitlist');
  await screen.findByText('This is no e-mail address.');
  expect(field.value).toBe('eve@example.com');
  await press('Join the waitlist');
  expect((await screen.findByRole('status')).textContent).toContain(
    'We will write to eve@example.com when Copy Trader is ready.',
  );
  expect(sent).toEqual([{ email: 'eve@example.com' }, { email: 'eve@example.com' }]);
});
