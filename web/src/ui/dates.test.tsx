// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { leave, press, show } from '../../testing/page.tsx';
import { DatePicker, DateRangePicker } from './DatePicker.tsx';

afterEach(leave);

let told: unknown[];
function Day({ start }: { start: string | null }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <DatePicker
        label="Day"
        value={value}
        min="2020-01-01"
        max="2026-03-02"
        onChange={(day) => {
          told.push(day);
          setValue(day);
        }}
      />
      <button type="button" onClick={() => setValue('2021-05-05')}>
        Elsewhere
      </button>
    </>
  );
}
const field = () => screen.getByLabelText<HTMLInputElement>('Day');
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });

it('takes what is typed when it is left or with Enter, and nothing before', () => {
  told = [];
  show(<Day start="2024-01-31" />);
  expect(field().value).toBe('January 31, 2024');
  type('2024-02-29');
  expect(told).toEqual([]);
  fireEvent.blur(field());
  expect(field().value).toBe('February 29, 2024');
  type('2026-03-02');
  fireEvent.keyDown(field(), { key: 'Enter' });
  fireEvent.blur(field());
  type('');
  fireEvent.blur(field());
  expect(told).toEqual(['2024-02-29', '2026-03-02', null]);
});

it('keeps what it refuses as it was typed, says why and what holds, until something else is chosen', async () => {
  told = [];
  show(<Day start="2024-01-31" />);
  for (const refused of ['2026-03-03', '2019-12-31', '2023-02-29']) {
    type(refused);
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.blur(field());
    expect(screen.getByRole('alert').textContent).toContain('It stays January 31, 2024');
    expect(field().value).toBe(refused);
  }
  fireEvent.keyDown(field(), { key: 'Escape' });
  expect([field().value, screen.queryByRole('alert')]).toEqual(['January 31, 2024', null]);
  type('never');
  fireEvent.blur(field());
  await press('Elsewhere');
  expect([field().value, screen.queryByRole('alert')]).toEqual(['May 5, 2021', null]);
  expect(told).toEqual([]);
});

it('picks a day of the calendar in place of what was typed', async () => {
  told = [];
  show(<Day start="2024-01-31" />);
  type('nonsense');
  fireEvent.blur(field());
  await press('Open calendar for Day');
  const day = await screen.findByRole('button', { name: /January 15/ });
  fireEvent.click(day);
  expect(told).toEqual(['2024-01-15']);
  expect(field().value).toBe('January 15, 2024');
  await waitFor(() => expect(screen.queryByRole('button', { name: /January 15/ })).toBeNull());
});

it('changes one end of a range and leaves the other, and counts shortcuts from where prices end', async () => {
  const changed: unknown[] = [];
  const shortcuts: unknown[] = [];
  show(
    <DateRangePicker
      value={{ startDate: '2025-02-27', endDate: '2026-02-27' }}
      onChange={(range) => changed.push(range)}
      onShortcut={(range) => shortcuts.push(range)}
      lastDay="2026-02-27"
      max="2026-03-02"
      errors={{ end: 'Too late' }}
    />,
  );
  const end = screen.getByLabelText('End Date');
  expect(end.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText('Start Date').getAttribute('aria-invalid')).toBeNull();
  fireEvent.change(end, { target: { value: '2025-06-30' } });
  fireEvent.blur(end);
  fireEvent.change(screen.getByLabelText('Start Date'), { target: { value: '2020-01-02' } });
  fireEvent.blur(screen.getByLabelText('Start Date'));
  expect(changed).toEqual([
    { startDate: '2025-02-27', endDate: '2025-06-30' },
    { startDate: '2020-01-02', endDate: '2026-02-27' },
  ]);
  expect(screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)).toEqual([
    '1y',
  ]);
  await press('3m');
  expect(shortcuts).toEqual([{ startDate: '2025-11-27', endDate: '2026-02-27' }]);
});
