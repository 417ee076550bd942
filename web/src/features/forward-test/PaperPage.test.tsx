// @vitest-environment happy-dom
import {
  approvePaperOrders,
  closePaperAccount,
  getPaperAccount,
  listFollows,
  openPaperAccount,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import PaperPage from './PaperPage.tsx';

afterEach(leave);

const follow = (id: string, name: string | null) => ({
  strategy_id: id,
  name,
  last_decided_day: '2026-03-02',
});
const TONIGHT = {
  day: '2026-03-02',
  orders: [{ ticker: 'SPY', side: 'buy', quantity: 2, close: 510.25 }],
  positions: [
    { ticker: 'TLT', quantity: 3, close: 90, wanted_percent: 0 },
    { ticker: 'QQQ', quantity: 0, close: 400, wanted_percent: 50 },
  ],
  equity: 1270,
  cash: 1000,
  unpriced: [],
  undecided: [],
  unfollowed: [],
  behind: [],
  can_approve: true,
  why_not: null as string | null,
};
const ACCOUNT = {
  broker: 'own',
  start_cash: 2500,
  start_day: '2026-03-01',
  is_fractional: false,
  slippage_bps: 1,
  strategies: [{ name: 'Trend' }],
  broker_fault: null,
  record: null,
  nights: [],
};

it('opens with the money and the strategies that were chosen, approves a night, and closes when it is told to', async () => {
  let account: object | null = null;
  let fault: string | null = 'The log is away.';
  const asked: unknown[] = [];
  const act = (next: () => object | null) => (sent: Sent) => {
    asked.push(sent.body);
    if (fault !== null) throw refusal(fault);
    account = next();
    return null;
  };
  const approved = { ...TONIGHT, can_approve: false, why_not: 'Approved: filled at the next close.' };
  answer(
    [listFollows, () => [follow('a', 'Trend'), follow('b', 'Other'), follow('c', null)]],
    [getPaperAccount, () => ({ account, has_alpaca: false })],
    [openPaperAccount, act(() => ({ ...ACCOUNT, tonight: TONIGHT }))],
    [approvePaperOrders, act(() => ({ ...ACCOUNT, tonight: approved }))],
    [closePaperAccount, act(() => null)],
  );
  show(<PaperPage />);
  fireEvent.click(await screen.findByRole('switch', { name: 'Other' }));
  const money = screen.getByLabelText<HTMLInputElement>(/Paper money to begin with/);
  fireEvent.change(money, { target: { value: '0' } });
  await press('Open account');
  expect(asked).toEqual([]);
  fireEvent.change(money, { target: { value: '2500' } });
  await press('Open account');
  await screen.findByText('The log is away.');
  expect(money.value).toBe('2500');
  fault = null;
  await press('Open account');
  await screen.findByText(/\$2,500\.00 of paper money/);
  const body = { broker: 'own', strategy_ids: ['a'], is_fractional: false, cash: 2500 };
  expect(asked).toEqual([body, body]);
  expect(screen.getByRole('row', { name: /SPY/ }).textContent).toContain('$1,020.50');
  expect(screen.getByRole('row', { name: /TLT/ }).textContent).toContain('$270.00');
  expect(screen.queryByRole('row', { name: /QQQ/ })).toBeNull();
  fault = 'The prices are being brought in.';
  await press('Approve 1 order');
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual([fault]));
  fault = null;
  await press('Approve 1 order');
  await screen.findByText('Approved: filled at the next close.');
  expect(asked.slice(2)).toEqual([{ day: '2026-03-02' }, { day: '2026-03-02' }]);
  fault = 'It cannot be closed now.';
  await press('Close account…');
  await press('Close account');
  await screen.findByText('It cannot be closed now.');
  fault = null;
  await press('Close account');
  await screen.findByText('Open a paper account');
});
