// @vitest-environment happy-dom
import {
  getTradingBotHistory,
  getTradingBotRevision,
  restoreTradingBot,
  runBacktest,
} from '@quantloom/domain/contracts/http/calls';
import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { printStrategy } from '@quantloom/domain/exchange/text/printer';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { answer, leave, press, refusal, type Sent, showWindow, toasts } from '../../../../testing/page.tsx';
import type { RunActor } from '../machines/actors.ts';
import { editorMachine } from '../machines/editor.machine.ts';
import { EditorStore } from '../model/editor-store.ts';
import { defaultSettings } from '../model/run-settings.ts';
import { HistoryDialog } from './HistoryDialog.tsx';

let ran: Readonly<Record<string, unknown>>[];
const run = ({ body }: Sent) => {
  ran.push(body as Readonly<Record<string, unknown>>);
  const isOf = JSON.stringify(body).includes('"TLT"');
  const metrics = { annualized_return: isOf ? 0.12 : 0.1, sharpe: 1, max_drawdown: isOf ? 0.3 : 0.2 };
  return Response.json({ metrics });
};

afterEach(leave);

const entry = (revision: number, rest = {}) => ({
  revision,
  id: `e${revision}`,
  event: 'StrategySaved',
  at: '2026-03-01T12:00:00Z',
  actor: { label: 'You' },
  summary: `Change ${revision}`,
  changes: [],
  ...rest,
});
const TREES: Readonly<Record<string, string>> = { 1: 'SPY', 2: 'QQQ', 3: 'TLT' };
const bot = (revision: number) => ({
  id: 's1',
  revision,
  type: 'bot',
  name: `Name ${revision}`,
  is_public: false,
  algorithm: strategyOfText(TREES[revision] ?? 'SPY'),
});
let asked: unknown[];
let closed: number;
beforeEach(() => {
  asked = [];
  closed = 0;
  ran = [];
});

async function page(restore: (sent: Sent) => unknown = () => null) {
  const history = ({ query }: Sent) => {
    asked.push(query);
    return query?.before === undefined
      ? {
          entries: [
            entry(3),
            entry(2, { changes: ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => ({ text })) }),
          ],
          next: 2,
        }
      : { entries: [entry(1)], next: null };
  };
  answer(
    [getTradingBotHistory, history],
    [getTradingBotRevision, ({ params }) => bot(Number(params?.revision))],
    [restoreTradingBot, restore],
    [runBacktest, run],
  );
  const store = new EditorStore({ name: 'Name 3', isPublic: false, algorithm: bot(3).algorithm });
  const load = fromPromise<TradingBot, { readonly id: string }>(async () => bot(3) as unknown as TradingBot);
  const actor = createActor(editorMachine.provide({ actors: { load } }), { input: { id: 's1' } }).start();
  await waitFor(() => expect(actor.getSnapshot().value).toBe('editing'));
  await showWindow(
    <HistoryDialog
      {...{ actor, store }}
      run={null as unknown as RunActor}
      settings={defaultSettings(new Date('2026-03-02T12:00:00Z'))}
      onClose={() => (closed += 1)}
    />,
  );
  return { store, actor };
}
const choose = (revision: number) => press(new RegExp(`revision ${revision}\\b.*You`));
const sides = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
const words = (store: EditorStore) => printStrategy(store.document.algorithm).split('\n\n')[1]?.trim();

it('shows each revision, page by page, beside the one before it or the editor', async () => {
  await page();
  await press('Earlier revisions');
  await screen.findByText('Change 1');
  expect(asked).toEqual([{ limit: 50 }, { limit: 50, before: 2 }]);
  expect(screen.getByText('and 2 more changes')).toBeDefined();
  await waitFor(() => expect(sides()).toEqual(['Revision 2: Name 2', 'Revision 3: Name 3']));
  await choose(2);
  await waitFor(() => expect(sides()).toEqual(['Revision 2: Name 2', 'As it stands in the editor']));
  expect(screen.queryByText('and 2 more changes')).toBeNull();
  const [before, after] = ['Revision 2: Name 2', 'As it stands in the editor'].map((name) =>
    within(screen.getByRole('region', { name })),
  );
  expect(before?.getByText(/QQQ/)).toBeDefined();
  expect(before?.getByText('changed:', { exact: false })).toBeDefined();
  expect(after?.getByText(/TLT/)).toBeDefined();
  expect(after?.getByText('changed:', { exact: false })).toBeDefined();
});

it('restores the revision that is shown, says why where it cannot, and never the one that stands', async () => {
  let isAway = true;
  const restored: unknown[] = [];
  await page(({ params }) => {
    restored.push(params);
    if (isAway) throw refusal('The log is away.');
    return { ...bot(2), revision: 4 };
  });
  const button = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Restore it' });
  expect((await button()).disabled).toBe(true);
  await choose(2);
  await waitFor(async () => expect((await button()).disabled).toBe(false));
  await press('Restore it');
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual(['The log is away.']));
  expect(closed).toBe(0);
  isAway = false;
  await press('Restore it');
  await waitFor(() => expect(closed).toBe(1));
  expect(restored).toEqual([
    { id: 's1', revision: '2' },
    { id: 's1', revision: '2' },
  ]);
  expect(toasts().at(-1)?.title).toBe('Restored revision 2');
});

it('opens a revision in the editor as a change that can be undone, and restores none over it', async () => {
  const { store } = await page();
  await choose(2);
  await press('Open in the editor');
  expect([words(store), store.document.name, closed]).toEqual(['QQQ', 'Name 2', 1]);
  const restore = screen.getByRole<HTMLButtonElement>('button', { name: 'Restore it' });
  await waitFor(() => expect(restore.disabled).toBe(true));
  expect(screen.getByText(/save or undo your changes first/)).toBeDefined();
  act(() => store.undo());
  expect([words(store), store.document.name]).toEqual(['TLT', 'Name 3']);
});

it('puts the metrics of each revision beside the one before it, as runs that are no trials', async () => {
  await page();
  await press('Backtest it');
  const row = (revision: number) => screen.getByRole('row', { name: new RegExp(`revision ${revision}`) });
  await waitFor(() => expect(row(3).textContent).toContain('▲ +2.00%'));
  expect(row(3).getAttribute('aria-current')).toBe('true');
  expect(row(3).textContent).toContain('▼ +10.00%');
  expect(row(2).textContent).not.toMatch(/[▲▼]/);
  expect(row(2).textContent).toContain('10.00%');
  expect(ran.map(({ strategy_id, start_date, end_date }) => [strategy_id, start_date, end_date])).toEqual([
    [undefined, '1990-01-01', '2026-03-02'],
    [undefined, '1990-01-01', '2026-03-02'],
  ]);
  fireEvent.click(within(row(2)).getByRole('button'));
  expect(row(2).getAttribute('aria-current')).toBe('true');
  await press('Show the blocks of revision 2');
  await waitFor(() => expect(sides()).toEqual(['Revision 2: Name 2', 'As it stands in the editor']));
});
