// @vitest-environment happy-dom
import { listBatchBacktests, listDrafts, listVariableLists } from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answer, leave, type Sent, show } from '../../testing/page.tsx';
import { useCommands } from '../lib/commands.ts';
import CommandMenu from './CommandMenu.tsx';

// The list of commands measures itself.
beforeEach(() => {
  Element.prototype.scrollIntoView ??= () => {};
});
afterEach(leave);

const save = vi.fn();
function Place() {
  const { pathname, search } = useLocation();
  const [open, setOpen] = useState(true);
  useCommands([
    { id: 'save', label: 'Save strategy', group: 'Editor', run: save },
    { id: 'print', label: 'Print', group: 'Editor', isDisabled: true, run: save },
    { id: 'hidden', label: 'Hidden', group: 'Editor', isHidden: true, run: save },
  ]);
  return (
    <>
      <output>{pathname + search}</output>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <CommandMenu open={open} onOpenChange={setOpen} />
    </>
  );
}
const asked: unknown[] = [];
const found =
  (names: readonly string[], total = names.length) =>
  ({ query }: Sent) => {
    asked.push(query?.search ?? '');
    return {
      body: names.map((name, index) => ({ id: `${name[0]}${index}`, name })),
      headers: new Headers({ 'x-total-count': String(total) }),
    };
  };
const input = () => screen.findByPlaceholderText<HTMLInputElement>(/Go to a strategy/);
const type = async (text: string) => fireEvent.change(await input(), { target: { value: text } });
const enter = async () => act(async () => void fireEvent.keyDown(await input(), { key: 'Enter' }));
const place = () => document.querySelector('output')?.textContent;

it('goes to what the server finds, and to the whole list of the search', async () => {
  answer([listDrafts, found(['Momentum', 'Mean reversion'], 1200)]);
  show(<Place />);
  await screen.findByText('Momentum');
  expect(screen.queryByText('Hidden')).toBeNull();
  await type('m&m');
  await waitFor(() => expect(asked.at(-1)).toBe('m&m'));
  await act(async () => void fireEvent.click(await screen.findByText('All 1,200 strategies')));
  expect(place()).toBe('/drafts?q=m%26m');
  expect(screen.queryByPlaceholderText(/Go to a strategy/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  await act(async () => void fireEvent.click(await screen.findByText('Mean reversion')));
  expect(place()).toBe('/editor/M1');
});

it('asks for batches and lists only of those who have them', async () => {
  answer(
    [listDrafts, found([])],
    [listBatchBacktests, found(['Batch'])],
    [listVariableLists, found(['List'])],
  );
  show(<Place />, { features: ['web.batch-backtests.create'] });
  await act(async () => void fireEvent.click(await screen.findByText('Batch')));
  expect(place()).toBe('/batch-backtests/B0');
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  await act(async () => void fireEvent.click(await screen.findByText('List')));
  expect(place()).toBe('/variable-lists/L0');
});

it('runs the command that was typed, not what the search before it found', async () => {
  answer([listDrafts, ({ query }) => (query?.search ? new Promise(() => {}) : found(['Momentum'])({}))]);
  show(<Place />);
  await screen.findByText('Momentum');
  await type('Zebra');
  await enter();
  expect(place()).toBe('/');
  await type('save');
  await enter();
  expect(place()).toBe('/');
  expect(save).toHaveBeenCalledTimes(1);
});

it('goes to what the server has found by something else than its name', async () => {
  answer([
    listDrafts,
    ({ query }) => found(query?.search === 'TQQQ' ? ['Leveraged'] : ['Momentum'])({ query: query ?? {} }),
  ]);
  show(<Place />);
  await screen.findByText('Momentum');
  await type('TQQQ');
  await screen.findByText('Leveraged');
  await enter();
  expect(place()).toBe('/editor/L0');
});
