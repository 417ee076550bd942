import { expect, it } from 'vitest';
import { lastRunsIn } from './computed-results.ts';
import { logOf, strategyRun } from './sample-log.ts';

it('counts a strategy again whose deletion was undone, and lists the one that was run last first', async () => {
  const about = (type: string, strategyId: string) => ({
    type,
    stream: `strategy-${strategyId}`,
    data: { strategyId },
  });
  const log = logOf([
    ...strategyRun('again', 'AAA', 'v1', '2024-06-28'),
    ...strategyRun('gone', 'AAA', 'v1', '2024-06-28'),
    ...strategyRun('back', 'AAA', 'v1', '2024-06-28'),
    about('StrategyDeleted', 'gone'),
    about('StrategyDeleted', 'back'),
    about('StrategyDeletionUndone', 'back'),
    ...strategyRun('again', 'AAA', 'v2', '2024-06-28').slice(1),
  ]);
  const runs = await lastRunsIn(log);
  expect(runs.map(({ dataVersion }) => dataVersion)).toEqual(['v2', 'v1']);
  const found = [];
  for (const { read } of runs) found.push((await read())?.id);
  expect(found).toEqual(['again', 'back']);
});
