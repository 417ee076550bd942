// @vitest-environment happy-dom
import { getBatchResults, pinResultRow, unpinResultRow } from '@quantloom/domain/contracts/http/calls';
import { assetBlock, newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchOf, resultsAnswer } from '../../../../testing/batch.ts';
import {
  answer,
  downloads,
  leave,
  press,
  refusal,
  type Sent,
  show,
  toasts,
} from '../../../../testing/page.tsx';
import { COPIED_NODE_KEY } from '../../../lib/copied-node.ts';
import { ResultsTab } from './ResultsTab.tsx';
import { useDesk } from './use-desk.ts';

const FUNDS = ['SPY', 'QQQ', 'IWM'];
const row = (combination: number) => ({
  combination,
  $A: FUNDS[Math.floor(combination / 2)] ?? 'SPY',
  $N: combination % 2 === 0 ? 10 : 20,
  start_date: '2010-01-04',
  annualized_return: combination / 100,
  max_drawdown: 0.255,
  sharpe_ratio: combination + 0.12345,
});
let asked: Record<string, unknown>[];
let rows: readonly ReturnType<typeof row>[];
let more: { total?: number; next_cursor?: string | null };
let failure: Error | null;
let acts: unknown[];

beforeEach(() => {
  [asked, acts, more, failure] = [[], [], {}, null];
  rows = [5, 3, 1, 4, 2, 0].map(row);
  // happy-dom lays nothing out.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const results = (sent: Sent) => {
    asked.push(sent.query ?? {});
    if (failure) throw failure;
    if (sent.query?.link) return { presigned_url: 'https://files.example/rows' };
    // The figures of pinned rows are asked for beside those of the table.
    if (String(sent.query?.filter).startsWith('combination:in:')) {
      const wanted = String(sent.query?.filter).split(':').at(-1)?.split('|').map(Number) ?? [];
      return resultsAnswer(sent, wanted.map(row));
    }
    return resultsAnswer(sent, rows, more);
  };
  const take =
    (what: string) =>
    ({ params, body }: Sent) => {
      acts.push([what, params, body]);
      if (failure) throw failure;
      return {};
    };
  answer([getBatchResults, results], [pinResultRow, take('pin')], [unpinResultRow, take('unpin')]);
});
afterEach(() => {
  leave();
  vi.restoreAllMocks();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

const onRepeat = vi.fn();
function Shown({ batch }: { batch: ReturnType<typeof batchOf> }) {
  const desk = useDesk(batch, []);
  return <ResultsTab batch={batch} desk={desk} onApply={() => {}} isRepeating={false} onRepeat={onRepeat} />;
}
const tab = (over: Parameters<typeof batchOf>[0] = {}) => show(<Shown batch={batchOf(over)} />);
const grid = () => screen.findByRole('grid', { name: 'Results' });
/** Rows of the table as the reader sees them, by heading. */
async function table(...headings: readonly string[]) {
  const [head, ...lines] = within(await grid()).getAllByRole('row');
  const names = within(head as HTMLElement)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent ?? '');
  return lines.map((line) => {
    const cells = within(line).getAllByRole('gridcell');
    return headings.map((name) => cells[names.indexOf(name)]?.textContent);
  });
}
const question = () => asked.findLast(({ filter }) => !String(filter).startsWith('combination:in:'));
const lineOf = async (index: number) => within(await grid()).getAllByRole('row')[index + 1] as HTMLElement;

describe('the rows of a batch', () => {
  it('stand in the order and the units of their columns, and are sorted by the server', async () => {
    tab();
    expect((await table('Row#', '$A', '$N', 'Annualized Return', 'Sharpe Ratio')).slice(0, 2)).toEqual([
      ['1', 'IWM', '20', '5.00%', '5.1235'],
      ['2', 'QQQ', '20', '3.00%', '3.1235'],
    ]);
    const before = question();
    expect(before).toMatchObject({ format: 'json', limit: 1_000 });
    expect(String(before?.columns).split(',').slice(0, 1)).toEqual(['combination']);
    rows = [0, 1].map(row);
    fireEvent.click(within(await grid()).getByRole('button', { name: 'Max Drawdown' }));
    await waitFor(() => expect(question()).toMatchObject({ sort: 'max_drawdown:asc' }));
    await waitFor(async () => expect(await table('$A')).toEqual([['SPY'], ['SPY']]));
    const head = within(await grid()).getByRole('columnheader', { name: 'Max Drawdown' });
    expect(head.getAttribute('aria-sort')).toBe('ascending');
  });

  it('are a thousand a page, and their numbers and names go on from page to page', async () => {
    more = { total: 1_002, next_cursor: 'after 1000' };
    tab();
    await grid();
    expect(screen.getByRole('status').textContent).toBe('Results 1-6 of 1,002');
    rows = [1, 0].map(row);
    more = { total: 1_002 };
    await press('Next 1000');
    await screen.findByText('Results 1,001-1,002 of 1,002');
    expect(question()).toMatchObject({ cursor: 'after 1000' });
    expect(await table('Row#', '$N')).toEqual([
      ['1001', '20'],
      ['1002', '10'],
    ]);
    expect(screen.getByRole('checkbox', { name: 'Pick row 1002' })).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next 1000' }).disabled).toBe(true);
    await press('Previous 1000');
    await screen.findByText('Results 1-6 of 1,002');
  });

  it('can be picked, copied as they are, and downloaded as they are sorted and filtered', async () => {
    const saved = downloads();
    let count = 0;
    const newId = () => `old${++count}`;
    const algorithm = {
      ...newAlgorithm(newId, 'Switch'),
      children: [assetBlock(newId, { ticker: '$A', name: '$A' })],
    };
    tab({ template_bot: { name: 'Switch', variables: ['$A', '$N'], algorithm } as never });
    fireEvent.click(within(await lineOf(1)).getByRole('button', { name: 'Copy block' }));
    const copied = localStorage.getItem(COPIED_NODE_KEY);
    expect(JSON.parse(copied ?? '')).toMatchObject({ name: 'QQQ / 20' });
    expect(copied).toContain('"ticker":"QQQ"');
    expect(within(await lineOf(1)).getByRole('button', { name: 'Copied' })).toBeDefined();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Pick row 2' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Pick row 5' }));
    expect(screen.getByRole('button', { name: 'Curves of 2 picked' })).toBeDefined();
    await press('Clear');
    expect(screen.queryByRole('button', { name: /picked/ })).toBeNull();
    fireEvent.click(within(await grid()).getByRole('button', { name: 'Max Drawdown' }));
    await waitFor(() => expect(question()).toMatchObject({ sort: 'max_drawdown:asc' }));
    await press('Parquet');
    expect(question()).toEqual({ link: true, format: 'parquet', sort: 'max_drawdown:asc' });
    const file = { name: 'batch_backtest_b1.parquet', address: 'https://files.example/rows' };
    await waitFor(() => expect(saved).toMatchObject([file]));
    failure = refusal('No.');
    await press('Download CSV');
    await waitFor(() => expect(toasts().at(-1)?.title).toBe('The download failed'));
  });

  it('say why one cannot be copied', async () => {
    tab({ template_bot: null as never });
    const copy = within(await lineOf(0)).getByRole('button', { name: 'Copy block' });
    // The window that says so is fetched when it opens.
    await act(async () => void fireEvent.click(copy));
    expect((await screen.findByRole('alertdialog')).textContent).toContain('No template bot found');
    expect(localStorage.getItem(COPIED_NODE_KEY)).toBeNull();
  });
});

