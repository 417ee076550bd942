// @vitest-environment happy-dom
import { listResultViews } from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { batchOf } from '../../../../testing/batch.ts';
import { answer, choose, leave, press, show } from '../../../../testing/page.tsx';
import { FIRST_DESK } from '../model/desk.ts';
import { ResultsToolbar } from './ResultsToolbar.tsx';
import type { ResultOrder } from './results.machine.ts';
import type { Desk } from './use-desk.ts';
import type { RowFigures } from './use-row-figures.ts';

afterEach(leave);

const BY_COLUMN = (column: string): ResultOrder => ({ by: 'column', sort: { column, direction: 'desc' } });
const BY_NEIGHBOURS: ResultOrder = { by: 'neighbourhood', metric: 'max_drawdown' };
const CALM = { column: 'max_drawdown', op: 'lte', text: '0.2' } as const;
const LONG = { column: '$N', op: 'gte', text: '10' } as const;
const FIGURES: RowFigures = { known: new Map(), offer: null, isPending: false, compute: () => {} };

/** What is asked of the table, from now on. */
function toolbar(order: ResultOrder, over: object = {}) {
  answer([listResultViews, () => []]);
  const sent: unknown[] = [];
  const context = { order, filters: [], isPartial: false, page: null, ...over };
  const desk = {
    desk: FIRST_DESK,
    setColumns: () => {},
    results: [{ context }, (event: unknown) => sent.push(event)],
  } as unknown as Desk;
  show(<ResultsToolbar batch={batchOf()} desk={desk} figures={FIGURES} onApply={() => {}} />);
  return sent;
}
const pick = (name: string) => act(async () => void fireEvent.click(screen.getByRole('radio', { name })));

it('orders by the neighbours of what the table is sorted by, where it is a metric, or else of Sharpe', async () => {
  const asked = async (column: string) => {
    leave();
    const sent = toolbar(BY_COLUMN(column));
    expect(screen.queryByRole('combobox', { name: 'Metric of the neighbourhood' })).toBeNull();
    await pick('Median of neighbours');
    return sent;
  };
  const by = (metric: string) => [{ type: 'user.orderByNeighbourhood', metric }];
  expect(await asked('max_drawdown')).toEqual(by('max_drawdown'));
  expect(await asked('$N')).toEqual(by('sharpe_ratio'));
  expect(await asked('start_date')).toEqual(by('sharpe_ratio'));
});

it('changes the metric of the neighbours, and goes back to the rows’ own values', async () => {
  let sent: unknown[] = [];
  await act(async () => {
    sent = toolbar(BY_NEIGHBOURS);
    await import('../../../ui/Select.tsx');
  });
  await choose('Metric of the neighbourhood', /^Annualized Return/);
  await pick('Own value');
  expect(sent).toEqual([
    { type: 'user.orderByNeighbourhood', metric: 'annualized_return' },
    { type: 'user.orderByColumn' },
  ]);
});

it('offers neither neighbours nor further figures while rows still come', async () => {
  const isOffered = async (isPartial: boolean) => {
    leave();
    toolbar(BY_COLUMN('sharpe_ratio'), { isPartial });
    const neighbours = screen.queryByRole('radiogroup', { name: 'Order of the results' });
    await press('Columns');
    await screen.findByRole('checkbox', { name: 'Sharpe Ratio' });
    const figures = screen.queryByRole('region', { name: 'Computed when asked for' });
    return [neighbours !== null, figures !== null];
  };
  expect(await isOffered(false)).toEqual([true, true]);
  expect(await isOffered(true)).toEqual([false, false]);
});

it('offers the columns of the rows that are shown, before there are any those that the batch has', async () => {
  const has = async (name: string) => screen.queryByRole('checkbox', { name }) !== null;
  toolbar(BY_COLUMN('sharpe_ratio'), { page: { columns: ['combination', '$A', 'sharpe_ratio'] } });
  await press('Columns');
  await screen.findByRole('checkbox', { name: 'Sharpe Ratio' });
  expect(await has('Max Drawdown')).toBe(false);
  leave();
  toolbar(BY_COLUMN('sharpe_ratio'));
  await press('Columns');
  await screen.findByRole('checkbox', { name: 'Max Drawdown' });
});

it('takes one filter out and leaves the others, or takes all of them', async () => {
  const sent = toolbar(BY_COLUMN('sharpe_ratio'), { filters: [CALM, LONG] });
  const [first] = screen.getAllByRole('button', { name: /^Remove the filter/ });
  fireEvent.click(first as HTMLElement);
  await press('Clear all');
  expect(sent).toEqual([
    { type: 'user.setFilters', filters: [LONG] },
    { type: 'user.setFilters', filters: [] },
  ]);
});
