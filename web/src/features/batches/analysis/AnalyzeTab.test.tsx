// @vitest-environment happy-dom
import {
  getBatchResults,
  getHeatMap,
  getHistograms,
  getPeaks,
  getVariableEffects,
  getVerdict,
  listBatchBacktests,
} from '@quantloom/domain/contracts/http/calls';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batchOf, resultsAnswer } from '../../../../testing/batch.ts';
import { answer, choose, leave, press, refusal, type Sent, show } from '../../../../testing/page.tsx';
import { useDesk } from '../detail/use-desk.ts';
import AnalyzeTab from './AnalyzeTab.tsx';

const onShowRows = vi.fn();
let asked: Sent[];
beforeEach(() => {
  onShowRows.mockClear();
  asked = [];
  const results = (sent: Sent) => {
    asked.push(sent);
    return resultsAnswer(sent, [{ combination: 0, $A: 'SPY', $N: 10 }], { total: 4 });
  };
  const no = () => {
    throw refusal('Not in this test.');
  };
  answer(
    [getBatchResults, results],
    [listBatchBacktests, () => []],
    ...[getHeatMap, getHistograms, getPeaks, getVariableEffects, getVerdict].map(
      (route) => [route, no] as const,
    ),
  );
});
afterEach(() => {
  leave();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

function Shown({ batch }: { batch: ReturnType<typeof batchOf> }) {
  const desk = useDesk(batch, []);
  return <AnalyzeTab batch={batch} desk={desk} onShowRows={onShowRows} />;
}

it('is of the metric that is chosen and of the rows that the table shows', async () => {
  window.history.replaceState(null, '', '/?picture=table&filter=max_drawdown:lte:30&filter=$A:in:SPY');
  show(<Shown batch={batchOf()} />);
  await screen.findByRole('heading', { name: 'Sharpe Ratio over two variables' });
  await choose('Metric', 'Max Drawdown');
  await screen.findByRole('heading', { name: 'Max Drawdown over two variables' });
  await press('Show 4 of 6 rows');
  expect(onShowRows).toHaveBeenCalledOnce();
  await press(/^Remove the filter .*SPY/);
  await waitFor(() => expect(asked.at(-1)?.query?.filter).toEqual(['max_drawdown:lte:0.3']));
  await press(/^Remove the filter/);
  await screen.findByRole('link', { name: 'How to read it' });
  expect(onShowRows).toHaveBeenCalledOnce();
});

it('draws no pictures of a single result', async () => {
  const summary = { rows: 6, failures: 5, best: null, medians: {} };
  show(<Shown batch={batchOf({ summary })} />);
  await screen.findByText(/^There is one result: distributions/);
  expect(screen.queryByRole('heading', { name: /over two variables/ })).toBeNull();
  expect(screen.getByText('5 combinations failed')).toBeDefined();
});
