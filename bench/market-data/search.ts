/**
 * Ticker search as the browser does it, over all demo assets: the time to build the index and the slowest and
 * mean time of a search, for every prefix that somebody types on the way to a ticker or a name. The ratio is
 * against filtering and sorting the whole list.
 *
 *     node bench/market-data/search.ts
 */
import { demoAssets } from '@quantloom/domain/market-data/demo/demo-data-set';
import { TickerSearch } from '@quantloom/domain/market-data/ticker-search';

const assets = demoAssets();
const typed = [
  'spy',
  'tqqq',
  'brk-b',
  'apple inc',
  'treasury bond',
  'invented company',
  'zabcd',
  'semiconductor etf',
  'i',
  's&p 500',
];
const queries = typed.flatMap((text) => Array.from(text, (_, i) => text.slice(0, i + 1)));

const start = performance.now();
const search = new TickerSearch(assets);
const built = performance.now() - start;

/** The obvious way. */
function scan(query: string): number {
  const wanted = query.toUpperCase();
  return assets
    .filter(({ ticker, name }) => ticker.startsWith(wanted) || name.toUpperCase().includes(wanted))
    .sort((a, b) => a.ticker.length - b.ticker.length || (a.ticker < b.ticker ? -1 : 1))
    .slice(0, 25).length;
}

/** Milliseconds of each query, best of nine: what it costs, not what else the machine does. */
function measure(run: (query: string) => unknown): { query: string; ms: number }[] {
  for (const query of queries) run(query);
  return queries.map((query) => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 9; i++) {
      const begin = performance.now();
      run(query);
      best = Math.min(best, performance.now() - begin);
    }
    return { query, ms: best };
  });
}

const mean = (times: { ms: number }[]) => times.reduce((sum, { ms }) => sum + ms, 0) / times.length;
const indexed = measure((query) => search.search(query));
const scanned = measure(scan);
const slowest = indexed.reduce((a, b) => (b.ms > a.ms ? b : a));
console.log(`${assets.length} assets, ${queries.length} queries`);
console.log(`index built in ${built.toFixed(0)} ms`);
console.log(
  `search: mean ${mean(indexed).toFixed(3)} ms, slowest ${slowest.ms.toFixed(3)} ms (${JSON.stringify(slowest.query)})`,
);
console.log(
  `filtering the list: mean ${mean(scanned).toFixed(3)} ms = ${(mean(scanned) / mean(indexed)).toFixed(0)} x`,
);
