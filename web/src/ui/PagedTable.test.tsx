// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PagedList } from '../lib/paged-list.ts';
import { type PagedColumn, PagedTable } from './PagedTable.tsx';

interface Row {
  readonly id: string;
  readonly size: number;
}
const COLUMNS: readonly PagedColumn<Row>[] = [
  { id: 'name', header: 'Name', sortBy: 'name', cell: ({ id }) => id },
  { id: 'size', header: 'Size', sortBy: 'size', isNumeric: true, cell: ({ size }) => size },
  { id: 'note', header: 'Note', cell: () => 'none' },
  {
    id: 'actions',
    header: null,
    label: 'Actions',
    cell: ({ id }) => <button type="button">Delete {id}</button>,
  },
];

const listOf = (total: number, over: Partial<PagedList<Row>> = {}): PagedList<Row> => ({
  total,
  rowAt: (index) => (index < total ? { id: `row ${index}`, size: index } : undefined),
  loaded: [],
  isStale: false,
  isCatchingUp: false,
  error: null,
  refetch: () => undefined,
  onRange: () => undefined,
  ...over,
});

// happy-dom lays nothing out.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(41);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const table = (list: PagedList<Row>, over: Partial<Parameters<typeof PagedTable<Row>>[0]> = {}) => (
  <PagedTable
    label="Rows"
    columns={COLUMNS}
    list={list}
    rowId={({ id }) => id}
    sort="name:asc"
    onSortChange={() => undefined}
    {...over}
  />
);
const rows = () => screen.getAllByRole('row').slice(1);
const row = (name: string) => screen.getByRole('cell', { name }).closest('tr') as HTMLElement;

it('draws the rows in view, says how many there are, and asks for what is in view', () => {
  const onRange = vi.fn();
  render(table(listOf(15_000, { onRange })));
  expect(screen.getByRole('table', { name: 'Rows' }).getAttribute('aria-rowcount')).toBe('15001');
  expect(rows().length).toBeGreaterThan(10);
  expect(rows().length).toBeLessThan(100);
  expect(row('row 0').getAttribute('aria-rowindex')).toBe('2');
  const [first, last] = onRange.mock.lastCall ?? [];
  expect(first).toBe(0);
  expect(last).toBeGreaterThan(10);
  expect(last).toBeLessThan(60);
});

it('marks a row whose page is on the way, which neither opens nor takes keys', () => {
  const [onOpen, onRowKey] = [vi.fn(), vi.fn()];
  render(table(listOf(3, { rowAt: () => undefined }), { onOpen, onRowKey }));
  const [first] = rows();
  if (!first) throw new Error('There is no row');
  expect(first.getAttribute('aria-busy')).toBe('true');
  fireEvent.keyDown(first, { key: 'Enter' });
  fireEvent.keyDown(first, { key: 'Delete' });
  expect([onOpen, onRowKey].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

it('says by what it is sorted, turns round, and starts with the largest number', () => {
  const onSortChange = vi.fn();
  const { rerender } = render(table(listOf(3), { onSortChange }));
  const head = (name: string) => screen.getByRole('columnheader', { name });
  expect(head('Name').getAttribute('aria-sort')).toBe('ascending');
  expect(head('Size').getAttribute('aria-sort')).toBeNull();
  expect(within(head('Note')).queryByRole('button')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Name' }));
  fireEvent.click(screen.getByRole('button', { name: 'Size' }));
  rerender(table(listOf(3), { onSortChange, sort: 'size:desc' }));
  expect(head('Size').getAttribute('aria-sort')).toBe('descending');
  fireEvent.click(screen.getByRole('button', { name: 'Size' }));
  expect(onSortChange.mock.calls.flat()).toEqual(['name:desc', 'size:desc', 'size:asc']);
});

it('moves through the rows by keys, opens one, and offers it other keys', () => {
  const onOpen = vi.fn();
  const onRowKey = vi.fn((key: string) => key === 'x');
  render(table(listOf(12), { onOpen, onRowKey }));
  row('row 0').focus();
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press('ArrowDown');
  press('j');
  expect(document.activeElement).toBe(row('row 2'));
  press('k');
  expect(document.activeElement).toBe(row('row 1'));
  press('End');
  expect(document.activeElement).toBe(row('row 11'));
  press('ArrowDown');
  expect(document.activeElement).toBe(row('row 11'));
  press('Home');
  press('Enter');
  expect(onOpen.mock.lastCall).toEqual([{ id: 'row 0', size: 0 }]);
  // `fireEvent` is false when the key was used up.
  expect([press('x'), press('y')]).toEqual([false, true]);
  expect(onRowKey.mock.calls.map(([key]) => key)).toEqual(['x', 'y']);
  expect(rows().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
});

it('leaves keys to what is inside a row', () => {
  const onOpen = vi.fn();
  render(table(listOf(2), { onOpen }));
  fireEvent.keyDown(screen.getByRole('button', { name: 'Delete row 1' }), { key: 'Enter' });
  expect(onOpen).not.toHaveBeenCalled();
});

it('shows that an answer is on the way, and what to say of nothing', () => {
  const { rerender } = render(table(listOf(2, { isStale: true }), { empty: <p>Nothing matches</p> }));
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByText('Nothing matches')).toBeNull();
  rerender(table(listOf(0), { empty: <p>Nothing matches</p> }));
  expect(screen.getByText('Nothing matches')).toBeTruthy();
  expect(rows()).toHaveLength(0);
});

it('keeps the keyboard in the list when it becomes shorter', () => {
  const { rerender } = render(table(listOf(12)));
  row('row 0').focus();
  fireEvent.keyDown(row('row 0'), { key: 'End' });
  rerender(table(listOf(3)));
  expect(rows().map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0]);
});
