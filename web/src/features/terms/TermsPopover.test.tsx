// @vitest-environment happy-dom
import { listTickers } from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, choose, leave, press, show, toasts } from '../../../testing/page.tsx';
import { TermsPopover } from './TermsPopover.tsx';
import { DEFAULT_TERMS, type TradingTerms } from './terms.ts';

afterEach(leave);

const TICKERS = ['SPY', 'BIL', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6'].map((ticker) => ({
  ticker,
  name: `${ticker} fund`,
}));

async function open(value: TradingTerms = DEFAULT_TERMS, props: { readonly hasBenchmarks?: boolean } = {}) {
  const changed: TradingTerms[] = [];
  answer([listTickers, () => ({ data: TICKERS })]);
  await act(async () => {
    show(
      <TermsPopover
        value={value}
        onChange={(terms) => changed.push(terms)}
        trigger={<button type="button">Terms</button>}
        isOpenAtOnce
        {...props}
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

const BENCHMARKS = 'Compare with, beside SPY';
const find = async (name: string, ticker: string) => {
  const box = screen.getByRole('combobox', { name });
  await act(async () => {
    fireEvent.focus(box);
    fireEvent.input(box, { target: { value: ticker }, inputType: 'insertText' });
  });
  const option = await screen.findByRole('option', { name: new RegExp(`^${ticker}`) });
  await act(async () => void fireEvent.click(option));
};

it('compares with five further tickers, and keeps the terms where a sixth was chosen', async () => {
  const five = ['A1', 'A2', 'A3', 'A4', 'A5'];
  const changed = await open({ ...DEFAULT_TERMS, benchmarks: five.slice(0, 4) });
  await find(BENCHMARKS, 'A5');
  await press(/^Done/);
  expect(changed).toEqual([{ ...DEFAULT_TERMS, benchmarks: five }]);
  leave();
  const tooMany = await open({ ...DEFAULT_TERMS, benchmarks: five });
  await find(BENCHMARKS, 'A6');
  expect(screen.getByText('At most 5 further tickers are compared')).toBeDefined();
  await leaveIt();
  await waitFor(() =>
    expect(toasts().map(({ title }) => title)).toEqual([
      'The trading terms stay as they were. At most 5 further tickers are compared.',
    ]),
  );
  expect(tooMany).toEqual([]);
  leave();
  // A batch shows its own benchmark alone.
  await open(DEFAULT_TERMS, { hasBenchmarks: false });
  expect(screen.queryByRole('combobox', { name: BENCHMARKS })).toBeNull();
});

it('holds cash in the ticker that was found, and in none before', async () => {
  const changed = await open();
  await choose('Cash', 'What a ticker returns');
  expect(screen.getByText('Choose what cash is held in')).toBeDefined();
  await find('Cash is held in', 'BIL');
  await press(/^Done/);
  expect(changed).toEqual([{ ...DEFAULT_TERMS, cash: { ticker: 'BIL' } }]);
});
