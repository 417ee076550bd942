import { createSqliteRateLimits } from '@quantloom/adapters/rate-limits/sqlite/rate-limits';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { createServer } from '@quantloom/http/server';

/**
 * One of several API processes on a shared file, for tests: every caller is the same machine client. Prints
 * its port.
 */
const [file = ''] = process.argv.slice(2);
const app = createServer({
  authenticate: async () => ({
    userId: 'user-1',
    subject: 'client-1@clients',
    email: 'a@b.ch',
    planId: 'api',
    features: [],
    clientId: 'client-1',
    scopes: ['api:backtester', 'read', 'backtest', 'batches'],
    actor: { kind: 'apiClient', userId: 'user-1', clientId: 'client-1' },
  }),
  rateLimits: createSqliteRateLimits(openSqliteDatabase(file)),
});
app.get('/api/v1/anything', async () => ({ ok: true }));
await app.listen({ port: 0, host: '127.0.0.1' });
console.log((app.server.address() as { port: number }).port);
