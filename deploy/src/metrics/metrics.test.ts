import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../wiring/log.ts';
import { measuredBus } from './measured-bus.ts';
import { Metrics } from './metrics.ts';
import { measureRequests, serveMetrics } from './serve-metrics.ts';

const TOKEN = 'a-token-of-prometheus';

function server(environment: NodeJS.ProcessEnv, isInternal = false) {
  const metrics = new Metrics('test');
  const app = Fastify() as unknown as FastifyInstance;
  measureRequests(app, metrics);
  app.get('/things/:id', () => ({ ok: true }));
  serveMetrics(app, { config: readConfig(environment), metrics, isInternal });
  return { app, metrics };
}

describe('/metrics', () => {
  it('shows requests by route, not by address', async () => {
    const { app } = server({});
    await app.inject('/things/17');
    await app.inject('/nowhere');
    const { body, statusCode, headers } = await app.inject('/metrics');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain(
      'quantloom_http_request_duration_seconds_count{service="test",method="GET",route="/things/:id",status="200"} 1',
    );
    expect(body).toContain('route="unknown",status="404"');
    expect(body).not.toContain('/things/17');
  });

  it.each([
    ['listens on all addresses', { HOST: '0.0.0.0' }],
    ['has a public address', { PUBLIC_URL: 'https://quant.example' }],
    ['is behind a proxy', { BEHIND_PROXY: 'true' }],
  ])('is not there without a token where the product %s', async (_, environment) => {
    expect((await server(environment).app.inject('/metrics')).statusCode).toBe(404);
    expect((await server(environment, true).app.inject('/metrics')).statusCode).toBe(200);
  });

  it('asks for the token where there is one', async () => {
    const { app } = server({ HOST: '0.0.0.0', METRICS_TOKEN: TOKEN });
    const ask = async (authorization?: string) =>
      (await app.inject({ url: '/metrics', ...(authorization && { headers: { authorization } }) }))
        .statusCode;
    expect([
      await ask(),
      await ask('Bearer something'),
      await ask(TOKEN),
      await ask(`Bearer ${TOKEN}`),
    ]).toEqual([401, 401, 401, 200]);
  });

  it('counts errors, rows, the wait and the work of messages', async () => {
    const metrics = new Metrics('test');
    const log = createLog(readConfig({ LOG_LEVEL: 'fatal' }), 'test', () => metrics.errorLogged());
    log.warn('no error');
    const results = metrics.measuredResults({ append: async () => {} } as unknown as ResultStore);
    await results.append({ count: 250 } as unknown as ResultBlock);
    let deliver: unknown = null;
    let headers: unknown;
    const bus = measuredBus(
      {
        publish: async (_: string, messages: readonly { headers: unknown }[]) => {
          headers = messages[0]?.headers;
        },
        subscribe: async (_: unknown, handler: unknown) => {
          deliver = handler;
        },
      } as unknown as MessageBus,
      metrics,
      pino({ level: 'silent' }),
    );
    await bus.publish('jobs', [{ key: 'k', value: 1, headers: { own: 'x' } }]);
    expect(headers).toMatchObject({ own: 'x' });
    let fails = false;
    await bus.subscribe({ group: 'g', topics: ['jobs'] }, async () => {
      if (fails) throw new Error('not now');
    });
    const send = deliver as (message: unknown) => Promise<void>;
    await send({ topic: 'jobs', key: 'k', headers });
    fails = true;
    await expect(send({ topic: 'jobs', key: 'k', headers })).rejects.toThrow('not now');
    const text = await metrics.registry.metrics();
    expect(text).toContain('quantloom_backtests_total{service="test"} 250');
    expect(text).toContain('quantloom_queue_wait_seconds_count{service="test",topic="jobs"} 2');
    expect(text).toContain('outcome="done"');
    expect(text).toContain('outcome="failed"');
    // What has failed takes no slot any more.
    expect(text).toContain('quantloom_slots_busy{group="g",service="test"} 0');
  });
});
