// @vitest-environment happy-dom
import {
  assistUser,
  getUser,
  setUserAccess,
  setUserDeletion,
  setUserFeature,
  setUserPlan,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import UserPage from './UserPage.tsx';

afterEach(leave);

const USER = {
  id: 'u1',
  email: 'eve@example.com',
  subject: 'auth|1',
  plan_id: 'free',
  features: ['web.slippage.view', 'web.z-score.view'],
  granted_features: ['web.slippage.view'],
  revoked_features: ['web.simulated-tickers.view'],
  disabled: false,
  erase_at: null as string | null,
  api_client_id: null,
  created_at: '2026-01-01T12:00:00Z',
  updated_at: '2026-01-01T12:00:00Z',
};
let user: typeof USER;
let done: unknown[];
let fault: string | null;
let reads: number;
beforeEach(() => {
  user = USER;
  done = [];
  fault = null;
  reads = 0;
});

const take =
  (name: string, changes: (body: Record<string, unknown>) => object) =>
  ({ params, body }: Sent) => {
    done.push([name, params, body]);
    if (fault !== null) throw refusal(fault);
    user = { ...user, ...changes(body as Record<string, unknown>) };
    return null;
  };

function page() {
  const history = [
    { at: '2026-01-01T12:00:00Z', text: 'Signed up', type: 'created', actor: 'eve', revision: 0 },
  ];
  const read = ({ params }: Sent) => {
    reads += 1;
    expect(params).toEqual({ id: 'u1' });
    return { user, history };
  };
  answer(
    [getUser, read],
    [setUserAccess, take('access', ({ disabled }) => ({ disabled }))],
    [
      setUserDeletion,
      take('deletion', ({ deleted }) => ({ erase_at: deleted ? '2026-02-01T12:00:00Z' : null })),
    ],
    [assistUser, take('assist', () => ({}))],
    [setUserFeature, take('feature', () => ({}))],
    [setUserPlan, take('plan', ({ plan_id }) => ({ plan_id }))],
  );
  show(
    <Routes>
      <Route path="/users/:id" element={<UserPage />} />
    </Routes>,
    { at: '/users/u1' },
  );
}
const give = async (verb: string) => {
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(await dialog.findByLabelText(/Reason/), { target: { value: ' A ticket ' } });
  fireEvent.click(dialog.getByRole('button', { name: verb }));
};
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

it('keeps an account out and lets it in again, deletes it and keeps it, each for a reason', async () => {
  page();
  await press('Disable account');
  fault = 'The log is away.';
  await give('Disable');
  await screen.findByText('The log is away.');
  expect(screen.getByText('Enabled')).toBeDefined();
  fault = null;
  fireEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await isGone();
  await press('Enable account');
  await give('Enable');
  await isGone();
  await press('Delete account');
  await give('Delete in seven days');
  await screen.findByText('To be deleted on February 1, 2026');
  await isGone();
  await press('Keep account');
  await give('Keep');
  await screen.findByRole('button', { name: 'Delete account' });
  const [of, reason] = [{ id: 'u1' }, 'A ticket'];
  expect(done).toEqual([
    ['access', of, { disabled: true, reason }],
    ['access', of, { disabled: true, reason }],
    ['access', of, { disabled: false, reason }],
    ['deletion', of, { deleted: true, reason }],
    ['deletion', of, { deleted: false, reason }],
  ]);
  await waitFor(() =>
    expect(toasts().map(({ title }) => title)).toEqual([
      'Account disabled',
      'Account enabled',
      'The account is deleted in seven days',
      'The account stays',
    ]),
  );
});

it('lets an administrator in again and keeps his account, but keeps none out and deletes none', async () => {
  const features = [...USER.features, 'web.admin.view'];
  const offered = () => screen.getAllByRole('button').map(({ textContent }) => textContent ?? '');
  user = { ...USER, features, disabled: true, erase_at: '2026-02-01T12:00:00Z' };
  page();
  await screen.findByRole('button', { name: 'Enable account' });
  expect(screen.getByRole('button', { name: 'Keep account' })).toBeDefined();
  leave();
  user = { ...USER, features };
  page();
  await screen.findByText(/^Administrator; cannot be disabled/);
  expect(offered().filter((name) => /^(Disable|Delete|Enable|Keep) account$/.test(name))).toEqual([]);
});

it.each([
  ['Sign out', 'Sign out', 'sign_out'],
  ['Send password link', 'Send', 'send_reset'],
  ['Unlock', 'Unlock', 'unlock'],
  ['Remove passkeys and codes', 'Remove', 'remove_factors'],
])('helps with getting in: %s', async (button, verb, what) => {
  page();
  await press(button);
  await give(verb);
  await waitFor(() => expect(done).toEqual([['assist', { id: 'u1' }, { act: what, reason: 'A ticket' }]]));
  await isGone();
});

it('offers nothing of an administrator that would lock the product', async () => {
  user = { ...USER, features: ['web.admin.view'] };
  page();
  await screen.findByText(/Administrator; cannot be disabled/);
  for (const name of ['Disable account', 'Delete account', 'Remove passkeys and codes'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

it('says where each feature comes from, and grants or takes away the one that is pressed', async () => {
  page();
  const line = (feature: string) => screen.getByText(feature).closest('li') as HTMLElement;
  await screen.findByText('Signed up');
  expect(line('web.slippage.view').textContent).toContain('Granted');
  expect(line('web.z-score.view').textContent).toContain('By plan');
  expect(line('web.simulated-tickers.view').textContent).toContain('Taken away');
  fireEvent.click(screen.getByRole('switch', { name: 'web.z-score.view' }));
  await give('Take away');
  await isGone();
  fireEvent.click(screen.getByRole('switch', { name: 'web.admin.view' }));
  await give('Grant');
  await isGone();
  expect(done).toEqual([
    ['feature', { id: 'u1' }, { feature: 'web.z-score.view', granted: false, reason: 'A ticket' }],
    ['feature', { id: 'u1' }, { feature: 'web.admin.view', granted: true, reason: 'A ticket' }],
  ]);
  await waitFor(() => expect(reads).toBe(3));
});

it('changes the plan to the one that is chosen, once there is a reason', async () => {
  page();
  const plan = await screen.findByRole('combobox', { name: 'Plan' });
  expect(plan.textContent).toContain('Free');
  await act(async () => void fireEvent.click(plan));
  const option = await screen.findByRole('option', { name: 'API Plan' });
  await act(async () => {
    fireEvent.pointerDown(option, { pointerType: 'mouse' });
    fireEvent.click(option, { detail: 1 });
  });
  await screen.findByText('Change the plan to API Plan?');
  expect(done).toEqual([]);
  await give('Change plan');
  await waitFor(() => expect(done).toEqual([['plan', { id: 'u1' }, { plan_id: 'api', reason: 'A ticket' }]]));
  await waitFor(() => expect(plan.textContent).toContain('API Plan'));
});
