// @vitest-environment happy-dom
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import {
  createBatchBacktest,
  estimateBatchBacktest,
  getBatchQuota,
  getTradingBot,
  listTemplates,
  listTickers,
  listVariableLists,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchOf } from '../../../../testing/batch.ts';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../../testing/page.tsx';
import NewBatchPage from './NewBatchPage.tsx';

const bot = (id: string, name: string, variables: readonly string[]) => ({
  id,
  name,
  type: 'template',
  variables,
  algorithm: { children: [] },
});
const BOTS = [bot('t1', 'Switch', ['$A', '$N']), bot('t2', 'Ladder', ['$B'])];
const QUOTA = { monthly_limit: 1_000, current_monthly_usage: 900, remaining: 100 };
const ESTIMATE = {
  combinations: 6,
  requested_combinations: 6,
  new_combinations: 4,
  partitions: 3,
  time_estimate: { seconds: 61.4 },
  usage: { ...QUOTA, remaining_after_backtests: 96 },
  unknown_tickers: { $A: ['QQQ'], $N: [] },
};

let estimated: Sent[];
let created: Sent[];
let failure: Error | null;
let read: (id: string | undefined) => unknown;
beforeEach(() => {
  [estimated, created, failure] = [[], [], null];
  read = (id) => BOTS.find((one) => one.id === id);
  const take = (into: () => Sent[], answered: unknown) => (sent: Sent) => {
    into().push(sent);
    if (failure) throw failure;
    return answered;
  };
  answer(
    [listTemplates, () => BOTS],
    [listVariableLists, () => [{ id: 'l1', name: 'Funds', variables: ['SPY', 'QQQ', 'IWM'] }]],
    [listTickers, () => ({ data: [] })],
    [getBatchQuota, () => QUOTA],
    [getTradingBot, ({ params }: Sent) => read(params?.id)],
    [estimateBatchBacktest, take(() => estimated, ESTIMATE)],
    [createBatchBacktest, take(() => created, { id: 'b9' })],
  );
});
afterEach(leave);

function Opened() {
  return <p>Opened {useParams().id}</p>;
}
const page = (search = '', clone?: BatchDetail) =>
  show(
    <Routes>
      <Route path="/" element={<Navigate to={`/batch-backtests/new${search}`} state={{ clone }} />} />
      <Route path="/batch-backtests/new" element={<NewBatchPage />} />
      <Route path="/batch-backtests/:id" element={<Opened />} />
    </Routes>,
  );
const asText = async (name: string, text: string) => {
  const modes = await screen.findByRole('radiogroup', { name: `Values of ${name}` });
  fireEvent.click(within(modes).getByRole('radio', { name: 'Text' }));
  fireEvent.change(screen.getByLabelText(`Values of ${name}, one per line`), { target: { value: text } });
};
const optionOf = async (field: string, name: string) => {
  const input = screen.getByLabelText(field);
  fireEvent.focus(input);
  fireEvent.keyDown(input, { key: 'ArrowDown' });
  const option = await screen.findByRole('option', { name: new RegExp(`^${name}`) });
  fireEvent.pointerDown(option);
  await act(async () => void fireEvent.click(option));
};
const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;
const usage = () =>
  [...screen.getByLabelText('Usage').querySelectorAll('dd')].map(({ textContent }) => textContent);

