// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { NoBacktestYet } from './NoBacktestYet.tsx';

afterEach(cleanup);

it('leads to where a backtest is run, on the terms that the address names', () => {
  render(
    <MemoryRouter initialEntries={['/editor/abc/metrics?from=2015-01-02']}>
      <NoBacktestYet>Run a backtest to see returns by month.</NoBacktestYet>
    </MemoryRouter>,
  );
  const link = screen.getByRole('link', { name: 'Go to Overview' });
  expect(link.getAttribute('href')).toBe('/editor/abc?from=2015-01-02');
});
