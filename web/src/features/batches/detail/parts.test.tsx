// @vitest-environment happy-dom
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import {
  getOutOfSample,
  listTickers,
  openOutOfSample,
  updateBatchBacktest,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { batchOf } from '../../../../testing/batch.ts';
import { answer, choose, leave, press, type Sent, show } from '../../../../testing/page.tsx';
import { AddFilter } from './AddFilter.tsx';
import { ConfigTab } from './ConfigTab.tsx';
import { LiveProgress } from './LiveProgress.tsx';
import { Notes } from './Notes.tsx';
import { OutOfSampleLock } from './OutOfSampleLock.tsx';
import { RowsSoFar } from './RowsSoFar.tsx';

afterEach(leave);

const LOCKED = { date: '2018-01-02', opened: null };
const seenBefore = (count: number, batches: readonly object[] = []) => ({
  ranked_whole: false,
  seen_before: { count, batches },
});
/** The lock of a batch, and what was known of its days before. */
async function lock(known: object, over: object = {}, part: object = LOCKED) {
  const opened: unknown[] = [];
  answer([getOutOfSample, () => known], [openOutOfSample, ({ params }: Sent) => void opened.push(params)]);
  const { provenance } = batchOf();
  const batch = batchOf({
    provenance: { ...provenance, strategy_id: 's1' },
    ...over,
  } as Partial<BatchDetail>);
  await act(async () => {
    show(<OutOfSampleLock batch={batch} part={part as never} />);
    await import('../../../ui/DialogWindow.tsx');
  });
  return opened;
}
const text = () => screen.getByRole('region', { name: 'Out of sample' }).textContent;

it('is opened by its owner alone, once that was confirmed, and says by whom and since when', async () => {
  const opened = await lock(seenBefore(0));
  expect(text()).toContain('Rows are ranked on the days before January 2, 2018.');
  await press('Open it once');
  expect(opened).toEqual([]);
  await press('Open');
  await waitFor(() => expect(opened).toEqual([{ id: 'b1' }]));
  leave();
  await lock(seenBefore(0), { is_owner: false });
  expect(screen.queryByRole('button')).toBeNull();
  leave();
  for (const [by_you, whom] of [
    [true, 'you'],
    [false, 'the owner'],
  ] as const) {
    await lock(seenBefore(0), {}, { date: '2018-01-02', opened: { at: '2026-03-02T12:00:00Z', by_you } });
    expect(text()).toContain('The days from January 2, 2018 on were opened on March 2, 2026');
    expect(text()).toContain(`by ${whom}.`);
    expect(screen.queryByRole('button', { name: 'Open it once' })).toBeNull();
    leave();
  }
});

it('says who had seen the locked days before, as far as that is known', async () => {
  const at = '2026-01-05T12:00:00Z';
  const words = async (known: object, over: object = {}) => {
    await lock(known, over);
    await waitFor(() => expect(text()).toMatch(/Chosen|were ranked|ranked over|never saved/));
    const found = text();
    leave();
    return found;
  };
  expect(await words(seenBefore(0))).toContain('Chosen before any batch of this strategy had ranked');
  const unsaved = { provenance: { ...batchOf().provenance, strategy_id: null } };
  expect(await words(seenBefore(0), unsaved)).toContain('But the template was never saved');
  const two = await words(
    seenBefore(5, [
      { id: 'x', name: 'First', at },
      { id: 'y', name: 'Second', at },
    ]),
  );
  expect(two).toMatch(/by First \(.*\), Second \(.*\) and 3 more batches of this lineage/);
  expect(await words({ ...seenBefore(0), ranked_whole: true })).toContain('ranked over its whole period');
});

it('adds a filter of the condition that its column has, once there is a value for it, and begins anew', async () => {
  const added: unknown[] = [];
  const filter = (isOpenAtOnce: boolean) => (
    <AddFilter
      batch={batchOf()}
      onAdd={(one) => added.push(one)}
      trigger={<button type="button">Filter</button>}
      isOpenAtOnce={isOpenAtOnce}
    />
  );
  await act(async () => void show(filter(true)));
  const value = () => screen.getByLabelText<HTMLInputElement>(/^Value/);
  await press('Add filter');
  expect(added).toEqual([]);
  fireEvent.change(value(), { target: { value: '1.5' } });
  await press('Add filter');
  expect(added).toEqual([{ column: 'sharpe_ratio', op: 'gte', text: '1.5' }]);
  await press('Filter');
  expect(value().value).toBe('');
  // Funds have no order: "at least" is none of their conditions.
  await choose('Column', '$A');
  fireEvent.change(value(), { target: { value: 'SPY, QQQ' } });
  await press('Add filter');
  expect(added.at(-1)).toMatchObject({ column: '$A', text: 'SPY, QQQ' });
  expect((added.at(-1) as { op: string }).op).not.toBe('gte');
});

it('says of the rows of a part of a batch how many these are, by the stop where it was stopped', () => {
  const words = (batch: BatchDetail) => {
    const { container } = show(<RowsSoFar batch={batch} rows={1_200} />);
    const found = container.textContent;
    leave();
    return found;
  };
  const progress = { ...batchOf().progress, rows: 1_300 };
  const running = batchOf({ status: 'Running', combinations: 5_000, progress });
  expect(words(running)).toContain('the first 1,200 of 5,000 rows so far');
  expect(words({ ...running, status: 'Stopped' })).toContain('stopped after 1,300 of 5,000 rows');
});

it('keeps a note of the owner, which others read', async () => {
  const sent: unknown[] = [];
  answer([updateBatchBacktest, ({ params, body }: Sent) => void sent.push([params, body])]);
  show(<Notes batch={batchOf({ note: 'Calm ones' })} />);
  expect(screen.queryByRole('button', { name: 'Save note' })).toBeNull();
  fireEvent.change(screen.getByLabelText('Note on this batch'), { target: { value: 'Wild ones' } });
  await press('Save note');
  expect(sent).toEqual([[{ id: 'b1' }, { note: 'Wild ones' }]]);
  leave();
  show(<Notes batch={batchOf({ note: 'Calm ones', is_owner: false })} />);
  expect(screen.getByText('Calm ones')).toBeDefined();
  expect(screen.queryByRole('textbox')).toBeNull();
  leave();
  expect(show(<Notes batch={batchOf({ is_owner: false })} />).container.textContent).toBe('');
});

it('says how far a batch is, how fast, and for how long still', () => {
  const words = (over: object, status: BatchDetail['status'] = 'Running') => {
    const progress = { ...batchOf().progress, percent: 24, rows: 1_200, ...over };
    const batch = batchOf({ status, combinations: 5_000, progress, time_estimate: { seconds: 90 } as never });
    const { container } = show(<LiveProgress batch={batch} />);
    const found = container.textContent;
    leave();
    return found;
  };
  const node = (rate: number) => ({ node: 'n1', partitions: [1, 4], rate });
  const fast = words({ rate: 1_234.5, remaining_seconds: 125, nodes: [node(12.34)] });
  expect(fast).toContain('1,200 of 5,000 backtests');
  expect(fast).toMatch(/1,23[45] per second/);
  expect(fast).toContain('2m 5s left');
  expect(fast).toContain('n1 12/s, partitions 1, 4');
  expect(words({ rate: 2.34, nodes: [] })).toContain('2.3 per second');
  expect(words({ rate: 0.123, nodes: [] })).toContain('0.12 per second');
  expect(words({}, 'Queued')).toContain('about 1m 30s once it runs');
});

it('says what a batch was run with, and what of it was there before', () => {
  answer([listTickers, () => ({ data: [] })]);
  const batch = batchOf({
    combinations: 5_000,
    new_combinations: 3_800,
    time_actual: { start_time: '2026-03-02T12:00:00Z', end_time: null } as never,
  });
  show(<ConfigTab batch={batch} />, { features: ['web.slippage.view'] });
  const line = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
  expect(line('Backtest Period')).toBe('January 4, 2010 – December 31, 2020');
  expect(line('Combinations')).toBe('5,000');
  expect(line('Reused')).toContain('1,200 from earlier batches');
  expect(line('Slippage (bps)')).toBe('10');
  expect(line('Filled at')).toBe('the same close');
  expect(line('Started At')).toContain('March 2, 2026');
  expect(line('Finished At')).toBe('--');
  expect(line('Template')).toBe('Switch');
  expect(line('Strategy revision')).toBe('2');
  expect(line('Data version')).toBe('d1');
});
