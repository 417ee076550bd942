import { beforeEach, expect, it } from 'vitest';
import { recentAssets, rememberAsset } from './recent-assets.ts';

const asset = (ticker: string) => ({ ticker, name: `${ticker} fund`, kind: 'asset' }) as const;
const all = () => recentAssets(() => true).map(({ ticker }) => ticker);

beforeEach(() => localStorage.clear());

it('keeps the assets that were picked last, each once, the latest first', () => {
  for (const ticker of ['SPY', 'QQQ', 'SPY']) rememberAsset(asset(ticker));
  expect(all()).toEqual(['SPY', 'QQQ']);
  // Whose name begins with another's is another one.
  for (const ticker of ['SPYG', 'SP', 'SPY']) rememberAsset(asset(ticker));
  expect(all()).toEqual(['SPY', 'SP', 'SPYG', 'QQQ']);
  for (let index = 0; index < 10; index++) rememberAsset(asset(`T${index}`));
  expect(all()).toHaveLength(8);
  expect(all()[0]).toBe('T9');
});

it('keeps no variables, leaves out what is not known any more, and reads no nonsense', () => {
  rememberAsset({ ticker: '$A', name: 'New variable', kind: 'new-variable' });
  rememberAsset(asset('GONE'));
  expect(recentAssets(({ ticker }) => ticker !== 'GONE')).toEqual([]);
  localStorage.setItem('recentAssets', '{"a":1}');
  expect(all()).toEqual([]);
  localStorage.setItem('recentAssets', '[1, null, {"ticker": 5}]');
  expect(all()).toEqual([]);
});
