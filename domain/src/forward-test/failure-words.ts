/** Code of a night whose closes were not all there: the run of a strategy ended before the day that others have. */
export const PRICES_MISSING = 'prices_missing';
/** Code of a night on which the engine itself failed, again and again. */
export const ENGINE_ERROR = 'engine_error';

/**
 * Why a night was not decided: what goes behind "could not be evaluated at the close of that day".
 *
 * @param tickers what has no close on that day, where that is why
 */
export function failureWords(code: string, tickers: readonly string[] = []): string {
  if (code === ENGINE_ERROR) return ': the engine failed, and whoever runs this service was told.';
  if (code !== PRICES_MISSING) return ` (${code}). A backtest of it says why.`;
  const what = tickers.length === 0 ? 'some of what it holds or looks at' : tickers.join(', ');
  return `: no closes have come of ${what}. It is decided when they do.`;
}
