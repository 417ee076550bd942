import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { afterEach, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountStrategyQueries } from './strategies.ts';

let server: Awaited<ReturnType<typeof openReadServer>>;
afterEach(() => server.close());

it('tags are counted over the strategies on the shelf of their owner, in the order of the alphabet', async () => {
  const entry = (owner: string, shelf: string, tags?: readonly string[]) => ({
    ...{ id: `${owner}${shelf}${tags?.join() ?? ''}`, owner, shelf },
    ...(tags && { tags, hasTags: 1 }),
  });
  const entries = [
    entry('ann', 'strategy', ['zeta', 'alpha']),
    entry('ann', 'strategy', ['alpha', 'beta']),
    entry('ann', 'strategy', ['alpha']),
    entry('ann', 'strategy'),
    entry('ann', 'strategy.archived', ['old']),
    entry('ann', 'batch', ['batch']),
    entry('bob', 'strategy', ['his']),
  ];
  server = await openReadServer(mountStrategyQueries, {
    readModels: {
      find: async (_: string, { where = {} }: FindQuery) =>
        entries.filter((one) =>
          Object.entries(where).every(([name, value]) => (one as Record<string, unknown>)[name] === value),
        ),
    },
  });
  expect((await server.get('ann', '/drafts/tags')).body).toEqual([
    { tag: 'alpha', count: 3 },
    { tag: 'beta', count: 1 },
    { tag: 'zeta', count: 1 },
  ]);
});