describe('a new batch', () => {
  it('is counted, estimated and made as it stands there', async () => {
    page('?template_id=t1');
    await asText('$A', 'SPY\nQQQ\n');
    expect(isDisabled('Get Estimate')).toBe(true);
    await asText('$N', '10..30 step 10');
    await screen.findByText(/× 3 =/);
    expect(screen.getByText(/combinations/, { selector: '[aria-live]' }).textContent).toBe(
      '2 × 3 = 6 combinations, 94 left this month',
    );
    expect(usage()).toEqual(['1,000', '900', '100', '--', '--', '--']);
    expect(isDisabled('Create Batch Backtest')).toBe(true);
    await press('Get Estimate');
    await waitFor(() => expect(usage()).toEqual(['1,000', '900', '100', '6', '1m 1s', '96']));
    expect(screen.getByText(/combinations/, { selector: '[aria-live]' }).textContent).toBe(
      '2 × 3 = 6 combinations, about 1m 1s, 96 left this month',
    );
    expect(screen.getByRole('note').textContent).toContain('1 ticker has no prices.');
    const values = { $A: ['SPY', 'QQQ'], $N: [10, 20, 30] };
    expect(estimated[0]?.body).toMatchObject({ variables: values, template_bot: { id: 't1' } });
    failure = refusal('The month is used up.', 'quota_exceeded', 400);
    await press('Create Batch Backtest');
    await screen.findByText('The month is used up.');
    failure = null;
    await press('Create Batch Backtest');
    await screen.findByText('Opened b9');
    expect(created[1]?.body).toMatchObject({
      name: 'Backtest based on Switch',
      variables: values,
      combinations: 6,
      partitions: 3,
      time_estimate: { seconds: 61.4 },
      backtest_config: { start_date: '1990-01-01', slippage_bps: 10 },
    });
  });

  it('needs another estimate once something is changed, and shows what a refused one says', async () => {
    page('?template_id=t2');
    await asText('$B', 'SPY');
    await press('Get Estimate');
    await waitFor(() => expect(isDisabled('Create Batch Backtest')).toBe(false));
    fireEvent.click(screen.getByRole('checkbox', { name: /^Compute both fills/ }));
    expect(isDisabled('Create Batch Backtest')).toBe(true);
    failure = refusal('Monthly limit exceeded', 'quota_exceeded', 403);
    await press('Get Estimate');
    await screen.findByText('Monthly limit exceeded');
    expect(isDisabled('Create Batch Backtest')).toBe(true);
    expect(estimated[1]?.body).toMatchObject({ backtest_config: { both_fills: true } });
    fireEvent.change(screen.getByLabelText('Values of $B, one per line'), {
      target: { value: '1..5 step 0' },
    });
    expect(isDisabled('Get Estimate')).toBe(true);
    expect(screen.getByText(/^Line 1:/)).toBeDefined();
  });

  it('takes values from lists', async () => {
    page('?template_id=t2');
    await screen.findByLabelText('Variable lists of $B');
    await optionOf('Variable lists of $B', 'Funds');
    fireEvent.keyDown(screen.getByLabelText('Variable lists of $B'), { key: 'Escape' });
    await screen.findByText('3 values');
    const chips = within(screen.getByRole('list', { name: 'Chosen values of $B' })).getAllByRole('listitem');
    expect(chips.map(({ textContent }) => textContent)).toEqual(['SPY', 'QQQ', 'IWM']);
    await press('Get Estimate');
    await waitFor(() =>
      expect(estimated[0]?.body).toMatchObject({ variables: { $B: ['SPY', 'QQQ', 'IWM'] } }),
    );
  });

  it('keeps the template that was chosen last, however late another one comes', async () => {
    const late = Promise.withResolvers<unknown>();
    read = (id) => (id === 't1' ? late.promise : BOTS[1]);
    page('?template_id=t1');
    await screen.findByLabelText('Template');
    await optionOf('Template', 'Ladder');
    await screen.findByRole('radiogroup', { name: 'Values of $B' });
    await asText('$B', 'SPY');
    await act(async () => late.resolve(BOTS[0]));
    expect(screen.queryByRole('radiogroup', { name: 'Values of $A' })).toBeNull();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Values of $B, one per line').value).toBe('SPY');
  });

  it('says why a template cannot be had', async () => {
    read = () => {
      throw refusal('It was deleted.', 'not_found', 404);
    };
    page('?template_id=t1');
    await waitFor(() => expect(toasts().at(-1)?.title).toBe('It was deleted.'));
  });
});

describe('a batch like an earlier one', () => {
  const earlier = (over: Partial<BatchDetail> = {}) =>
    batchOf({
      template_bot: BOTS[0] as never,
      backtest_config: { ...batchOf().backtest_config, slippage_bps: 25 },
      ...over,
    });

  it('begins with its dates, values and slippage', async () => {
    page('', earlier());
    await screen.findByText(/^Combinations that Pairs has computed are taken over/);
    expect(screen.getByText('As it was when Pairs ran.')).toBeDefined();
    await press('Get Estimate');
    await waitFor(() =>
      expect(estimated[0]?.body).toMatchObject({
        variables: { $A: ['SPY', 'QQQ', 'IWM'], $N: [10, 20] },
        planned_slippage_bps: 25,
        backtest_config: { start_date: '2010-01-04', end_date: '2020-12-31' },
      }),
    );
  });

  it('says what of it is computed anew, and why', async () => {
    const config = earlier().backtest_config;
    const cases: readonly (readonly [Partial<BatchDetail>, RegExp])[] = [
      [{ backtest_config: { ...config, benchmark_ticker: 'QQQ' } }, /^Pairs has settings that this form/],
      [{ backtest_config: { ...config, starting_balance: 1 } }, /^Pairs has settings that this form/],
      [{ is_owner: false }, /^Pairs is somebody else’s batch/],
      [{ status: 'Running' }, /^Pairs has not finished/],
      [
        { provenance: { ...earlier().provenance, differs_today: ['New prices.'] } },
        /^All combinations are computed anew.* New prices\.$/,
      ],
    ];
    for (const [over, words] of cases) {
      page('', earlier(over));
      await screen.findByText(words);
      leave();
    }
  });
});
