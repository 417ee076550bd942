// @vitest-environment happy-dom
import { getMarketDataImport } from '@quantloom/domain/contracts/http/calls';
import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, show } from '../../../../testing/page.tsx';
import { ChangedResultsView } from './ChangedResultsView.tsx';

afterEach(leave);

const strategies = (total: number, listed: number) => ({
  total,
  items: Array.from({ length: listed }, (_, at) => ({
    ...{ id: `s${at}`, name: `Strategy ${at}`, tickers: ['SPY'], ticker_count: 1 },
    ...{ changed_from: '2026-01-02', figure: null },
  })),
});
const view = (results: () => object) => {
  answer([getMarketDataImport, () => ({ data: { changed_results: results() } })]);
  const published = { state: 'published', report: { createdAt: '2026-03-03T12:00:00Z' } };
  show(<ChangedResultsView id="u1" answer={published as never} isUndone={false} />);
};

it('asks until results are found and their figures computed, and shows what is known meanwhile', async () => {
  const states = ['listing', 'figures', 'done'];
  view(() => ({
    state: states.shift() ?? 'stopped',
    batches: { total: 0, items: [] },
    strategies: strategies(1, 1),
  }));
  await screen.findByText(/^Looking for the batches and strategies/);
  await screen.findByText('Computing figures again …', {}, { timeout: 5_000 });
  expect(screen.getByText('Strategy 0')).toBeDefined();
  await expect.poll(() => screen.queryByText('Computing figures again …'), { timeout: 5_000 }).toBeNull();
  expect(states).toEqual([]);
});

it('shows twenty of many, then all that are listed, and says how many more there are', async () => {
  view(() => ({ state: 'done', batches: { total: 0, items: [] }, strategies: strategies(100, 30) }));
  await screen.findByText('and 80 more');
  expect(screen.getAllByRole('link')).toHaveLength(20);
  await press('Show 10 of them');
  expect(screen.getAllByRole('link')).toHaveLength(30);
  expect(screen.getByText('and 70 more')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});
