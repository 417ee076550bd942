import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';

/** One day of a ticker, in the columns that sources have. `adjusted` is the true price. */
export interface PanelRow {
  readonly day: number;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  /** As traded: above the adjusted price before the dividend in the middle of the panel. */
  readonly close: string;
  readonly adjusted: string;
  readonly volume: string;
}

/** 2014-12-01 to 2015-03-27. */
export const PANEL_DAYS: readonly number[] = [...sessionsBetween(16_405, 16_521)];
export const TICKERS = ['SPY', 'QQQ', 'BRK-B'] as const;
export type PanelTicker = (typeof TICKERS)[number];

const LEVELS: Readonly<Record<PanelTicker, number>> = { SPY: 205.31, QQQ: 103.77, 'BRK-B': 148.53 };

/**
 * Prices that nobody quoted, with two decimals, as most sources have them; QQQ's stay below 1,000 and SPY's
 * may be multiplied.
 */
export function panelRows(ticker: PanelTicker, times = 1): PanelRow[] {
  const level = LEVELS[ticker] * times;
  return PANEL_DAYS.map((day, i) => {
    const adjusted = level * (1 + 0.03 * Math.sin(i / 5) + 0.0011 * i);
    const close = i < PANEL_DAYS.length / 2 ? adjusted * 1.01 : adjusted;
    return {
      day,
      date: formatDay(day),
      open: (adjusted * 0.998).toFixed(2),
      high: (adjusted * 1.02).toFixed(2),
      low: (adjusted * 0.97).toFixed(2),
      close: close.toFixed(2),
      adjusted: adjusted.toFixed(2),
      volume: String(1_000_000 + i * 137),
    };
  });
}

/** All rows of all tickers by day, as files by date have them. */
export function rowsByDay(): { readonly ticker: PanelTicker; readonly row: PanelRow }[][] {
  const all = TICKERS.map((ticker) => ({ ticker, rows: panelRows(ticker) }));
  return PANEL_DAYS.map((_, i) => all.map(({ ticker, rows }) => ({ ticker, row: rows[i] as PanelRow })));
}

/** Parts of a date: year, month and day with two digits, and the month's English name. */
export function partsOf(date: string): { y: string; m: string; d: string; month: string } {
  const [y = '', m = '', d = ''] = date.split('-');
  const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
  return { y, m, d, month: months[Number(m) - 1] ?? '' };
}
