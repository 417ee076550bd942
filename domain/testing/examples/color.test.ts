import { expect, it } from 'vitest';
import { color } from './color.ts';

const colored = (now: string | null) => ({
  type: 'StrategyColored' as const,
  data: { strategyId: 's1', color: now },
});
const blue = { color: '#2f81f7' };

it('is kept in lower case, and recorded where it differs', () => {
  expect(color.decide('s1', { color: '#2F81F7' }, {})).toEqual([colored('#2f81f7')]);
  expect(color.decide('s1', { color: '#2F81F7' }, blue)).toEqual([]);
  expect(color.decide('s1', { color: null }, blue)).toEqual([colored(null)]);
  expect(color.decide('s1', { color: null }, {})).toEqual([]);
});

it('is shown to its owner alone, and told in the history', () => {
  expect(color.shown({})).toEqual({ color: null });
  expect(color.shown(color.after(colored('#2f81f7')))).toEqual(blue);
  expect(color.hidden).toEqual({ color: null });
  expect(color.told(colored('#2f81f7'))).toEqual(['Marked with the colour #2f81f7']);
  expect(color.told(colored(null))).toEqual(['Colour taken off']);
});
