// @vitest-environment happy-dom
import { computeWalkForward, getStability, getWalkForward } from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchOf } from '../../../../testing/batch.ts';
import {
  answer,
  choose,
  figuresOf,
  leave,
  press,
  refusal,
  type Sent,
  show,
} from '../../../../testing/page.tsx';
import { Stability } from './Stability.tsx';
import { WalkForward } from './WalkForward.tsx';

afterEach(leave);

describe('the walk-forward', () => {
  const days = (from: number) => ({ from: `${from}-01-02`, to: `${from}-12-31` });
  let asked: Sent[];
  let runs: Sent[];
  let windows: unknown[];
  let failure: Error | null;
  beforeEach(() => {
    [asked, runs, failure] = [[], [], null];
    windows = [
      {
        chosen_on: days(2015),
        held: days(2016),
        combination: 1,
        values: { $A: 'SPY', $N: 20 },
        in_sharpe: 1.234,
        out_sharpe: null,
        return: -0.031,
      },
    ];
    const walk = (sent: Sent) => {
      asked.push(sent);
      const { mode, k } = sent.query as { mode: string; k: number };
      const by = (blocks: number) => ({
        k: blocks,
        windows: 10 - blocks,
        annualized_return: blocks / 100,
        sharpe: null,
        efficiency: 0.5,
      });
      return {
        mode,
        k,
        cash: 'BIL',
        blocks: [days(2015), days(2016)],
        windows,
        stitched: { annualized_return: 0.0625, sharpe: 0.5, value: [0.97] },
        hindsight: { combination: 3, values: {}, value: [1.2] },
        benchmark: { ticker: 'SPY', value: [1.1] },
        efficiency: 0.45,
        by_k: [by(2), by(3)],
        precision: 'Sums over blocks.',
      };
    };
    const exact = (sent: Sent) => {
      runs.push(sent);
      if (failure) throw failure;
      const figures = (annualized: number) => ({
        annualized_return: annualized,
        sharpe: 0.4,
        max_drawdown: 0.3,
      });
      const curve = (annualized: number) => ({
        days: ['2016-01-04'],
        value: [1],
        figures: figures(annualized),
      });
      return {
        stitched: curve(0.06),
        after_changes: { changes: 2, figures: figures(0.055) },
        hindsight: curve(0.2),
        benchmark: { ...curve(0.1), ticker: 'SPY' },
      };
    };
    answer([getWalkForward, walk], [computeWalkForward, exact]);
    show(<WalkForward batch={batchOf()} />);
  });

  it('says what choosing as one goes would have earned, on as many blocks as are chosen', async () => {
    expect((await screen.findByText(/^Choosing the best row/)).textContent).toBe(
      'Choosing the best row by Sharpe ratio over cash on the last 3 blocks and holding it in the next ' +
        'one, 1 time, would have earned 6.25% a year (Sharpe ratio 0.50). That is 45.00% of what the ' +
        'chosen rows had earned a year before they were chosen: the efficiency.',
    );
    const [, line] = await figuresOf('What was chosen, and what it did next');
    expect(line?.slice(1)).toEqual(['SPY / 20', '1.23', '--', '-3.10%']);
    expect(line?.[0]).toContain('January 2, 2016 – December 31, 2016');
    expect((await figuresOf('How much the number of blocks decides')).slice(1)).toEqual([
      ['2', '8', '2.00%', '--', '50.00%'],
      ['3', '7', '3.00%', '--', '50.00%'],
    ]);
    await choose('Blocks to choose on', 'on 2 blocks of 2');
    await screen.findByText(/on the last 2 blocks/);
    fireEvent.click(screen.getByRole('radio', { name: 'From the start' }));
    await screen.findByText(/on all blocks so far/);
    expect(asked.map(({ query }) => query)).toEqual([
      { mode: 'rolling', k: 3 },
      { mode: 'rolling', k: 2 },
      { mode: 'anchored', k: 2 },
    ]);
  });

  it('is followed day by day when asked for, and not taken over to another choice of blocks', async () => {
    failure = refusal('The day’s budget is used up.');
    await press('Follow day by day');
    await screen.findByText('The day’s budget is used up.');
    failure = null;
    await press('Try again');
    expect((await figuresOf('Followed day by day')).slice(1)).toEqual([
      ['Chosen as one went', '6.00%', '0.40', '30.00%'],
      ['The same with the cost of 2 changes', '5.50%', '0.40', '30.00%'],
      ['Best in hindsight', '20.00%', '0.40', '30.00%'],
      ['SPY', '10.00%', '0.40', '30.00%'],
    ]);
    fireEvent.click(screen.getByRole('radio', { name: 'From the start' }));
    await press('Follow day by day');
    await waitFor(() => expect(runs).toHaveLength(3));
    expect(runs.map(({ params, body }) => [params?.id, body])).toEqual([
      ['b1', { mode: 'rolling', k: 3 }],
      ['b1', { mode: 'rolling', k: 3 }],
      ['b1', { mode: 'anchored', k: 3 }],
    ]);
  });

  it('says where there is too little for it', async () => {
    leave();
    windows = [];
    show(<WalkForward batch={batchOf()} />);
    await screen.findByText(/^There are too few stretches/);
  });
});

