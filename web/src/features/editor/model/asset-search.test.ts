import { TickerSearch } from '@quantloom/domain/market-data/ticker-search';
import { describe, expect, it } from 'vitest';
import { type AssetSearchContext, searchAssets } from './asset-search.ts';

const context: AssetSearchContext = {
  search: new TickerSearch([
    { ticker: 'VIXY', name: 'Short-term VIX futures', first_day: '', last_day: '', is_simulated: false },
  ]),
  series: [{ name: '@VIXCLS', title: 'CBOE Volatility Index' }],
  variables: [],
  purpose: 'condition',
  canUseVariables: true,
  canUseSimulatedTickers: false,
};
const found = (query: string, purpose: AssetSearchContext['purpose']) =>
  searchAssets(query, { ...context, purpose }).map(({ ticker }) => ticker);

describe('series for conditions', () => {
  it.each(['@', '@vix', 'volatility'])('are found by %s in a condition', (query) => {
    expect(found(query, 'condition')).toEqual(['@VIXCLS']);
  });

  it('stand beside assets of the same letters', () => {
    expect(found('vix', 'condition')).toEqual(['@VIXCLS', 'VIXY']);
  });

  it('are never offered as an asset', () => {
    expect(found('@vix', 'asset')).toEqual([]);
    expect(found('vix', 'asset')).toEqual(['VIXY']);
  });
});
