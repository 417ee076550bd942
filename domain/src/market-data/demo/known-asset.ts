import type { FactorName } from './regimes.ts';

/** A well-known fund or company of the demo data set. */
export interface KnownAsset {
  readonly ticker: string;
  readonly name: string;
  /** First trading day, `YYYY-MM-DD`. */
  readonly listedOn: string;
  readonly noise: number;
  readonly drift: number;
  readonly shares: Readonly<Partial<Record<FactorName, number>>>;
}

/** Reads a table of lines `ticker|name|first trading day|own volatility|own drift|factor share, …`. */
export function parseKnownAssets(table: string): readonly KnownAsset[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [ticker, name, listedOn, noise, drift, shares] = line.split('|');
      return {
        ticker: ticker ?? '',
        name: name ?? '',
        listedOn: listedOn ?? '',
        noise: Number(noise),
        drift: Number(drift),
        shares: Object.fromEntries(
          (shares ?? '').split(',').map((share) => {
            const [factor, size] = share.trim().split(/\s+/);
            return [factor ?? '', Number(size)];
          }),
        ),
      };
    });
}
