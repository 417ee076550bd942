import { type PanelRow, panelRows, rowsByDay } from './panel.ts';

export const SPY = panelRows('SPY');

/** Lines and lists of lines as a text. */
export function lines(...rows: readonly (string | readonly string[])[]): string {
  return `${rows.flat().join('\n')}\n`;
}

/** A row for each ticker and day. */
export function long(header: string, row: (ticker: string, row: PanelRow, i: number) => string): string {
  return lines(
    header,
    rowsByDay()
      .flat()
      .map(({ ticker, row: r }, i) => row(ticker, r, i)),
  );
}

export const LONG = long('date,ticker,adj_close', (ticker, r) => `${r.date},${ticker},${r.adjusted}`);
