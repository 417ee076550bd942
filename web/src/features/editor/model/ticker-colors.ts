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
