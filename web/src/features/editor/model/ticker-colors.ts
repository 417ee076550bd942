/** Colours that strategy and benchmark have; those of tickers come after them. */
const TAKEN = 2;

/** Tickers by how much was held of them over all days, most first. */
export function rankedTickers(tickers: Readonly<Record<string, readonly number[]>>): readonly string[] {
  const held = Object.entries(tickers).map(([name, values]) => ({
    name,
    total: values.reduce((total, value) => total + value, 0),
  }));
  return held.sort((a, b) => b.total - a.total || a.name.localeCompare(b.name)).map(({ name }) => name);
}

/** One colour per ticker, the same wherever the same result is drawn. */
export function tickerColors(
  tickers: Readonly<Record<string, readonly number[]>>,
  series: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(
    rankedTickers(tickers).map((name, index) => [name, series[(index + TAKEN) % series.length] ?? '']),
  );
}

/**
 * One colour per line of an indicator: the first of a held ticker has the ticker's own, which it has wherever the same result is drawn, all others
 * those that are left.
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
