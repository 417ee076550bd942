import { expect, it } from 'vitest';
import { change, growthOf, treeRevisions } from './revision-figures.ts';

it('a change is told in the unit of its metric, with whether it helped', () => {
  const sharpe = { key: 'sharpe', unit: 'ratio', isHigherBetter: true } as const;
  const drawdown = { key: 'max_drawdown', unit: 'percent', isHigherBetter: false } as const;
  expect(change(sharpe, { sharpe: 1.16 }, { sharpe: 1.22 })).toEqual({ text: '+0.06', isBetter: true });
  expect(change(drawdown, { max_drawdown: 0.2 }, { max_drawdown: 0.35 })).toEqual({
    text: '+15.00%',
    isBetter: false,
  });
  expect(change(drawdown, { max_drawdown: 0.35 }, { max_drawdown: 0.2 })?.isBetter).toBe(true);
  expect(change(sharpe, { sharpe: 1.16 }, { sharpe: 1.161 })).toBeNull();
  expect(change(sharpe, { sharpe: null }, { sharpe: 1 })).toBeNull();
});

it('growth begins at 1', () => {
  expect(growthOf([50, 100])).toEqual([1, 2]);
  expect(growthOf([])).toEqual([]);
});

it('revisions of a tree are those that what is run came with', () => {
  const entries = ['StrategyTagged', 'StrategySaved', 'StrategyArchived', 'StrategyCreated'].map(
    (event, at) => ({
      event,
      revision: 3 - at,
    }),
  );
  expect(treeRevisions(entries).map(({ revision }) => revision)).toEqual([2, 0]);
});