describe('pinned rows', () => {
  const pins = [
    { combination: 1, note: 'calm', pinned_at: '2026-01-05T12:00:00Z' },
    { combination: 4, note: '', pinned_at: '2026-01-05T12:00:00Z' },
  ];

  it('are pinned and unpinned by the owner alone, who hears of a failure', async () => {
    const { unmount } = tab({ pins });
    fireEvent.click(within(await lineOf(0)).getByRole('button', { name: 'Pin' }));
    fireEvent.click(within(await lineOf(2)).getByRole('button', { name: 'Unpin' }));
    await waitFor(() =>
      expect(acts).toEqual([
        ['pin', { id: 'b1' }, { combination: 5, note: '' }],
        ['unpin', { id: 'b1', combination: '1' }, undefined],
      ]),
    );
    failure = refusal('Fifty are pinned already.');
    fireEvent.click(within(await lineOf(1)).getByRole('button', { name: 'Pin' }));
    await waitFor(() => expect(toasts().at(-1)?.title).toBe('Fifty are pinned already.'));
    failure = null;
    unmount();
    tab({ pins, is_owner: false });
    expect(within(await lineOf(0)).queryByRole('button', { name: /Pin|Unpin/ })).toBeNull();
  });

  it('say what they reached, and are found in the table until it shows something else', async () => {
    rows = [5, 3, 1].map(row);
    tab({ pins });
    const line = (await screen.findByText('SPY / 20')).closest('li') as HTMLElement;
    await within(line).findByText('Sharpe Ratio 1.12');
    expect(line.textContent).toContain('Annualized Return 1.00%');
    expect(asked.find(({ filter }) => String(filter) === 'combination:in:1|4')).toBeDefined();
    fireEvent.click(within(line).getByRole('button', { name: 'Show in table' }));
    expect((await lineOf(2)).className).toContain('bg-selected');
    // The same place in another order is another row.
    rows = [1, 3, 5].map(row);
    fireEvent.click(within(await grid()).getByRole('button', { name: 'Max Drawdown' }));
    await waitFor(async () => expect((await table('$A'))[0]).toEqual(['SPY']));
    expect((await lineOf(2)).className).not.toContain('bg-selected');
    const other = screen.getByText('IWM / 10').closest('li') as HTMLElement;
    fireEvent.click(within(other).getByRole('button', { name: 'Show in table' }));
    await waitFor(async () => expect(await table('$A', '$N')).toEqual([['IWM', '10']]));
    await press('Table of these 2 only');
    await waitFor(async () => expect(await table('$A', '$N')).toHaveLength(2));
    // The file holds what the table shows, too.
    downloads();
    await press('Parquet');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ link: true, filter: ['combination:in:1|4'] }));
  });
});

describe('without rows', () => {
  it('it says why: not yet, never, or not to be had', async () => {
    const { unmount } = tab({ status: 'Error' });
    await screen.findByText('The batch has failed: there are no complete results.');
    unmount();
    failure = refusal('The files are gone.', 'results_missing', 404);
    const { unmount: leaveMissing } = tab();
    await screen.findByText('The files are gone.');
    await press('Compute the rows again');
    expect(onRepeat).toHaveBeenCalledOnce();
    leaveMissing();
    leave();
    failure = refusal('Broken.');
    const { unmount: leaveBroken } = tab();
    await screen.findByText('Error loading results');
    leaveBroken();
    leave();
    [failure, rows] = [null, []];
    tab();
    await screen.findByText('No results available');
  });
});
