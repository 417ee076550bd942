// @vitest-environment happy-dom
import { setTradingBotHoldOut } from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, showWindow, toasts } from '../../../../testing/page.tsx';
import type { EditorActor } from '../machines/actors.ts';
import { HoldOutDialog } from './HoldOutDialog.tsx';

afterEach(leave);

let told: unknown[];
let closed: number;
function open(holdOut: { readonly date: string | null; readonly given_away_until: string | null } | null) {
  [told, closed] = [[], 0];
  const snapshot = { context: { bot: { id: 'b1', revision: 3, hold_out: holdOut } } };
  const actor = {
    getSnapshot: () => snapshot,
    subscribe: () => ({ unsubscribe: () => {} }),
    send: (event: unknown) => told.push(event),
  } as unknown as EditorActor;
  return showWindow(
    <HoldOutDialog
      id="b1"
      actor={actor}
      onClose={() => {
        closed += 1;
      }}
    />,
  );
}
const pick = (day: string) =>
  act(async () => {
    const field = screen.getByLabelText('Held out from');
    fireEvent.change(field, { target: { value: day } });
    fireEvent.blur(field);
  });
const mayHoldOut = () => !screen.getByRole<HTMLButtonElement>('button', { name: 'Hold out' }).disabled;

it('holds days out of the revision that was seen, and says why they cannot be', async () => {
  const sent: Sent[] = [];
  answer([
    setTradingBotHoldOut,
    (one) => {
      sent.push(one);
      if (sent.length === 1) throw refusal('A batch has ranked these days.');
      return { id: 'b1', revision: 4, hold_out: { date: '2020-01-02', given_away_until: null } };
    },
  ]);
  await open(null);
  expect(mayHoldOut()).toBe(false);
  expect(screen.queryByRole('button', { name: 'Take it off' })).toBeNull();
  await pick('2020-01-02');
  await press('Hold out');
  await screen.findByText('A batch has ranked these days.');
  expect([closed, told]).toEqual([0, []]);
  await press('Hold out');
  await waitFor(() => expect(closed).toBe(1));
  const call = { params: { id: 'b1' }, body: { date: '2020-01-02' }, ifMatch: 3 };
  expect(sent).toEqual([call, call]);
  expect(told).toEqual([
    { type: 'server.heldOut', revision: 4, holdOut: { date: '2020-01-02', given_away_until: null } },
  ]);
  expect(toasts().map(({ title }) => title)).toEqual(['Held out from January 2, 2020']);
});

it('warns of what is given away for good, which an earlier day gives not', async () => {
  await open({ date: '2020-01-02', given_away_until: '2019-06-03' });
  expect(screen.getByText(/The days before June 3, 2019 were held out once and given away/)).toBeDefined();
  expect(mayHoldOut()).toBe(false);
  await pick('2021-01-04');
  expect(screen.getByText(/The days from January 2, 2020 to January 4, 2021 are given away/)).toBeDefined();
  expect(mayHoldOut()).toBe(true);
  await pick('2019-07-01');
  expect(screen.queryByText(/are given away for good/)).toBeNull();
});

it('takes the day off', async () => {
  const sent: unknown[] = [];
  answer([
    setTradingBotHoldOut,
    ({ body }) => {
      sent.push(body);
      return { id: 'b1', revision: 4, hold_out: null };
    },
  ]);
  await open({ date: '2020-01-02', given_away_until: null });
  await press('Take it off');
  await waitFor(() => expect(closed).toBe(1));
  expect(sent).toEqual([{ date: null }]);
  expect(toasts().map(({ title }) => title)).toEqual(['Batches rank all days again']);
});
