import { describe, expect, it } from 'vitest';
import { PROJECTIONS } from '../../projections.ts';
import { ALL_ROUTES } from './all-routes.ts';
import { READ_AFTER } from './read-after.ts';

/** Routes of the read side that compute, and write nothing that is read elsewhere. */
const COMPUTES = new Set([
  'verifyCertificate',
  'runSensitivity',
  'recomputeBatchRows',
  'computeBatchBands',
  'computeBatchRowFigures',
  'computeBatchWalkForward',
]);

describe('what is read after a write', () => {
  const writes = ALL_ROUTES.filter(({ method, id }) => method !== 'GET' && !COMPUTES.has(id));

  it.each(writes.map(({ id }) => id))('is named for %s', (id) => {
    expect(
      READ_AFTER,
      'Name in READ_AFTER what is read after it; in COMPUTES if it writes nothing',
    ).toHaveProperty(id);
  });

  it('is named for no other route, and is the name of a projection', () => {
    const ids = new Set(writes.map(({ id }) => id));
    expect(Object.keys(READ_AFTER).filter((id) => !ids.has(id))).toEqual([]);
    const names = new Set(PROJECTIONS.map(({ name }) => name));
    expect(
      Object.values(READ_AFTER)
        .flat()
        .filter((name) => !names.has(name)),
    ).toEqual([]);
  });

  it.each([
    [/TradingBot|Draft|importStrategy/, ['strategies', 'strategySummaries', 'listings', 'storedBytes']],
    [/VariableList/, ['variableLists', 'listings', 'storedBytes']],
    [/^(create|update|stop|delete)BatchBacktest|ResultRow/, ['batches', 'batchDefinitions', 'listings']],
    [/(create|stop|delete)BatchBacktest/, ['usageMonths']],
    [/openBatch|replayBacktestError/, ['batches']],
    [/[sS]hareResult|SharedResult/, ['sharedResults', 'storedBytes']],
    [/ollowStrategy/, ['follows', 'forwardRecords', 'bands']],
    [/Favorite/, ['favorites']],
    [/ResultView/, ['result_views']],
    [/Feed/, ['feedAddresses']],
    [/changeAlerts|WebhookSecret/, ['alertSettings']],
    [/ApiClient|CurrentUser|createUser|^(request|undo)Deletion|changePlan|Stripe/, ['users']],
    [/^(assist|set)User/, ['users', 'administratorActs']],
  ])('is what %s writes, whether it makes, changes or takes back', (what, names) => {
    const about = writes.filter(({ id }) => what.test(id) && id !== 'estimateBatchBacktest');
    expect(about).not.toEqual([]);
    const lacking = about.filter(({ id }) => !names.every((name) => READ_AFTER[id]?.includes(name)));
    expect(lacking.map(({ id }) => id)).toEqual([]);
  });
});
