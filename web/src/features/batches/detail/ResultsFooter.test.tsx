// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { leave, press, show } from '../../../../testing/page.tsx';
import { ResultsFooter } from './ResultsFooter.tsx';
import type { Results } from './use-results.ts';

afterEach(leave);

function footer(over: object, isRunning = false) {
  leave();
  const done: unknown[] = [];
  const page = { columns: [], rows: Array.from({ length: 7 }, () => []), total: 7, nextCursor: null };
  const context = { page, cursors: [], picked: [1, 4], isPartial: false, ...over };
  show(
    <ResultsFooter
      results={[{ context }, (event: unknown) => done.push(event)] as unknown as Results}
      isRunning={isRunning}
      onCompare={() => done.push('compare')}
      onDownload={(format) => done.push(format)}
    />,
  );
  return { done, page };
}
const curves = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Curves of 2 picked' });

it('draws the curves of picked rows once all rows have run', async () => {
  const { done } = footer({});
  await press('Curves of 2 picked');
  expect(done).toEqual(['compare']);
  footer({ isPartial: true });
  expect([curves().disabled, curves().title]).toEqual([true, 'Once all rows have run']);
});

it('says that there are only so many rows so far, as long as the batch runs', () => {
  const { page } = footer({});
  const partial = { page: { ...page, rowsSoFar: 40 }, isPartial: true };
  footer(partial, true);
  expect(screen.getByRole('status').textContent).toBe('Results 1-7 of 7 so far');
  // What was stopped gets no more of them.
  footer(partial, false);
  expect(screen.getByRole('status').textContent).toBe('Results 1-7 of 7');
});
