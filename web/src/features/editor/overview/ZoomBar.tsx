import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import { useMemo } from 'react';
import {
  formatDate,
  formatPercent,
  formatRatio,
  formatSignedPercent,
  formatUnixDay,
} from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Shortcut } from '../../../ui/Kbd.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import type { DayRange } from '../model/chart-axis.ts';
import { type RangeFigures, rangeFigures } from '../model/range-figures.ts';

/**
 * Says that a chart shows a part of its days, leads out of it, and gives the figures of that part when it is
 * asked to count from there.
 */
export function ZoomBar({
  history,
  range: { from, to },
  isRebased,
  onRebase,
  onAll,
}: {
  history: BacktestHistory;
  range: DayRange;
  isRebased: boolean;
  onRebase: (isRebased: boolean) => void;
  onAll: () => void;
}) {
  const figures = useMemo(() => {
    const part = (values: readonly (number | null)[] | null) => {
      const inside = (values ?? []).slice(from, to + 1).map((value) => value ?? Number.NaN);
      return inside.every(Number.isFinite) ? rangeFigures(inside) : null;
    };
    return { strategy: part(history.value), benchmark: part(history.benchmark_value) };
  }, [history, from, to]);
  return (
    <div className="mt-1 flex flex-col gap-1 rounded bg-selected px-3 py-1.5 text-sm" data-zoom>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span>
          Zoomed: {formatDate(formatUnixDay(history.timestamps[from]))} to{' '}
          {formatDate(formatUnixDay(history.timestamps[to]))}
        </span>
        <Switch label="Count returns from here" checked={isRebased} onChange={onRebase} />
        <Button size="sm" className="ml-auto" onClick={onAll}>
          Show all days <Shortcut keys="Escape" />
        </Button>
      </div>
      {isRebased && figures.strategy && (
        <p className="num" data-range-figures>
          Strategy {figureWords(figures.strategy)}
          {figures.benchmark && (
            <span className="block text-muted">SPY {figureWords(figures.benchmark)}</span>
          )}
        </p>
      )}
    </div>
  );
}

function figureWords(figures: RangeFigures): string {
  return [
    formatSignedPercent(figures.cumulativeReturn),
    `${formatPercent(figures.annualizedReturn)} a year`,
    `deviation ${formatPercent(figures.standardDeviation)}`,
    `drawdown ${formatPercent(figures.maxDrawdown)}`,
    `Sharpe ${formatRatio(figures.sharpe)}`,
  ].join(' · ');
}
