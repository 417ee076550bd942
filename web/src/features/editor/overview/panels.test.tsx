// @vitest-environment happy-dom
import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { listTickers, runBacktest } from '@quantloom/domain/contracts/http/calls';
import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { answer, leave, press, show } from '../../../../testing/page.tsx';
import { editorMachine } from '../machines/editor.machine.ts';
import { runMachine } from '../machines/run.machine.ts';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { EditorStore } from '../model/editor-store.ts';
import { defaultSettings } from '../model/run-settings.ts';
import { LeftPanel } from './LeftPanel.tsx';
import { PeriodPopover } from './PeriodPopover.tsx';

let requests: unknown[];

afterEach(leave);
beforeEach(() => {
  requests = [];
});

const STRATEGY = strategyOfText('if RSI(SPY, 10) > 79 then [UVXY, SPY] else TLT');
const answerOf = (first_day: string, annualized_return: number) =>
  ({
    calculated_dates: {
      first_day,
      last_day: '2026-03-02',
      first_day_decided_by: ['UVXY'],
      last_day_decided_by: [],
    },
    metrics: { annualized_return, max_drawdown: 0.25, sharpe: 1.5 },
    provenance: { data_version: 'v2', engine_version: '7.1' },
  }) as unknown as BacktestAnswer;
const REQUEST = { start_date: '1990-01-01', trading_bot: STRATEGY } as unknown as BacktestRequest;
let count = 0;
function toolsOf(store: EditorStore, rest: Partial<EditorTools> = {}): EditorTools {
  const newId = () => {
    count += 1;
    return `new${count}`;
  };
  return { store, newId, isEditable: true, variables: [], ...rest } as unknown as EditorTools;
}
const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

it('says why a backtest begins where it does, and runs and takes what would make it longer', async () => {
  answer(
    [
      listTickers,
      () => ({ data: [{ ticker: 'SIM:UVXY', name: '', first_day: '', last_day: '', is_simulated: true }] }),
    ],
    [
      runBacktest,
      ({ body }) => {
        requests.push(body);
        return Response.json(answerOf('1993-02-12', 0.2));
      },
    ],
  );
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm: STRATEGY });
  const run: string[] = [];
  show(
    <EditorToolsContext value={toolsOf(store)}>
      <PeriodPopover
        answer={answerOf('2011-10-05', 0.1)}
        request={REQUEST}
        onRun={(algorithm, label) => run.push(`${label}: ${JSON.stringify(algorithm).includes('UVXY')}`)}
        trigger={<button type="button">Why</button>}
        isOpenAtOnce
      />
    </EditorToolsContext>,
    { features: ['web.simulated-tickers.view'] },
  );
  const starts = await screen.findByText('Starts October 5, 2011.');
  expect(starts.parentElement?.textContent).toContain('all that the strategy needs of UVXY');
  const row = (name: RegExp) => screen.getByRole('row', { name });
  await waitFor(() => expect(row(/with SIM:UVXY/).textContent).toContain('20.00%'));
  expect(cells(row(/as it is/)).slice(0, 4)).toEqual(['October 5, 2011', '10.00%', '25.00%', '1.50']);
  expect(cells(row(/without UVXY/)).slice(0, 4)).toEqual(['February 12, 1993', '20.00%', '25.00%', '1.50']);
  // None is a trial of the strategy before it is taken.
  expect(requests).toHaveLength(2);
  for (const request of requests) expect(request).not.toHaveProperty('strategy_id');
  fireEvent.click(within(row(/without UVXY/)).getByRole('button', { name: 'Show' }));
  expect(run).toEqual(['the strategy without UVXY: false']);
  expect(store.document.algorithm).toBe(STRATEGY);
  await press('Why');
  await screen.findByText('Starts October 5, 2011.');
  fireEvent.click(within(row(/without UVXY/)).getByRole('button', { name: 'Use' }));
  expect(JSON.stringify(store.document.algorithm)).not.toContain('UVXY');
  act(() => store.undo());
  expect(store.document.algorithm).toBe(STRATEGY);
});

function showLeft(id: string, tools: Partial<EditorTools>, problems: readonly object[] = []) {
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm: STRATEGY });
  const load = fromPromise<TradingBot, { readonly id: string }>(
    async () => ({ id, revision: 1 }) as TradingBot,
  );
  const actor = createActor(editorMachine.provide({ actors: { load } }), { input: { id } }).start();
  const run = createActor(runMachine).start();
  const pressed: string[] = [];
  show(
    <EditorToolsContext value={toolsOf(store, { strategyId: () => id, ...tools })}>
      <LeftPanel
        {...{ actor, run, store }}
        settings={defaultSettings(new Date('2026-03-02T12:00:00Z'))}
        problems={problems as never}
        isLive={false}
        onLive={(isLive) => pressed.push(`live ${isLive}`)}
        onRun={() => pressed.push('run')}
        onRunSample={() => pressed.push('sample')}
      />
    </EditorToolsContext>,
  );
  return { store, pressed };
}

it('runs a strategy, leads to its problems, and undoes and redoes what was done', async () => {
  const inBlock = { code: 'x', message: 'It is wrong', nodeId: STRATEGY.children[0]?.id };
  const problems = Array.from({ length: 9 }, () => inBlock);
  const { store, pressed } = showLeft('s1', {}, problems);
  await press(/^Run Backtest/);
  fireEvent.click(screen.getByRole('switch', { name: 'Run on every change' }));
  expect(pressed).toEqual(['run', 'live true']);
  const list = within(screen.getByRole('region', { name: 'Problems' }));
  expect([list.getAllByRole('button').length, list.getByText('and 1 more') !== null]).toEqual([8, true]);
  fireEvent.click(list.getAllByRole('button')[0] as HTMLElement);
  expect(store.state().revealed?.key).toBe(inBlock.nodeId);
  const undo = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Undo/ });
  const redo = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Redo/ });
  expect([undo().disabled, redo().disabled]).toEqual([true, true]);
  fireEvent.click(screen.getByRole('switch', { name: 'Visibility: Private' }));
  expect(store.document.isPublic).toBe(true);
  expect(screen.getByRole('switch', { name: 'Visibility: Public' })).toBeDefined();
  fireEvent.click(undo());
  expect(store.document.isPublic).toBe(false);
  fireEvent.click(redo());
  expect(store.document.isPublic).toBe(true);
});

it('leads from a template to its batch once it is saved as it stands', async () => {
  const { store } = showLeft('s 1', { variables: ['$A'] });
  const link = await screen.findByRole('link', { name: 'Create Batch Backtest' });
  expect(link.getAttribute('href')).toBe('/batch-backtests/new?template_id=s%201');
  expect(screen.queryByRole('button', { name: /^Run Backtest/ })).toBeNull();
  act(() => store.setVisibility(true));
  await screen.findByText('Save changes before creating a batch backtest');
  expect(screen.queryByRole('link', { name: 'Create Batch Backtest' })).toBeNull();
  leave();
  showLeft('new', { variables: ['$A'] });
  await screen.findByText('Save template before creating a batch backtest');
});

it('offers of somebody else’s strategy nothing that changes it', async () => {
  showLeft('s1', { isEditable: false });
  await screen.findByRole('button', { name: 'Copy JSON' });
  for (const name of [/^Undo/, 'Numbers and tickers', 'Import report', /History/])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('switch', { name: /Visibility/ })).toBeNull();
});
