import { tickerColors } from '../model/ticker-colors.ts';

/**
 * One colour per line of an indicator: the first of a held ticker has the ticker's own, which it has wherever
 * the same result is drawn, all others those that are left.
 *
 * @param lines id of each line, and the ticker that it looks at
 */
export function indicatorColors(
  lines: readonly { readonly id: string; readonly ticker: string }[],
  tickers: Readonly<Record<string, readonly number[]>>,
  series: readonly string[],
): ReadonlyMap<string, string> {
  const own = new Map(tickerColors(tickers, series));
  const left = series.filter((color) => ![...own.values()].includes(color));
  const free = left.length > 0 ? left : series;
  let next = 0;
  return new Map(
    lines.map(({ id, ticker }) => {
      const color = own.get(ticker) ?? free[next++ % free.length] ?? '';
      own.delete(ticker);
      return [id, color];
    }),
  );
}
