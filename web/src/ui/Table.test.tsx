// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Sort, Table } from './Table.tsx';

afterEach(cleanup);

interface Row {
  readonly id: string;
  readonly value: number | null;
}
const ROWS: readonly Row[] = [
  { id: 'b', value: 2 },
  { id: 'none', value: null },
  { id: 'c', value: 10 },
  { id: 'a', value: -1 },
];

function Example({
  onOpen,
  onKey,
}: {
  onOpen?: (row: Row) => void;
  onKey?: (key: string, row: Row) => boolean;
}) {
  const [sort, setSort] = useState<Sort>([{ id: 'value', desc: true }]);
  return (
    <Table
      label="Values"
      rows={ROWS}
      rowId={(row) => row.id}
      sort={sort}
      onSortChange={setSort}
      {...(onOpen && { onOpen })}
      {...(onKey && { onRowKey: onKey })}
      columns={[
        { id: 'id', header: 'Name', sortValue: (row) => row.id, cell: (row) => row.id },
        {
          id: 'value',
          header: 'Value',
          isNumeric: true,
          sortValue: (row) => row.value,
          cell: (row) => row.value ?? '--',
        },
      ]}
    />
  );
}
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent);

describe('the table', () => {
  it('sorts numbers as numbers, missing ones last either way, and says so', () => {
    render(<Example />);
    expect(names()).toEqual(['c', 'b', 'a', 'none']);
    expect(screen.getByRole('columnheader', { name: /Value/ }).getAttribute('aria-sort')).toBe('descending');
    fireEvent.click(screen.getByRole('button', { name: 'Value' }));
    expect(names()).toEqual(['a', 'b', 'c', 'none']);
    expect(screen.getByRole('columnheader', { name: /Value/ }).getAttribute('aria-sort')).toBe('ascending');
    fireEvent.click(screen.getByRole('button', { name: 'Name' }));
    expect(names()).toEqual(['a', 'b', 'c', 'none']);
  });

  it('moves by arrow keys and j/k, opens with Enter, hands other keys on', () => {
    const onOpen = vi.fn();
    const onKey = vi.fn(() => true);
    render(<Example onOpen={onOpen} onKey={onKey} />);
    const rows = screen.getAllByRole('row').slice(1);
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    rows[0]?.focus();
    press('ArrowDown');
    press('j');
    expect(document.activeElement).toBe(rows[2]);
    press('k');
    press('Enter');
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(ROWS[0]);
    press('e');
    expect(onKey).toHaveBeenCalledWith('e', ROWS[0], expect.anything());
    press('End');
    expect(document.activeElement).toBe(rows[3]);
    press('Home');
    expect(document.activeElement).toBe(rows[0]);
  });
});
