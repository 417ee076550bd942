import { readFileSync } from 'node:fs';
import { ALL_ADJUSTED, type CorpusCase } from './case.ts';

const NAMES = [
  'multi.csv', 'multi-by-ticker.csv', 'reset.csv', 'stacked.csv', 'semicolon.csv', 'utf16.csv', 'melt.csv',
  'long-lz4.feather', 'long-zstd.feather', 'wide-lz4.feather', 'long-tz-cat.feather', 'polars.arrow', 'polars-zstd.arrow',
  'wide.parquet', 'multi.parquet', 'polars.parquet',
]; // biome-ignore format: a list

const contentOf = (name: string) => readFileSync(new URL(`./libraries/${name}`, import.meta.url));

/** Files that pandas, Arrow and Polars have written themselves (`libraries/make.py`). */
export const libraryCases: readonly CorpusCase[] = [
  ...NAMES.map(
    (name): CorpusCase => ({
      name: `written by a library: ${name}`,
      files: { [name]: contentOf(name) },
      expected: { tickers: ALL_ADJUSTED },
    }),
  ),
  {
    name: 'pandas’ unstack, whose prices are called 0',
    files: { 'unstacked.csv': contentOf('unstacked.csv') },
    expected: { refused: /no price column/ },
  },
];
