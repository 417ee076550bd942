// @vitest-environment happy-dom

import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { parseText } from '@quantloom/domain/exchange/text/parser';
import { printStrategy } from '@quantloom/domain/exchange/text/printer';
import { readStructure } from '@quantloom/domain/strategy/structure';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { suggestedTexts } from '../../../lib/suggested-values.ts';
import { editorMachine, type SaveInput } from '../machines/editor.machine.ts';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { EditorStore } from '../model/editor-store.ts';
import { ValuesDialog } from './ValuesDialog.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

async function shown(text: string, isSaved = true, id = 'new') {
  const closed = vi.fn();
  let count = 0;
  const newId = () => {
    count += 1;
    return `n${count}`;
  };
  const reading = readStructure({
    node_type: 'root',
    id: newId(),
    name: 'S',
    children: parseText(text, newId).blocks,
  });
  if (reading.problems) throw new Error(reading.problems[0]?.message);
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm: reading.algorithm });
  const save = fromPromise<TradingBot, SaveInput>(() =>
    isSaved ? Promise.resolve({ id: 'bot-1' } as TradingBot) : Promise.reject(new Error('The disk is full')),
  );
  const load = fromPromise<TradingBot, { id: string }>(() =>
    Promise.resolve({ id, revision: 1 } as TradingBot),
  );
  const actor = createActor(editorMachine.provide({ actors: { save, load } }), { input: { id } }).start();
  const tools = { store, newId, isEditable: true, canUseVariables: true, canUseZScore: true, variables: [] };
  const router = createMemoryRouter([
    {
      path: '*',
      element: (
        <EditorToolsContext value={tools as unknown as EditorTools}>
          <ValuesDialog actor={actor} store={store} onClose={closed} />
        </EditorToolsContext>
      ),
    },
  ]);
  // The window of a dialog is fetched when it is needed.
  await act(async () => {
    render(
      <Suspense>
        <RouterProvider router={router} />
      </Suspense>,
    );
    await import('../../../ui/DialogWindow.tsx');
  });
  await screen.findByRole('tablist');
  const body = () => printStrategy(store.document.algorithm).split('\n\n')[1]?.replace(/\s+/g, ' ').trim();
  return { store, router, body, closed };
}

const line = (words: string) => {
  const found = screen.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(words));
  if (!found) throw new Error(`no line with ${words}`);
  return found;
};
const STRATEGY = 'if RSI(QQQ, 10) > 79 then TLT else [if RSI(QQQ, 10) > 85 then SPY else QQQ]';

it('makes ticked values variables, saves, and goes on to the batch with their values', async () => {
  const { router, body } = await shown(STRATEGY);
  fireEvent.click(within(line('79RSI threshold')).getByRole('checkbox'));
  fireEvent.click(within(line('TLTheld')).getByRole('checkbox'));
  fireEvent.change(screen.getByLabelText('Values to try for TLT, held'), { target: { value: 'TLT, IEF' } });
  expect(screen.getByRole('status').textContent).toBe('2 values ticked: 18 combinations.');
  fireEvent.click(screen.getByRole('button', { name: 'Save and set up a batch' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/batch-backtests/new'));
  expect(router.state.location.search).toBe('?template_id=bot-1');
  expect(body()).toContain('if RSI(QQQ, 10) > $RSI_LEVEL_79 then [ $TLT ]');
  expect(suggestedTexts()).toMatchObject({
    $TLT: 'TLT\nIEF',
    $RSI_LEVEL_79: expect.stringContaining('79\n81'),
  });
});

it.each(['new', 'bot-0'])('stays where it is when saving fails, with the strategy %s', async (id) => {
  const { router, body, closed } = await shown(STRATEGY, false, id);
  fireEvent.click(within(line('79RSI threshold')).getByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: 'Save and set up a batch' }));
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(body()).toContain('$RSI_LEVEL_79');
  expect(router.state.location.pathname).toBe('/');
});

it('says what is wrong with a name, and makes nothing of it', async () => {
  const { body } = await shown(STRATEGY);
  fireEvent.click(within(line('79RSI threshold')).getByRole('checkbox'));
  fireEvent.change(screen.getByLabelText('Name of the variable for 79, RSI threshold'), {
    target: { value: 'level' },
  });
  expect(screen.getByText(/A name is \$ and up to 49/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Make them variables' })).toHaveProperty('disabled', true);
  expect(body()).not.toContain('$');
});

it('replaces wherever it stands, and can be undone', async () => {
  const { store, body } = await shown(STRATEGY);
  fireEvent.click(screen.getByRole('tab', { name: 'Find and replace' }));
  fireEvent.change(screen.getByLabelText('Find'), { target: { value: 'qqq' } });
  fireEvent.change(screen.getByLabelText('Replace by'), { target: { value: 'iwm' } });
  expect(screen.getByText('Found in 3 places.')).toBeDefined();
  const replace = screen.getByRole<HTMLButtonElement>('button', { name: 'Replace all' });
  // By itself it would be a step that undoes nothing.
  fireEvent.change(screen.getByLabelText('Replace by'), { target: { value: 'QQQ' } });
  expect(replace.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Replace by'), { target: { value: 'iwm' } });
  fireEvent.click(screen.getByRole('button', { name: 'Replace all' }));
  expect(body()).toContain('RSI(IWM, 10) > 79');
  store.undo();
  expect(body()).toContain('RSI(QQQ, 10) > 79');
});

it('asks about a comma that may be a decimal one, and makes nothing of it before', async () => {
  const { body } = await shown(STRATEGY);
  fireEvent.click(within(line('79RSI threshold')).getByRole('checkbox'));
  const values = screen.getByLabelText('Values to try for 79, RSI threshold');
  fireEvent.change(values, { target: { value: '79,5' } });
  expect(screen.getByRole('alert').textContent).toBe('“79,5” may be 79.5 or 79 and 5: write 79.5, or 79; 5');
  expect(screen.getByRole('button', { name: 'Make them variables' })).toHaveProperty('disabled', true);
  fireEvent.change(values, { target: { value: '79,5; 80,5' } });
  fireEvent.click(screen.getByRole('button', { name: 'Make them variables' }));
  expect(body()).toContain('$RSI_LEVEL_79');
  expect(suggestedTexts()).toMatchObject({ $RSI_LEVEL_79: '79.5\n80.5' });
});

it('shows what plays no part before it is taken out, and can be undone', async () => {
  const { store, body } = await shown(STRATEGY);
  fireEvent.click(screen.getByRole('tab', { name: 'Clean up' }));
  expect(screen.getByText(/never holds: its then is never reached/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: /^Take out/ }));
  expect(body()).toBe('if RSI(QQQ, 10) > 79 then [ TLT ] else [ QQQ ]');
  store.undo();
  expect(body()).toContain('> 85');
});
