// @vitest-environment happy-dom
import {
  compareBatches,
  getPeaks,
  getVariableEffects,
  getVerdict,
  listBatchBacktests,
  listBatchFailures,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { batchOf } from '../../../../testing/batch.ts';
import {
  answer,
  askAgain,
  figuresOf,
  leave,
  press,
  refusal,
  type Sent,
  show,
} from '../../../../testing/page.tsx';
import { type ColumnFilter, filterQueries } from '../model/filters.ts';
import { Compare } from './Compare.tsx';
import { Effects } from './Effects.tsx';
import { Failures } from './Failures.tsx';
import { OutOfSample } from './OutOfSample.tsx';
import { Peaks } from './Peaks.tsx';
import { Verdict } from './Verdict.tsx';

afterEach(leave);

const FILTERS: readonly ColumnFilter[] = [{ column: 'max_drawdown', op: 'lte', text: '30' }];

describe('what explains a metric', () => {
  it('is the variables by what they explain, of the rows that are filtered, in the unit of the metric', async () => {
    const asked: Sent[] = [];
    const slice = (value: string | number) => ({
      value,
      count: 2,
      worst: -0.1,
      median: 0.05,
      mean: 0.06,
      best: 0.2,
    });
    const variable = (name: string, explained: number | null, over = {}) => ({
      name,
      explained,
      is_numeric: name === '$N',
      steepest: null,
      slices: [slice(`of ${name}`)],
      ...over,
    });
    const effects = (sent: Sent) => {
      asked.push(sent);
      const steepest = { from: 10, to: 20, change: -0.021 };
      const variables = [variable('$C', null), variable('$A', 0.1), variable('$N', 0.755, { steepest })];
      return { metric: sent.query?.metric, count: 6, deviation: 1, variables };
    };
    answer([getVariableEffects, effects]);
    show(<Effects batch={batchOf()} metric="annualized_return" filters={FILTERS} />);
    const [, line] = await figuresOf('Slices of $N');
    expect(line).toEqual(['of $N', '', '-10.00%', '5.00%', '6.00%', '20.00%']);
    expect(asked[0]).toMatchObject({
      params: { id: 'b1' },
      query: { metric: 'annualized_return', filter: ['max_drawdown:lte:0.3'] },
    });
    expect(screen.getAllByRole('table').map((one) => one.querySelector('caption')?.textContent)).toEqual([
      'Slices of $N',
      'Slices of $A',
      'Slices of $C',
    ]);
    expect(screen.getByText('75.50%')).toBeDefined();
    expect(screen.getByText(/^The mean changes fastest/).textContent).toBe(
      'The mean changes fastest between 10 and 20: -2.10% per step',
    );
  });

  it('stays when asking again fails', async () => {
    let failure: Error | null = refusal('Too busy.');
    const effects = () => {
      if (failure) throw failure;
      return { metric: 'sharpe_ratio', count: 6, deviation: 1, variables: [] };
    };
    answer([getVariableEffects, effects]);
    show(<Effects batch={batchOf()} metric="sharpe_ratio" filters={[]} />);
    await screen.findByText('Too busy.');
    failure = null;
    await press('Try again');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    failure = refusal('Too busy.');
    await askAgain('batch-backtests');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

it('says why combinations failed, those that read the same as one, the most frequent first', async () => {
  const asked: Sent[] = [];
  const failures = (sent: Sent) => {
    asked.push(sent);
    return {
      total: 120,
      reasons: [
        { reason: 'Odd weights (node_0a1)', count: 30 },
        { reason: 'ZZZ has no prices', count: 50 },
        { reason: 'Odd weights (node_0b2)', count: 40 },
      ],
      failures: [{ combination: 3, values: { $A: 'QQQ', $N: 20 }, reason: 'Odd weights (node_0a1)' }],
    };
  };
  answer([listBatchFailures, failures]);
  const summary = { rows: 1_000, failures: 120, best: null, medians: {} };
  const { unmount } = show(<Failures batch={batchOf({ combinations: 1_000, summary })} />);
  expect(await figuresOf('Reasons')).toEqual([
    ['Reason', 'Combinations'],
    ['Odd weights', '70'],
    ['ZZZ has no prices', '50'],
  ]);
  expect(await figuresOf('The first 1 of 120')).toEqual([
    ['Combination', 'Reason'],
    ['QQQ / 20', 'Odd weights'],
  ]);
  expect(screen.getByText(/^12\.00% of all combinations have no result/)).toBeDefined();
  unmount();
  show(<Failures batch={batchOf()} />);
  expect(screen.queryByText(/failed/)).toBeNull();
  expect(asked).toHaveLength(1);
});

it('shows peaks with what surrounds them, and warns where the best lies at the edge of the search', async () => {
  const asked: Sent[] = [];
  const peaks = (sent: Sent) => {
    asked.push(sent);
    return {
      metric: 'max_drawdown',
      median: 0.4,
      best: {
        combination: 1,
        values: { $A: 'SPY', $N: 20 },
        value: 0.123,
        neighbours: 4,
        neighbours_above_median: 0.75,
      },
      edges: [{ name: '$N', side: 'highest', value: 20 }],
      peaks: [
        { combination: 1, values: { $A: 'SPY', $N: 20 }, value: 0.123, neighbour_median: 0.2, plateau: 3 },
      ],
    };
  };
  answer([getPeaks, peaks]);
  show(<Peaks batch={batchOf()} metric="max_drawdown" />);
  const [head, line] = await figuresOf('Local maxima');
  expect([head?.[2], ...(line ?? [])]).toEqual(['Max Drawdown', 'SPY / 20', '', '12.30%', '20.00%', '3']);
  expect(screen.getByRole('note').textContent).toContain('lies at the highest value of $N (20)');
  expect(screen.getByText(/^The best,/).textContent).toBe(
    'The best, SPY / 20, has 12.30%. Of its 4 neighbours, 75.00% are better than the median of all rows (40.00%).',
  );
  expect(asked[0]).toMatchObject({ params: { id: 'b1' }, query: { metric: 'max_drawdown', limit: 20 } });
});

describe('a batch beside another', () => {
  const other = (id: string, name: string) => ({
    id,
    name,
    combinations: 1_500,
    created_at: '2026-01-05T12:00:00Z',
  });
  const COMPARED = {
    matched: 4,
    unmatched: { this: 2, other: 1 },
    equal: 1,
    higher: 2,
    lower: 1,
    mean_difference: 0.0125,
    correlation: 0.876,
    differences: [{ name: 'Slippage', this: '10 bps', other: '5 bps' }],
    medians: [
      { metric: 'annualized_return', this: 0.05, other: 0.07 },
      { metric: 'sharpe_ratio', this: 1, other: null },
    ],
    largest_changes: [
      { combination: 1, values: { $A: 'SPY' }, this: 0.1, other: 0.04 },
      { combination: 2, values: { $A: 'QQQ' }, this: 0.1, other: 0.1 },
    ],
  };

  const chooseOther = async () => {
    show(<Compare batch={batchOf()} metric="annualized_return" />);
    const field = await screen.findByLabelText('Other batch');
    fireEvent.focus(field);
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    const option = await screen.findByRole('option', { name: /Older pairs/ });
    expect(screen.getAllByRole('option')).toHaveLength(1);
    fireEvent.pointerDown(option);
    await act(async () => void fireEvent.click(option));
    return option;
  };

  it('says in words what is in both, and where it is the same', async () => {
    const words = async (over: object) => {
      leave();
      answer(
        [listBatchBacktests, () => [other('b2', 'Older pairs')]],
        [compareBatches, () => ({ ...COMPARED, ...over })],
      );
      await chooseOther();
      return (await screen.findByText(/combination.*both|both.*combination/i)).textContent;
    };
    const none = { this: 0, other: 0 };
    expect(await words({ unmatched: { this: 0, other: 3 } })).toMatch(
      /^4 combinations have a result in both; 0 only in this batch, 3 only in the other\. /,
    );
    expect(await words({ unmatched: none })).toMatch(
      /^Both batches have results of the same 4 combinations\. Of those, /,
    );
    expect(await words({ unmatched: none, equal: 4 })).toBe(
      'Both batches have results of the same 4 combinations, and the Annualized Return of every one is the same.',
    );
    expect(await words({ unmatched: none, matched: 1, equal: 1 })).toBe(
      'Both batches have results of the same 1 combination, and its Annualized Return is the same.',
    );
    expect(await words({ matched: 0 })).toBe('No combination has a result in both.');
  });

  it('is compared by what both have, this less the other', async () => {
    const asked: Sent[] = [];
    const compare = (sent: Sent) => {
      asked.push(sent);
      return COMPARED;
    };
    answer(
      [listBatchBacktests, () => [other('b1', 'Pairs'), other('b2', 'Older pairs')]],
      [compareBatches, compare],
    );
    const option = await chooseOther();
    expect(option.textContent).toContain('1,500 combinations, January 5, 2026');
    expect((await figuresOf('Settings that differ')).at(-1)).toEqual(['Slippage', '10 bps', '5 bps']);
    expect(asked[0]).toMatchObject({
      params: { id: 'b1' },
      query: { with: 'b2', metric: 'annualized_return' },
    });
    expect((await figuresOf('Medians over all rows')).slice(1)).toEqual([
      ['Annualized Return', '5.00%', '7.00%', '-2.00%'],
      ['Sharpe Ratio', '1.00', '--', '--'],
    ]);
    expect((await figuresOf('Largest changes of Annualized Return')).slice(1)).toEqual([
      ['SPY', '10.00%', '4.00%', '6.00%'],
    ]);
    expect(screen.getByText(/^4 combinations have a result in both/).textContent).toBe(
      '4 combinations have a result in both; 2 only in this batch, 1 only in the other. Of those, this ' +
        'batch has the higher Annualized Return in 2 (50.00%), the lower in 1 (25.00%), and the same in ' +
        '1 (25.00%). The mean difference is 1.25%, and the correlation is 0.88.',
    );
  });
});

const figure = (key: string, label: string, value: number | null, unit: string) => ({
  key,
  label,
  value,
  unit,
  tone: 'neutral',
  explanation: `About ${label}.`,
  source: 'A paper',
});
const verdict = (over: Record<string, unknown> = {}) => ({
  verdict: 'may_be_real',
  sentence: 'It may be real. Four of five halves say so.',
  tested: null,
  cell: null,
  skill: null,
  figures: [figure('pbo', 'Overfitting', 0.234, 'probability'), figure('trials', 'Trials', 1_234, 'count')],
  cash: { name: 'BIL', daily_by_block: [] },
  cross_validation: { splits: 252, blocks: 10, rows: 6, kept: 0.42, points: [{ in: 1.2, out: 0.3 }] },
  out_of_sample: null,
  ...over,
});
const skill = (rows: number, of: number, over = {}) => ({
  p: 0.4,
  held: 'known',
  rows: of,
  confidence_text: 'Of those that were compared.',
  confidence_rows: Array.from({ length: rows }, (_, at) => ({ combination: at + 3, values: { $N: at } })),
  ...over,
});

describe('the verdict', () => {
  it('stays when asking again fails', async () => {
    let failure: Error | null = null;
    const load = () => {
      if (failure) throw failure;
      return verdict();
    };
    answer([getVerdict, load]);
    show(<Verdict batch={batchOf()} />);
    await screen.findByText('The best result may be real');
    failure = refusal('Too busy.');
    await askAgain('batch-backtests');
    expect(screen.getByText('The best result may be real')).toBeDefined();
  });

  const shown = async (
    over: Record<string, unknown>,
    onShow?: (filters: readonly ColumnFilter[]) => void,
  ) => {
    leave();
    answer([getVerdict, () => verdict(over)]);
    show(<Verdict batch={batchOf()} {...(onShow && { onShow })} />);
    return (await screen.findByRole('heading')).textContent;
  };

  it('is headed by what was found, and does not say it twice', async () => {
    expect(await shown({})).toBe('The best result may be real');
    expect(screen.getByText('It may be real. Four of five halves say so.')).toBeDefined();
    expect(await shown({ cell: 'noise', sentence: 'Noise. Nothing is left.' })).toBe('Noise');
    expect(screen.getByText('Nothing is left.')).toBeDefined();
    expect(await shown({ verdict: 'likely_luck', skill: skill(0, 9) })).toBe(
      'The best result is probably luck',
    );
    const clear = { p: 0.001 };
    expect(await shown({ verdict: 'likely_luck', skill: skill(0, 9, clear) })).toBe(
      'The alpha is that of what it holds',
    );
    expect(await shown({ verdict: 'likely_luck', skill: skill(0, 9, { ...clear, held: 'unknown' }) })).toBe(
      'Whether its choices earned the alpha is not known',
    );
  });

  it('shows the rows that cannot be told from the best, and names eight of them', async () => {
    const asked: string[] = [];
    await shown({ skill: skill(10, 50) }, (filters) => asked.push(...filterQueries(filters)));
    expect(screen.getByText(/cannot be told from the best/).textContent).toContain(
      '10 rows cannot be told from the best by daily returns: 0, 1, 2, 3, 4, 5, 6, 7 and 2 more.',
    );
    await press('Show these rows');
    expect(asked).toEqual(['combination:in:3|4|5|6|7|8|9|10|11|12']);
    const [first] = screen.getAllByRole('listitem');
    expect(first?.textContent).toContain('23.40%');
    await shown({ skill: skill(10, 10) }, () => {});
    expect(screen.queryByRole('button', { name: 'Show these rows' })).toBeNull();
    expect(screen.getByText(/leaves out none of the 10 rows/)).toBeDefined();
  });
});

it('shows what the best row in sample did out of it, once that part is open', async () => {
  const part = (annualized: number, sharpe: number | null) => ({
    annualized_return: annualized,
    sharpe_ratio: sharpe,
  });
  const figures = {
    date: '2018-01-02',
    values: { $A: 'SPY', $N: 20 },
    in_sample: part(0.2, 1.5),
    out_of_sample: part(-0.05, null),
    rank_correlation: 0.129,
    top_stays_above_median: 0.6,
  };
  answer([getVerdict, () => verdict({ out_of_sample: figures })]);
  show(<OutOfSample batch={batchOf()} />);
  const lines = await figuresOf('Best in sample (SPY / 20), before and from January 2, 2018');
  expect(lines.filter(([name]) => name === 'Annualized Return' || name === 'Sharpe Ratio')).toEqual([
    ['Annualized Return', '20.00%', '-5.00%'],
    ['Sharpe Ratio', '1.50', '--'],
  ]);
  expect(screen.getByText(/^Rank correlation of both parts/).textContent).toBe(
    'Rank correlation of both parts, by Sharpe ratio over cash, over all strategies: 0.13. Of the best ' +
      'tenth in sample, 60.00% stay above the median out of sample.',
  );
  expect(screen.getByText(/^A point on the dotted line/).textContent).toContain('On average 42.00% of');
});
