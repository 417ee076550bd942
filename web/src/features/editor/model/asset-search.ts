import type { ConditionSeriesFacts, Ticker } from '@quantloom/domain/contracts/http/market-data';
import { isSeriesName, SERIES_PREFIX } from '@quantloom/domain/market-data/condition-series';
import { MAX_RESULTS, type TickerSearch } from '@quantloom/domain/market-data/ticker-search';

export interface AssetResult {
  readonly ticker: string;
  readonly name: string;
  readonly kind: 'asset' | 'variable' | 'new-variable' | 'ratio' | 'series';
}

export interface AssetSearchContext {
  readonly search: TickerSearch<Ticker>;
  /** For conditions only. */
  readonly series?: readonly Pick<ConditionSeriesFacts, 'name' | 'title'>[];
  readonly variables: readonly string[];
  readonly purpose: 'asset' | 'condition';
  readonly canUseVariables: boolean;
  readonly canUseSimulatedTickers: boolean;
}

const VARIABLE = /^\$[A-Za-z0-9_]{1,30}$/;

/**
 * The results of a query, best first, at most 25: assets, `$variables` of the template (or a new one), and
 * `A/B` ratios in conditions.
 */
export function searchAssets(query: string, context: AssetSearchContext): readonly AssetResult[] {
  const text = query.trim();
  if (text === '') return [];
  if (text.includes('/') && context.purpose === 'condition') return ratioResults(text, context);
  return single(text, context).slice(0, MAX_RESULTS);
}

function single(text: string, context: AssetSearchContext): readonly AssetResult[] {
  if (isSeriesName(text)) return seriesResults(text, context);
  if (text.startsWith('$')) return context.canUseVariables ? variableResults(text, context.variables) : [];
  const isSimulatedQuery = /^sim:?/i.test(text);
  const assets = context.search
    .search(text, {
      limit: MAX_RESULTS,
      includeSimulatedTickers: context.canUseSimulatedTickers && isSimulatedQuery,
    })
    .map(({ ticker, name }): AssetResult => ({ ticker, name, kind: 'asset' }));
  return [...seriesResults(text, context), ...assets];
}

/** Series whose name or title the text begins or is in; `@` alone lists them all. */
function seriesResults(text: string, { series = [], purpose }: AssetSearchContext): readonly AssetResult[] {
  if (purpose !== 'condition') return [];
  const part = text.replace(SERIES_PREFIX, '').toUpperCase();
  return series
    .filter(
      ({ name, title }) =>
        name.startsWith(`${SERIES_PREFIX}${part}`) || (part.length > 2 && title.toUpperCase().includes(part)),
    )
    .map(({ name, title }): AssetResult => ({ ticker: name, name: title, kind: 'series' }));
}

function variableResults(text: string, variables: readonly string[]): readonly AssetResult[] {
  // `$` alone lists them all.
  const part = text.slice(1).toLowerCase();
  const known = variables
    .filter((name) => name.toLowerCase().includes(part))
    .map((ticker): AssetResult => ({ ticker, name: 'Variable of this template', kind: 'variable' }));
  const isNew = VARIABLE.test(text) && !variables.includes(text);
  return isNew ? [...known, { ticker: text, name: 'New variable', kind: 'new-variable' }] : known;
}

/** Ratios: the best few of each side, combined; a side that is an exact ticker or a variable stands alone. */
function ratioResults(text: string, context: AssetSearchContext): readonly AssetResult[] {
  const [left = '', right = ''] = text.split('/', 2).map((side) => side.trim());
  if (left === '' || right === '') return [];
  const lefts = single(left, context).slice(0, 5);
  const rights = single(right, context).slice(0, 5);
  return lefts
    .flatMap((a) =>
      rights.map(
        (b): AssetResult => ({
          ticker: `${a.ticker}/${b.ticker}`,
          name: `${a.name} / ${b.name}`,
          kind: 'ratio',
        }),
      ),
    )
    .slice(0, MAX_RESULTS);
}
