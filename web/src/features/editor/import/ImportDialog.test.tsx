// @vitest-environment happy-dom
import { createTradingBot, importStrategy } from '@quantloom/domain/contracts/http/calls';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../../testing/page.tsx';
import { ImportDialog } from './ImportDialog.tsx';

afterEach(leave);

const algorithm = strategyOfText('SPY');
const readAs = (name: string) => ({
  name,
  algorithm: { ...algorithm, name },
  settings: {},
  report: {
    source: 'composer-json',
    blocks: 1,
    notes: [],
    items: [],
    counts: { lost: 0, guessed: 0, differs: 0, taken: 1 },
  },
});

it('keeps the strategies that could not be saved, and saves only those when it is asked again', async () => {
  let isFull = true;
  const saved: string[] = [];
  const create = ({ body }: Sent) => {
    const { name } = body as { name: string };
    if (isFull && name !== 'Two') throw refusal('There is no room left.');
    saved.push(name);
    return { id: name, revision: 0 };
  };
  const source = { ...readAs('One'), further: [readAs('Two'), readAs('Three')], comparison: null };
  answer([importStrategy, () => source], [createTradingBot, create]);
  const onClose = vi.fn();
  // The window is fetched.
  await act(async () => void show(<ImportDialog onClose={onClose} onOpen={() => {}} />));
  fireEvent.change(await screen.findByLabelText('Or paste it here'), { target: { value: '[…]' } });
  await press('Read it');
  await press('Save all 3 as private drafts');
  const told = () => toasts().map(({ title }) => title);
  const refused = ['One: There is no room left.', 'Three: There is no room left.'];
  await waitFor(() => expect(told()).toEqual([...refused, '1 strategy saved as private drafts']));
  expect(onClose).not.toHaveBeenCalled();
  isFull = false;
  await press('Save all 2 as private drafts');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saved).toEqual(['Two', 'One', 'Three']);
});
