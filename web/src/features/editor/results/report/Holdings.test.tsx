// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ReportedRun } from '../../model/report-query.ts';
import { Holdings } from './Holdings.tsx';

afterEach(cleanup);

it('shows what each holding earned in percent of the starting balance, the greatest first', () => {
  const holdings = {
    GLD: { average_weight: 0.09, days_held: 40, contribution: -0.05 },
    QQQ: { average_weight: 0.3162, days_held: 120, contribution: 3.1526 },
  };
  render(<Holdings run={{ report: { holdings } } as unknown as Pick<ReportedRun, 'report'>} />);
  const [, first, second] = screen.getAllByRole('row');
  const cells = (row: HTMLElement | undefined) =>
    row
      ? within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent)
      : [];
  expect(cells(first)).toEqual(['31.62%', '120', '315.26%']);
  expect(cells(second)).toEqual(['9.00%', '40', '-5.00%']);
});
