import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { type ProjectionRef, STALE_HEADER } from '../consistency.ts';
import type { QueryApiDeps } from '../query-api-deps.ts';
import { mountAdminActQueries } from './admin-acts.ts';
import { mountAdminUserQueries } from './admin-users.ts';
import { mountAlertQueries } from './alerts.ts';
import { mountNamedApiClientQueries } from './api-clients.ts';
import { mountBacktestErrorQueries } from './backtest-errors.ts';
import { mountFavoriteQueries } from './favorites.ts';
import { mountApiClientQueries } from './oauth-clients.ts';
import { mountPreferenceQueries } from './preferences.ts';
import { mountResultViewQueries } from './result-views.ts';
import { mountStorageQueries } from './storage.ts';
import { mountUserQueries } from './users.ts';
import { mountWaitlistQueries } from './waitlist.ts';

type Mount = (app: FastifyInstance, deps: QueryApiDeps) => void;

/** Reads, and the read models that they answer from. */
const READS: readonly (readonly [string, Mount, readonly string[]])[] = [
  ['/favorites', mountFavoriteQueries, ['favorites']],
  ['/preferences', mountPreferenceQueries, ['preferences']],
  ['/result-views', mountResultViewQueries, ['result_views']],
  ['/users/me', mountUserQueries, ['users']],
  ['/users/me/storage', mountStorageQueries, ['storedBytes']],
  ['/alerts', mountAlertQueries, ['alertSettings']],
  ['/alerts/feed', mountAlertQueries, ['feedAddresses']],
  ['/alerts/sent', mountAlertQueries, ['alertMessages']],
  ['/api-clients', mountNamedApiClientQueries, ['users']],
  ['/oauth/clients', mountApiClientQueries, ['users']],
  ['/admin/users', mountAdminUserQueries, ['users']],
  ['/admin/acts', mountAdminActQueries, ['administratorActs']],
  ['/admin/waitlist', mountWaitlistQueries, ['waitlist']],
  ['/backtests/errors', mountBacktestErrorQueries, ['backtestErrors']],
];

describe('what somebody has just written', () => {
  it.each(READS)('is waited for by %s, which says where it is not there yet', async (url, mount, names) => {
    const waited: unknown[] = [];
    const server = await openReadServer(mount, {
      readModels: {
        ...{ get: async () => null, find: async () => [], getMany: async () => [] },
        ...{ count: async () => 0, sum: async () => 0 },
      },
      consistency: {
        whenReached: async (position: bigint, { projections }: { projections: readonly ProjectionRef[] }) => {
          waited.push([position, projections.map(({ name }) => name)]);
          return false;
        },
      },
    });
    const { status, headers, text } = await server.get('admin', url, { 'x-quantloom-position': '42' });
    expect(status, text).toBe(200);
    expect(waited).toEqual([[42n, names]]);
    expect(headers[STALE_HEADER]).toBe('true');
    await server.close();
  });
});
