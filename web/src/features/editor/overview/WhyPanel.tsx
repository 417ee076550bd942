import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useMemo } from 'react';
import { formatAllocation, formatDate, formatIndicator, formatUnixDay } from '../../../lib/format.ts';
import { Badge, TickerChip } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { conditionsOnDay } from '../model/why.ts';
import { conditionWords } from '../model/words.ts';

/** A margin with as many decimals below zero as above. */
const marginWords = (margin: number): string =>
  margin < 0 ? `-${formatIndicator(-margin)}` : formatIndicator(margin);

/** Why the portfolio was what it was on a day: weights, and the conditions with their values and margins. */
export function WhyPanel({
  algorithm,
  answer,
  day,
  isPinned,
  onUnpin,
}: {
  algorithm: Algorithm;
  answer: BacktestAnswer;
  day: number | null;
  isPinned: boolean;
  onUnpin: () => void;
}) {
  const { history } = answer;
  const at = day ?? (history?.timestamps.length ?? 0) - 1;
  const conditions = useMemo(() => conditionsOnDay(algorithm, answer, at), [algorithm, answer, at]);
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
          {holdings.map(({ ticker, percent }) => (
            <span key={ticker} className="flex items-center gap-1">
              <TickerChip ticker={ticker} />
              <span className="num text-muted">{formatAllocation(percent)}</span>
            </span>
          ))}
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
