/**
 * What every simulated ticker begins with. In a file of its own, so that the browser's search does not load
 * the model.
 */
export const SIMULATED_PREFIX = 'SIM:';

/** Whether a result holds simulated prices: of a simulated data set, or of a `SIM:` ticker on real data. */
export function holdsSimulatedPrices(
  dataSet: { readonly isSimulated: boolean },
  tickers: Iterable<string>,
): boolean {
  if (dataSet.isSimulated) return true;
  for (const ticker of tickers) if (ticker.startsWith(SIMULATED_PREFIX)) return true;
  return false;
}
