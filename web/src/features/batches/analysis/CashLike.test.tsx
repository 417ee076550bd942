// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../../lib/api.ts';
import { type ColumnFilter, filterQueries } from '../model/filters.ts';
import { CashLike } from './CashLike.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

/** 50 rows: the calm ones, of which two lead the ranking, and those that move. */
function show(calm: number) {
  const call = async (_route: unknown, { query }: { readonly query: { readonly filter?: string[] } }) => {
    const [filter = ''] = query.filter ?? [];
    if (filter === 'standard_deviation:lte:0.02') return { columns: [], rows: [], total: calm };
    if (filter !== '') return { columns: [], rows: [], total: 50 - calm };
    const rows = [
      [3.1, 0.004, 0.021],
      [2.2, 0.01, 0.034],
      [1.2, 0.16, 0.2],
      [null, null, null],
    ];
    return { columns: [], rows, total: 50 };
  };
  setApi({ call } as never);
  const shown: string[] = [];
  const onFilter = (filters: readonly ColumnFilter[]) => shown.push(...filterQueries(filters));
  render(
    <QueryClientProvider client={queryClient}>
      <CashLike batch={{ id: 'b1', combinations: 50 } as never} onFilter={onFilter} />
    </QueryClientProvider>,
  );
  return shown;
}

it('says how many rows hardly move, in front and in all, and leaves them out of the table', async () => {
  const shown = show(8);
  const note = await screen.findByRole('note');
  expect(note.textContent).toMatch(/^2 of the 3 highest Sharpe ratios belong to rows that hardly move/);
  expect(note.textContent).toContain('at best 3.40% return a year');
  expect(note.textContent).toContain('In all, 8 rows are like that.');
  fireEvent.click(screen.getByRole('button', { name: 'Table without them' }));
  expect(shown).toEqual(['standard_deviation:gte:0.02']);
});

it('offers no table without them where nothing would be left', async () => {
  show(50);
  expect((await screen.findByRole('note')).textContent).toContain('In all, 50 rows are like that.');
  expect(screen.queryByRole('button')).toBeNull();
});
