// @vitest-environment happy-dom
import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import type { Fill } from '@quantloom/domain/strategy/run-settings';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { WhyPanel } from './WhyPanel.tsx';

afterEach(cleanup);

const algorithm = strategyOfText('if RSI(SPY, 10) > 50 then QQQ else TLT');
const nodes = JSON.stringify(algorithm);
const idOf = (pattern: RegExp) => pattern.exec(nodes)?.[1] ?? '';
const ifId = idOf(/"id":"([^"]+)","node_type":"if-then-else"/);
const conditionId = idOf(/"id":"([^"]+)","node_type":"condition"/);
const qqq = idOf(/"id":"([^"]+)","node_type":"asset"[^}]*\}[^}]*"ticker":"QQQ"/);
const tlt = idOf(/"id":"([^"]+)","node_type":"asset"[^}]*\}[^}]*"ticker":"TLT"/);

/** Three days: TLT is decided on the first two, QQQ on the last. */
const decisions = [false, false, true];
const answerOf = (fill: Fill): BacktestAnswer => {
  const held = fill === 'close' ? decisions : [null, ...decisions.slice(0, -1)];
  const part = (isQqq: boolean) => held.map((one) => (one === isQqq ? 100 : 0));
  return {
    metrics: {},
    history: {
      timestamps: [20_000, 20_001, 20_002].map((day) => day * 86_400),
      value: [1, 1, 1],
      benchmark_value: null,
      tickers: { QQQ: part(true), TLT: part(false) },
      indicators: {},
      turnover: fill === 'close' ? [1, 0, 2] : [0, 1, 0],
    },
    explanation: {
      conditions: {
        [conditionId]: {
          lhs: decisions.map((holds) => (holds ? 61 : 41)),
          rhs: [50, 50, 50],
          holds: decisions,
        },
      },
      branches: {},
      selections: {},
      shares: {
        [ifId]: [1, 1, 1],
        [qqq]: decisions.map(Number),
        [tlt]: decisions.map((isQqq) => Number(!isQqq)),
      },
    },
  } as unknown as BacktestAnswer;
};
const shown = (fill: Fill, day: number | null) => {
  const props = { algorithm, answer: answerOf(fill), fill, isPinned: false, onUnpin: () => undefined };
  return render(<WhyPanel {...props} day={day} />).container.textContent ?? '';
};

it('tells holdings by the conditions of their own day where they are filled at its close', () => {
  const text = shown('close', 2);
  expect(text).toMatch(/October 6, 2024.*QQQ.*100\.0%.*held.*61\.00 against 50\.00/);
  expect(text).not.toContain('next close');
});

it('tells of the last day while none is looked at', () => {
  expect(shown('close', null)).toBe(shown('close', 2));
  expect(shown('close', null)).not.toBe(shown('close', 0));
});

it('tells holdings by the decision of the day before where that was filled, and what the day has ordered', () => {
  const text = shown('next-close', 2);
  expect(text).toMatch(/October 6, 2024TLT100\.0%/);
  expect(text).toMatch(/Ordered for the next close:QQQ100\.0%/);
  expect(text).toMatch(
    /Held by the decision in force on October 5, 2024, which found:did not hold.*41\.00 against 50\.00/,
  );
});

it('has nothing held on the first day before an order is filled', () => {
  const text = shown('next-close', 0);
  expect(text).toContain('Nothing is held yet');
  expect(text).toMatch(/Ordered for the next close:TLT100\.0%/);
  expect(text).not.toContain('against');
});

it('says so where the next close has nothing to trade', () => {
  expect(shown('next-close', 1)).toContain('Nothing to trade at the next close.');
  expect(shown('next-close', 1)).not.toContain('Ordered');
});
