// @vitest-environment happy-dom
import { listTickers } from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, choose, leave, press, show, toasts } from '../../../testing/page.tsx';
import { TermsPopover } from './TermsPopover.tsx';
import { DEFAULT_TERMS, type TradingTerms } from './terms.ts';

afterEach(leave);

async function open(value: TradingTerms = DEFAULT_TERMS) {
  const changed: TradingTerms[] = [];
  answer([listTickers, () => ({ data: [] })]);
  await act(async () => {
    show(
      <TermsPopover
        value={value}
        onChange={(terms) => changed.push(terms)}
        trigger={<button type="button">Terms</button>}
        isOpenAtOnce
      />,
    );
  });
  return changed;
}
const pick = (name: RegExp) => act(async () => void fireEvent.click(screen.getByRole('radio', { name })));
const leaveIt = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Terms' })));

it('takes what was chosen as it closes, and nothing where nothing was', async () => {
  const changed = await open();
  await pick(/^Next close/);
  await press(/^Done/);
  expect(changed).toEqual([{ ...DEFAULT_TERMS, fill: 'next-close' }]);
  leave();
  const untouched = await open();
  await press(/^Done/);
  expect(untouched).toEqual([]);
});

it('leaves the terms where Escape closes it, or it is cancelled', async () => {
  const changed = await open();
  await pick(/^Next close/);
  await act(async () => {
    fireEvent.keyDown(screen.getByRole('radio', { name: /^Next close/ }), { key: 'Escape' });
  });
  await waitFor(() => expect(screen.queryByRole('radio')).toBeNull());
  leave();
  const cancelled = await open();
  await pick(/^Next close/);
  await press(/^Cancel/);
  expect([changed, cancelled]).toEqual([[], []]);
  expect(toasts()).toEqual([]);
});

it('keeps the terms where a rate cannot be read, and says so', async () => {
  const changed = await open();
  await choose('Cash', 'A rate');
  const rate = screen.getByLabelText<HTMLInputElement>('Percent per year');
  fireEvent.change(rate, { target: { value: 'much' } });
  await leaveIt();
  await waitFor(() =>
    expect(toasts().map(({ title }) => title)).toEqual([
      expect.stringMatching(/^The trading terms stay as they were\. /),
    ]),
  );
  expect(changed).toEqual([]);
  leave();
  const read = await open();
  await choose('Cash', 'A rate');
  fireEvent.change(screen.getByLabelText('Percent per year'), { target: { value: '2.5' } });
  await leaveIt();
  await waitFor(() => expect(read).toHaveLength(1));
  expect(JSON.stringify(read[0]?.cash)).toContain('2.5');
});
