// @vitest-environment happy-dom
import { openPaperAccount } from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show } from '../../../testing/page.tsx';
import { PaperOpening } from './PaperOpening.tsx';

afterEach(leave);

const FOLLOWS = [
  { strategy_id: 'a', name: 'Trend' },
  { strategy_id: 'b', name: 'Carry' },
  { strategy_id: 'gone', name: null },
] as never;
function open(refuse = false): unknown[] {
  const sent: unknown[] = [];
  answer([
    openPaperAccount,
    ({ body }: Sent) => {
      sent.push(body);
      if (refuse && sent.length === 1) throw refusal('Alpaca does not know this key.');
      return {};
    },
  ]);
  show(<PaperOpening follows={FOLLOWS} hasAlpaca />);
  return sent;
}
const enter = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('opens an account of paper money with the strategies that are on', async () => {
  const sent = open();
  fireEvent.click(screen.getByRole('switch', { name: 'Carry' }));
  enter(/^Paper money/, '0.5');
  await press('Open account');
  expect(sent).toEqual([]);
  enter(/^Paper money/, '25,000.50');
  await press('Open account');
  await waitFor(() =>
    expect(sent).toEqual([{ broker: 'own', strategy_ids: ['a'], is_fractional: false, cash: 25_000.5 }]),
  );
});

it('needs a strategy, and offers none that is gone', () => {
  open();
  const switches = ['Trend', 'Carry'].map((name) => screen.getByRole('switch', { name }));
  expect(screen.getAllByRole('switch')).toHaveLength(3);
  for (const one of switches) fireEvent.click(one);
  expect(screen.getByText('Choose one strategy or more.')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Open account' }).disabled).toBe(true);
});

it('connects an account at Alpaca with both halves of its key, and keeps them where that is refused', async () => {
  const sent = open(true);
  fireEvent.click(screen.getByRole('radio', { name: /^Alpaca/ }));
  enter(/^Key of the paper account/, ' PK1 ');
  enter(/^Secret of the key/, ' s3cret ');
  fireEvent.click(screen.getByRole('switch', { name: /^Fractions/ }));
  await press('Open account');
  await screen.findByText('Alpaca does not know this key.');
  await press('Open account');
  const body = {
    broker: 'alpaca',
    strategy_ids: ['a', 'b'],
    is_fractional: true,
    key_id: 'PK1',
    key_secret: 's3cret',
  };
  await waitFor(() => expect(sent).toEqual([body, body]));
});
