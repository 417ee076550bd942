// @vitest-environment happy-dom
import { listResultViews } from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { batchOf } from '../../../../testing/batch.ts';
import { answer, leave, press, show } from '../../../../testing/page.tsx';
import { FIRST_DESK } from '../model/desk.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import type { Desk } from './use-desk.ts';
import type { RowFigures } from './use-row-figures.ts';

afterEach(leave);

const AVAILABLE = ['combination', 'start_date', '$A', 'sharpe_ratio', 'max_drawdown', 'sortino'];
const VIEW = { ...FIRST_DESK, id: 'v1', name: 'Calm', is_default: false };
let columns: readonly string[];
const onApply = vi.fn();

function Shown({ figures }: { figures: RowFigures | null }) {
  const [chosen, setColumns] = useState<readonly string[]>(['sharpe_ratio', 'max_drawdown']);
  columns = chosen;
  const desk = { desk: { ...FIRST_DESK, columns: chosen }, setColumns } as unknown as Desk;
  return (
    <ColumnChooser
      batch={batchOf()}
      available={AVAILABLE}
      desk={desk}
      figures={figures}
      onApply={onApply}
      trigger={<button type="button">Columns</button>}
      isOpenAtOnce
    />
  );
}
const chooser = async (figures: RowFigures | null = null) => {
  answer([listResultViews, () => [VIEW]]);
  show(<Shown figures={figures} />);
  await screen.findByRole('checkbox', { name: 'Sharpe Ratio' });
};
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

it('takes columns in and out, but never a variable, and moves them', async () => {
  await chooser();
  expect([box('$A').checked, box('$A').disabled, box('Sortino Ratio').checked]).toEqual([true, true, false]);
  fireEvent.click(box('Sortino Ratio'));
  expect(columns).toEqual(['sharpe_ratio', 'max_drawdown', 'sortino']);
  await press('Move Max Drawdown to the left');
  expect(columns.filter((name) => name !== '$A')).toEqual(['max_drawdown', 'sharpe_ratio', 'sortino']);
  expect(screen.getByText(/^Max Drawdown is column/).textContent).toMatch(/^Max Drawdown is column \d of 4$/);
  await waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Max Drawdown to the left'),
  );
  fireEvent.click(box('Max Drawdown'));
  expect(columns.filter((name) => name !== '$A')).toEqual(['sharpe_ratio', 'sortino']);
  expect(screen.queryByRole('button', { name: 'Move Max Drawdown to the left' })).toBeNull();
  await press('As at first');
  expect(columns).toEqual(FIRST_DESK.columns);
});

it('computes figures for the rows that are offered, and closes once a view is shown', async () => {
  const compute = vi.fn();
  const offer = { combinations: [3, 1], words: 'Compute for 2 picked rows' };
  await chooser({ known: new Map(), offer, isPending: false, compute });
  await press('Compute for 2 picked rows');
  expect(compute).toHaveBeenCalledWith([3, 1]);
  fireEvent.click(await screen.findByRole('button', { name: 'Calm' }));
  expect(onApply).toHaveBeenCalledWith(VIEW, 'Calm');
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Sharpe Ratio' })).toBeNull());
});