describe('the stability', () => {
  const part = (sharpe: number | null, annualized: number | null) => ({
    sharpe,
    annualized_return: annualized,
  });
  const row = (combination: number, first: ReturnType<typeof part>, second: ReturnType<typeof part>) => ({
    combination,
    values: { $A: 'SPY', $N: combination },
    periods: [first, second],
    regimes: [
      { regime: 'bear', ...second, periods: 1 },
      { regime: 'bull', ...first, periods: 3 },
    ],
  });
  const ANSWER = {
    periods: [
      { from: '2010-01-04', to: '2014-12-31', regime: 'bull', benchmark: 0.5 },
      { from: '2015-01-02', to: '2019-12-31', regime: 'bear', benchmark: -0.1 },
    ],
    rows: [row(1, part(1.234, 0.081), part(-0.5, -0.02)), row(4, part(0.9, 0.05), part(null, null))],
    cash: null,
    left_out: 0,
    ranked: 6,
    rank_correlation: {
      between_periods: [
        [1, 0.345],
        [0.345, 1],
      ],
      neighbours: 0.345,
      between_regimes: [{ one: 'bull', other: 'bear', correlation: -0.2 }],
    },
    sentence: 'The order hardly stays.',
  };

  it('is that of the picked rows, in each period and market', async () => {
    const asked: Sent[] = [];
    const stability = (sent: Sent) => {
      asked.push(sent);
      return ANSWER;
    };
    answer([getStability, stability]);
    const { unmount } = show(<Stability batch={batchOf()} picked={[4, 1]} />);
    expect(await figuresOf('Sharpe ratio by period')).toEqual([
      ['Row', '2010-01 – 2014-12', '2015-01 – 2019-12'],
      ['SPY / 1', '1.23', '-0.50'],
      ['SPY / 4', '0.90', '--'],
    ]);
    expect(screen.getByText('The 2 picked rows.')).toBeDefined();
    fireEvent.click(screen.getByRole('radio', { name: 'Return a Year' }));
    expect((await figuresOf('Return a year by period'))[1]).toEqual(['SPY / 1', '+8.10%', '-2.00%']);
    expect(await figuresOf('By kind of market')).toEqual([
      ['Row', 'Falling (1)', 'Rising (3)'],
      ['SPY / 1', '-2.00%', '+8.10%'],
      ['SPY / 4', '--', '+5.00%'],
    ]);
    expect((await figuresOf('Does the order of 6 rows stay?')).slice(1)).toEqual([
      ['Rising and falling markets', '-0.20'],
      ['2010-01 – 2014-12 and the next', '0.35'],
    ]);
    unmount();
    show(<Stability batch={batchOf()} picked={[]} />);
    await screen.findByText(/^The 2 best rows by Sharpe ratio/);
    expect(asked.map(({ query }) => query)).toEqual([{ combinations: '4,1' }, {}]);
  });
});
