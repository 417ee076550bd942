// @vitest-environment happy-dom
import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { leave, press, show } from '../../../../testing/page.tsx';
import { BacktestChart } from './BacktestChart.tsx';

afterEach(leave);

const DAYS = Array.from({ length: 40 }, (_, i) => Date.UTC(2024, 0, 1 + i) / 1000);
const answerOf = (last: number) =>
  ({
    history: {
      timestamps: DAYS,
      value: DAYS.map((_, i) => (i === 39 ? last : 100 + i)),
      // It begins later than the strategy.
      benchmark_value: DAYS.map((_, i) => (i === 0 ? null : i === 39 ? 110 : 100)),
      tickers: { SPY: DAYS.map(() => 100) },
      indicators: {},
      turnover: [],
    },
  }) as unknown as BacktestAnswer;
const chart = (answer: BacktestAnswer) => (
  <BacktestChart
    answer={answer}
    isLog={false}
    showsDrawdown={false}
    showsAllocation={false}
    further={[]}
    height={300}
    onHoverDay={() => {}}
    onPinDay={() => {}}
  />
);
const group = () => screen.findByRole('group', { name: /^Chart/ });
const key = async (name: string) => {
  const field = await group();
  await act(async () => void fireEvent.keyDown(field, { key: name }));
};
const zoomed = () => screen.queryByText(/^Zoomed:/)?.textContent;

it('says what strategy and benchmark came to, each in percent of its first day', async () => {
  show(chart(answerOf(121)));
  const name = /^Return of the strategy from 2024-01-01 to 2024-02-09: 21\.00%, SPY 10\.00%$/;
  expect(await screen.findByRole('img', { name })).toBeDefined();
});

it('zooms in by the keyboard, moves, and shows all days again, as it does for another result', async () => {
  const page = render(chart(answerOf(121)));
  expect(zoomed()).toBeUndefined();
  await key('+');
  const inside = zoomed();
  expect(inside).toMatch(/^Zoomed: January \d+, 2024 to (January|February) \d+, 2024/);
  await key('ArrowLeft');
  expect(zoomed()).not.toBe(inside);
  fireEvent.click(screen.getByRole('switch', { name: 'Count returns from here' }));
  expect(document.querySelector('[data-range-figures]')?.textContent).toContain('Strategy +');
  await press(/Show all days/);
  expect(zoomed()).toBeUndefined();
  await key('+');
  await key('0');
  expect(zoomed()).toBeUndefined();
  await key('+');
  expect(zoomed()).toBeDefined();
  // Another answer has other days.
  page.rerender(chart(answerOf(130)));
  expect(zoomed()).toBeUndefined();
});
