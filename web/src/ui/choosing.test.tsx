// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { leave, press, show } from '../../testing/page.tsx';
import { Combobox, MultiCombobox } from './Combobox.tsx';
import { VirtualTable } from './VirtualTable.tsx';

afterEach(() => {
  leave();
  vi.restoreAllMocks();
});

const OPTIONS = [
  { value: 'spy', label: 'S&P 500' },
  { value: 'qqq', label: 'Nasdaq 100' },
  { value: 'dia', label: 'Dow Jones', disabled: true },
];
let told: unknown[];
let searched: string[];
beforeEach(() => {
  told = [];
  searched = [];
});

function One({ isOfServer = false }: { isOfServer?: boolean }) {
  const [value, setValue] = useState<string | null>('spy');
  return (
    <Combobox
      label="Index"
      options={OPTIONS}
      value={value}
      onChange={(next) => {
        told.push(next);
        setValue(next);
      }}
      {...(isOfServer && { onSearch: (text: string) => searched.push(text) })}
    />
  );
}
function Several() {
  const [values, setValues] = useState<readonly string[]>(['qqq']);
  return (
    <MultiCombobox
      label="Indexes"
      options={OPTIONS}
      values={values}
      onChange={(next) => {
        told.push(next);
        setValues(next);
      }}
    />
  );
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name });
const type = (name: string, text: string) =>
  act(async () => {
    fireEvent.focus(box(name));
    fireEvent.input(box(name), { target: { value: text }, inputType: 'insertText' });
  });
const options = async () => (await screen.findAllByRole('option')).map(({ textContent }) => textContent);

it('finds one of many by what is typed, and chooses none when it is cleared', async () => {
  show(<One />);
  expect(box('Index').value).toBe('S&P 500');
  await type('Index', 'nas');
  await waitFor(async () => expect(await options()).toEqual(['Nasdaq 100']));
  await act(async () => void fireEvent.click(screen.getByRole('option')));
  expect(told).toEqual(['qqq']);
  expect(box('Index').value).toBe('Nasdaq 100');
  await press('Clear');
  expect(told).toEqual(['qqq', null]);
});

it('leaves finding to the server, and takes the name of what is chosen for no search', async () => {
  show(<One isOfServer />);
  await type('Index', 'xyz');
  expect(searched.at(-1)).toBe('xyz');
  // What the server answers is shown as it is.
  await waitFor(async () => expect(await options()).toHaveLength(3));
  await act(async () => void fireEvent.click(screen.getByRole('option', { name: 'Nasdaq 100' })));
  expect(told).toEqual(['qqq']);
  await waitFor(() => expect(searched.at(-1)).toBe(''));
});

it('keeps several of many in the order of their choice, and takes out the one that is pressed', async () => {
  show(<Several />);
  await type('Indexes', 's&p');
  await act(async () => void fireEvent.click(await screen.findByRole('option', { name: 'S&P 500' })));
  expect(told).toEqual([['qqq', 'spy']]);
  await act(async () => void fireEvent.click(screen.getByLabelText('Remove Nasdaq 100')));
  expect(told.at(-1)).toEqual(['spy']);
});

it('numbers rows of a long table, asks for each by its place, and says how it is sorted', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  const sorted: string[] = [];
  show(
    <VirtualTable
      label="Results"
      rowCount={5000}
      height={400}
      firstRowNumber={101}
      sort={{ id: 'return', direction: 'desc' }}
      onSort={(id) => sorted.push(id)}
      columns={[
        { id: 'name', header: 'Name', width: 100, cell: (index) => `row ${index}` },
        { id: 'return', header: 'Return', width: 100, isSortable: true, cell: (index) => index * 2 },
      ]}
    />,
  );
  const grid = screen.getByRole('grid', { name: 'Results' });
  expect([grid.getAttribute('aria-rowcount'), grid.getAttribute('aria-colcount')]).toEqual(['5001', '3']);
  const header = screen.getByRole('columnheader', { name: 'Return' });
  expect(header.getAttribute('aria-sort')).toBe('descending');
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBeNull();
  await press('Return');
  expect(sorted).toEqual(['return']);
  const rows = within(grid).getAllByRole('row').slice(1);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThan(100);
  const [first, second] = rows.map((row) => [
    row.getAttribute('aria-rowindex'),
    ...within(row)
      .getAllByRole('gridcell')
      .map(({ textContent }) => textContent),
  ]);
  expect(first).toEqual(['2', '101', 'row 0', '0']);
  expect(second).toEqual(['3', '102', 'row 1', '2']);
});
