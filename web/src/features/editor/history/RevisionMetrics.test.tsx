// @vitest-environment happy-dom
import { getTradingBotRevision, runBacktest } from '@quantloom/domain/contracts/http/calls';
import type { HistoryEntryAnswer } from '@quantloom/domain/contracts/http/history';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { chart } from '../../../../testing/charts.tsx';
import { answer, leave, type Sent, show } from '../../../../testing/page.tsx';
import { defaultSettings } from '../model/run-settings.ts';
import { RevisionMetrics } from './RevisionMetrics.tsx';

afterEach(leave);

const DAYS = ['2024-01-02', '2024-01-03', '2024-01-04'];
const TREES: Readonly<Record<number, string>> = { 1: 'SPY', 2: 'QQQ', 3: 'TLT' };

/** Shows three revisions, each with the value of its ticker by day. */
async function revisions(values: Readonly<Record<string, readonly number[]>>) {
  const run = ({ body }: Sent) => {
    const ticker = Object.keys(values).find((name) => JSON.stringify(body).includes(`"${name}"`)) ?? '';
    const timestamps = DAYS.map((day) => Date.parse(day) / 1000);
    return Response.json({ metrics: {}, history: { timestamps, value: values[ticker] } });
  };
  answer(
    [
      getTradingBotRevision,
      ({ params }) => ({
        type: 'bot',
        name: 'Trend',
        is_public: false,
        algorithm: strategyOfText(TREES[Number(params?.revision)] ?? ''),
      }),
    ],
    [runBacktest, run],
  );
  const entries = [3, 2, 1].map((revision) => ({ revision, event: 'StrategySaved', summary: '' }));
  show(
    <RevisionMetrics
      id="s1"
      entries={entries as unknown as readonly HistoryEntryAnswer[]}
      chosen={2}
      settings={defaultSettings(new Date('2026-03-02T12:00:00Z'))}
      onChoose={() => {}}
    />,
  );
  return await waitFor(() => chart('Growth of revision 3, revision 2, revision 1'));
}

it('draws the growth of 1 of each revision, the oldest first, with the chosen one before the others', async () => {
  const { data, layout } = await revisions({ SPY: [100, 150, 200], QQQ: [50, 25, 100], TLT: [10, 10, 5] });
  expect(data.map(({ name, x, y }) => [name, x, y])).toEqual([
    ['revision 1', DAYS, [1, 1.5, 2]],
    ['revision 2', DAYS, [1, 0.5, 2]],
    ['revision 3', DAYS, [1, 1, 0.5]],
  ]);
  const lines = data.map(({ line }) => line as { color: string; width: number });
  expect(new Set(lines.map(({ color }) => color)).size).toBe(3);
  const [first = 0, chosen = 0, last = 0] = lines.map(({ width }) => width);
  expect(chosen).toBeGreaterThan(Math.max(first, last));
  const [faint = 1, clear] = data.map(({ opacity }) => opacity as number);
  expect([faint < 1, clear]).toEqual([true, 1]);
  expect([layout.yaxis?.type, layout.yaxis?.ticksuffix]).toEqual(['linear', ' ×']);
});

it('takes a log axis where a linear one would show a flat line', async () => {
  const { layout } = await revisions({ SPY: [1, 10, 100], QQQ: [1, 1, 1], TLT: [1, 1, 1] });
  expect(layout.yaxis).toMatchObject({ type: 'log', ticktext: ['1 ×', '3 ×', '10 ×', '30 ×', '100 ×'] });
});
