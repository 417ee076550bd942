import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { TRADED } from '@quantloom/domain/statistics/rounding';
import type { Fill } from '@quantloom/domain/strategy/run-settings';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useMemo } from 'react';
import { formatAllocation, formatDate, formatIndicator, formatUnixDay } from '../../../lib/format.ts';
import { Badge, TickerChip } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { conditionsOnDay, decisionOf, targetsOnDay } from '../model/why.ts';
import { conditionWords } from '../model/words.ts';

/** A margin with as many decimals below zero as above. */
const marginWords = (margin: number): string =>
  margin < 0 ? `-${formatIndicator(-margin)}` : formatIndicator(margin);

/**
 * Why the portfolio was what it was on a day: weights, and the conditions with their values and margins.
 * Where orders are filled at the next close, these are the conditions of the day before, and what the day
 * itself has ordered stands beside them.
 */
export function WhyPanel({
  algorithm,
  answer,
  fill,
  day,
  isPinned,
  onUnpin,
}: {
  algorithm: Algorithm;
  answer: BacktestAnswer;
  /** When decisions are traded. */
  fill: Fill;
  day: number | null;
  isPinned: boolean;
  onUnpin: () => void;
}) {
  const { history } = answer;
  const at = day ?? (history?.timestamps.length ?? 0) - 1;
  const decided = decisionOf(at, fill);
  const conditions = useMemo(() => conditionsOnDay(algorithm, answer, decided), [algorithm, answer, decided]);
  if (!history) return null;
  const holdings = Object.entries(history.tickers)
    .map(([ticker, percents]) => ({ ticker, percent: percents[at] ?? 0 }))
    .filter(({ percent }) => percent > 0)
    .sort((a, b) => b.percent - a.percent);
  const invested = holdings.reduce((sum, { percent }) => sum + percent, 0);
  return (
    <ScrollRegion
      label="The day and its reasons"
      className="max-h-28 shrink-0 overflow-y-auto border-t border-line pt-1 text-sm"
    >
      <div data-why={at}>
        <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
          <strong className="num font-medium">{formatDate(formatUnixDay(history.timestamps[at]))}</strong>
          <Shares of={holdings} />
          {invested < 99.95 && (
            <span className="text-muted">
              Cash <span className="num">{formatAllocation(100 - invested)}</span>
            </span>
          )}
          {isPinned ? (
            <Button size="sm" variant="ghost" className="ml-auto" onClick={onUnpin}>
              Unpin day
            </Button>
          ) : (
            <span className="ml-auto text-xs text-faint max-md:hidden">Click the chart to keep a day</span>
          )}
        </div>
        {fill === 'next-close' && (
          <>
            <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-muted">
              {(history.turnover[at + 1] ?? 1) > TRADED ? (
                <>
                  <span>Ordered for the next close:</span>
                  <Shares of={targetsOnDay(algorithm, answer, at)} />
                </>
              ) : (
                <span>Nothing to trade at the next close.</span>
              )}
            </div>
            <p className="text-muted">
              {decided < 0
                ? 'Nothing is held yet: the first order is filled at the next close.'
                : 'Held by the decision in force on ' +
                  `${formatDate(formatUnixDay(history.timestamps[decided]))}${conditions.length > 0 ? ', which found:' : '.'}`}
            </p>
          </>
        )}
        {conditions.map(({ condition, left, right, holds }) => (
          <div key={condition.id} className="flex flex-wrap items-center gap-x-3">
            <Badge color={holds ? 'green' : 'gray'}>{holds ? 'held' : 'did not hold'}</Badge>
            <span className="min-w-0 truncate">{conditionWords(condition)}</span>
            <span className="num text-muted">
              {formatIndicator(left)} against {formatIndicator(right)}, margin {marginWords(left - right)}
            </span>
          </div>
        ))}
      </div>
    </ScrollRegion>
  );
}

/** Tickers with their parts of the portfolio, in percent; nothing is all cash. */
function Shares({ of }: { of: readonly { readonly ticker: string; readonly percent: number }[] }) {
  return of.map(({ ticker, percent }) => (
    <span key={ticker} className="flex items-center gap-1">
      <TickerChip ticker={ticker} />
      <span className="num text-muted">{formatAllocation(percent)}</span>
    </span>
  ));
}
