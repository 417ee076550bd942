import { POSITION_HEADER, type RouteContract } from '@quantloom/domain/contracts/http/route';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { answerWhenReadable } from './read-own-writes.ts';

async function server(isReached: boolean | 'away') {
  const waits: { position: bigint; names: string[] }[] = [];
  let time = 0;
  const app = fastify();
  answerWhenReadable(
    app,
    {
      whenReached: async (position, { projections }) => {
        waits.push({ position, names: projections.map(({ name }) => name) });
        if (isReached === 'away') throw new DependencyAwayError('readModels', 'not reached');
        return isReached;
      },
    },
    () => time,
  );
  const of = (id: string) => ({ config: { contract: { id } as RouteContract } });
  app.post('/api/v1/batch-backtests', of('createBatchBacktest'), (_request, reply) =>
    reply.header(POSITION_HEADER, '7').send({ id: 'b' }),
  );
  app.post('/api/v1/users', of('createUser'), (_request, reply) =>
    reply.header(POSITION_HEADER, '8').send({}),
  );
  app.post('/api/v1/trading-bots/b/favorite', of('addFavorite'), (_request, reply) =>
    reply.header(POSITION_HEADER, '9').send({}),
  );
  app.post('/api/v1/import', of('importStrategy'), (_request, reply) =>
    reply.header(POSITION_HEADER, '10').send({}),
  );
  app.post('/api/v1/paper-account', of('openPaperAccount'), (_request, reply) =>
    reply.header(POSITION_HEADER, '11').send({}),
  );
  app.post('/refused', of('createUser'), (_request, reply) =>
    reply.code(409).header(POSITION_HEADER, '12').send({}),
  );
  app.post('/estimate', of('estimateBatchBacktest'), () => ({}));
  const post = async (url: string) => (await app.inject({ method: 'POST', url })).json();
  return { post, waits, pass: (milliseconds: number) => (time += milliseconds) };
}

describe('a write', () => {
  it('is answered when the read models that it touches have it', async () => {
    const { post, waits } = await server(true);
    expect(await post('/api/v1/batch-backtests')).toEqual({ id: 'b' });
    for (const url of ['/api/v1/users', '/api/v1/trading-bots/b/favorite', '/api/v1/import']) await post(url);
    expect(waits).toEqual([
      {
        position: 7n,
        names: expect.arrayContaining(['batches', 'batchDefinitions', 'listings', 'usageMonths']),
      },
      { position: 8n, names: ['users'] },
      { position: 9n, names: ['favorites'] },
      { position: 10n, names: expect.arrayContaining(['strategies', 'listings']) },
    ]);
  });

  it('waits for nothing where nothing was written', async () => {
    const { post, waits } = await server(true);
    await post('/refused');
    await post('/api/v1/paper-account');
    await post('/estimate');
    expect(waits).toEqual([]);
  });

  it('does not make everybody wait while projections stand still', async () => {
    const { post, waits, pass } = await server(false);
    await post('/api/v1/users');
    await post('/api/v1/users');
    expect(waits).toHaveLength(1);
    pass(10_000);
    await post('/api/v1/users');
    expect(waits).toHaveLength(2);
    // They rest from the last wait on that was in vain, not from the first.
    pass(9_999);
    await post('/api/v1/users');
    expect(waits).toHaveLength(2);
    pass(1);
    await post('/api/v1/users');
    expect(waits).toHaveLength(3);
  });

  it('is answered although the read models are away: it was carried out', async () => {
    const { post } = await server('away');
    expect(await post('/api/v1/batch-backtests')).toEqual({ id: 'b' });
  });
});
