// @vitest-environment happy-dom
import {
  changeAlerts,
  getAlerts,
  getFeed,
  listSentAlerts,
  removeFeed,
  renewFeed,
  renewWebhookSecret,
  testWebhook,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show } from '../../../testing/page.tsx';
import { queryClient } from '../../lib/api.ts';
import AlertsPage from './AlertsPage.tsx';

afterEach(leave);

let kept: Record<string, unknown>;
let saved: unknown[];
let reads: () => unknown;
beforeEach(() => {
  kept = {
    mail: 'each',
    webhook_url: 'https://example.com/hook',
    webhook_secret: 'whsec_1',
    on_holdings: true,
    on_failure: true,
    on_band: true,
    near_percent: 2.5,
  };
  saved = [];
  reads = () => kept;
});

const PRESENT = [
  [getAlerts, () => reads()],
  [listSentAlerts, () => (reads() ? [] : null)],
  [getFeed, () => ({ created_at: null })],
] as const;
const near = () => screen.findByLabelText<HTMLInputElement>(/A condition is close to flipping/);
const type = async (text: string) => fireEvent.change(await near(), { target: { value: text } });

it('saves what is chosen, each thing as what it is, and stays with it where that is refused', async () => {
  let isRefused = true;
  const save = ({ body }: Sent) => {
    saved.push(body);
    if (isRefused) throw refusal('This address is not on the public internet.');
    kept = { ...kept, ...(body as object) };
    return kept;
  };
  answer(...PRESENT, [changeAlerts, save]);
  show(<AlertsPage />);
  await type('60');
  await screen.findByText(/50/);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save alerts' }).disabled).toBe(true);
  await type(' ');
  fireEvent.click(screen.getByRole('switch', { name: /leaves its band/ }));
  fireEvent.change(screen.getByLabelText('Webhook'), { target: { value: ' https://ten.example/hook ' } });
  await press('Save alerts');
  await screen.findByText('This address is not on the public internet.');
  isRefused = false;
  fireEvent.click(screen.getByRole('switch', { name: /could not be evaluated/ }));
  fireEvent.change(screen.getByLabelText('Webhook'), { target: { value: '' } });
  await press('Save alerts');
  await waitFor(() => expect(saved).toHaveLength(2));
  const both = { mail: 'each', on_holdings: true, on_band: false, near_percent: null };
  expect(saved).toEqual([
    { ...both, webhook_url: 'https://ten.example/hook', on_failure: true },
    { ...both, webhook_url: null, on_failure: false },
  ]);
  await waitFor(() => expect(screen.queryByText(/not on the public internet/)).toBeNull());
});

it('keeps what is typed where a later look at the settings fails, and where the secret is made anew', async () => {
  const renew = () => {
    kept = { ...kept, webhook_secret: 'whsec_2' };
    return {};
  };
  answer(...PRESENT, [renewWebhookSecret, renew]);
  show(<AlertsPage />);
  await type('7');
  await press('New secret');
  await screen.findByText('whsec_2');
  expect((await near()).value).toBe('7');
  reads = () => {
    throw refusal('Not now.');
  };
  await queryClient.refetchQueries({ queryKey: ['alerts'] });
  await screen.findByText('The list could not be loaded: Not now.');
  expect((await near()).value).toBe('7');
});

it('says whether a test of the webhook arrived', async () => {
  let outcome: unknown = { is_delivered: false, status: 503, reason: 'It answered with 503' };
  answer(...PRESENT, [testWebhook, () => outcome]);
  show(<AlertsPage />);
  await press('Send a test');
  await screen.findByText('It answered with 503.');
  outcome = { is_delivered: true, status: 204, reason: null };
  await press('Send a test');
  await screen.findByText('It was taken with 204.');
  expect(screen.queryByText('It answered with 503.')).toBeNull();
});

it('shows secret addresses once, for the right programs, and none once they are turned off', async () => {
  let createdAt: string | null = null;
  let isAway = true;
  const renew = () => {
    createdAt = '2026-03-02T20:00:00Z';
    return { atom_url: '/feeds/a1', calendar_url: '/calendars/c1' };
  };
  const remove = () => {
    if (isAway) throw refusal('The log is away.');
    createdAt = null;
    return null;
  };
  answer(
    [getAlerts, () => kept],
    [listSentAlerts, () => []],
    [getFeed, () => ({ created_at: createdAt })],
    [renewFeed, renew],
    [removeFeed, remove],
  );
  show(<AlertsPage />);
  await press('Create secret addresses');
  const feed = await screen.findByText('Feed (Atom)');
  expect(feed.nextElementSibling?.textContent).toContain('/feeds/a1');
  expect(screen.getByText('Calendar (.ics)').nextElementSibling?.textContent).toContain('/calendars/c1');
  await press('Turn off');
  await screen.findByText('The log is away.');
  expect(screen.getByText('Feed (Atom)')).toBeDefined();
  isAway = false;
  await press('Turn off');
  await screen.findByText('You have no addresses: nothing can be read.');
  expect(screen.queryByText('Feed (Atom)')).toBeNull();
});
