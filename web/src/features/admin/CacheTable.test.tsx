// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { downloads, leave, press, show } from '../../../testing/page.tsx';
import { CacheTable } from './CacheTable.tsx';

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  leave();
  vi.restoreAllMocks();
});

it('shows the rows of a cache as they are, and saves them so', async () => {
  const saved = downloads();
  const rows = [
    { close: 1234.5678912345, date: '2024-01-02', index: 1_000, timestamp: 1_704_153_600 },
    { date: '2024-01-03', index: 1_001, name: 'a, b', timestamp: 1_704_240_000 },
  ];
  show(<CacheTable label="Prices" file="prices" rows={rows as never} />);
  expect(screen.getByText('2 rows')).toBeDefined();
  const [head, ...lines] = within(screen.getByRole('grid', { name: 'Prices' })).getAllByRole('row');
  expect([...(head?.children ?? [])].slice(1).map(({ textContent }) => textContent)).toEqual([
    'index',
    'date',
    'timestamp',
    'close',
    'name',
  ]);
  expect(
    lines.map((line) =>
      within(line)
        .getAllByRole('gridcell')
        .slice(1)
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['1,000', '2024-01-02', '1704153600', '1234.5679', '--'],
    ['1,001', '2024-01-03', '1704240000', '--', 'a, b'],
  ]);
  await press('Download CSV');
  expect(saved[0]?.name).toBe('prices.csv');
  expect((await saved[0]?.content?.text())?.trim().split('\r\n')).toEqual([
    'index,date,timestamp,close,name',
    '1000,2024-01-02,1704153600,1234.5678912345,',
    '1001,2024-01-03,1704240000,,"a, b"',
  ]);
});

it('says so where a cache was empty', () => {
  show(<CacheTable label="Prices" file="prices" rows={[]} />);
  expect(screen.getByText('No rows')).toBeDefined();
});
