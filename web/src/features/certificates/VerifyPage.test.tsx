// @vitest-environment happy-dom
import { verifyCertificate } from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show } from '../../../testing/page.tsx';
import VerifyPage from './VerifyPage.tsx';

afterEach(leave);

const content = () => screen.getByLabelText<HTMLTextAreaElement>('Or its content');
const type = (value: string) => fireEvent.change(content(), { target: { value } });
const said = () => screen.getByRole('status').textContent;
const CONFIRMED = { confirmed: true, findings: [] };

it('says what came of a certificate, and nothing of it any more once another one is typed', async () => {
  const sent: unknown[] = [];
  const answers = [
    { confirmed: true, findings: ['Computed by engine 7.2.'] },
    { confirmed: false, findings: ['sharpe: 3 in the certificate, 1 computed.'] },
  ];
  answer([verifyCertificate, ({ body }: Sent) => answers[sent.push(body) - 1]]);
  show(<VerifyPage />);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Compute it again' }).disabled).toBe(true);
  type('{"kind": "a"}');
  await press('Compute it again');
  await waitFor(() => expect(said()).toContain('Confirmed: the result was computed again'));
  expect(said()).toContain('Computed by engine 7.2.');
  type('{"kind": "b"}');
  expect(said()).toBe('');
  await press('Compute it again');
  await waitFor(() => expect(said()).toBe('Not confirmed.sharpe: 3 in the certificate, 1 computed.'));
  expect(sent).toEqual([{ kind: 'a' }, { kind: 'b' }]);
});

it('does not say of one certificate what came of another that was still being computed', async () => {
  let end = (_answer: unknown) => {};
  answer([
    verifyCertificate,
    () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  ]);
  show(<VerifyPage />);
  type('{"kind": "a"}');
  await press('Compute it again');
  type('{"kind": "b"}');
  await act(async () => end(CONFIRMED));
  expect(said()).toBe('');
  // The one that stands there now can be computed.
  await press('Compute it again');
  await act(async () => end(CONFIRMED));
  expect(said()).toContain('Confirmed');
});

it('takes a file as it is chosen, and says what is none and why it could not be computed', async () => {
  answer([
    verifyCertificate,
    () => {
      throw refusal('The day’s share of backtests is used up.');
    },
  ]);
  show(<VerifyPage />);
  type('no certificate');
  await press('Compute it again');
  await waitFor(() => expect(said()).toBe('This is no certificate: it is not JSON.'));
  const file = new File(['{"kind": "c"}'], 'certificate.json', { type: 'application/json' });
  fireEvent.change(screen.getByLabelText('File of a certificate'), { target: { files: [file] } });
  await waitFor(() => expect(said()).toBe('The day’s share of backtests is used up.'));
  expect(content().value).toBe('{"kind": "c"}');
});
