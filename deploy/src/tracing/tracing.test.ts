import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BusMessage, MessageBus } from '@quantloom/domain/ports/message-bus';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { correlationIdOf } from '@quantloom/http/correlation-id';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CollectedSpan, startTraceCollector } from '../../testing/trace-collector.ts';
import { isTracingWanted, openTracing, type ProcessTracing, SILENT, spanIdOf } from './open-tracing.ts';
import { passedOn, tracedBus, tracedResults, traceRequests } from './traced-parts.ts';

let folder: string;
let collector: Awaited<ReturnType<typeof startTraceCollector>>;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quantloom-traces-'));
  collector = await startTraceCollector(path.join(folder, 'traces.jsonl'));
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await collector.close();
  await rm(folder, { recursive: true, force: true });
});

function apiWith(tracing: ProcessTracing, commandId: string): FastifyInstance {
  const app = Fastify({ genReqId: correlationIdOf });
  app.decorateRequest('commandId', '');
  app.addHook('preHandler', async (request) => {
    (request as unknown as { commandId: string }).commandId = commandId;
  });
  traceRequests(app, tracing);
  return app;
}

/** A bus that hands over one message. */
const busWith = (message: Partial<BusMessage>) =>
  ({
    subscribe: async (_: unknown, handler: (message: BusMessage, context: never) => Promise<void>) =>
      handler({ topic: 'jobs', partition: 3, deliveryAttempt: 1, ...message } as BusMessage, {} as never),
  }) as unknown as MessageBus;

describe('a trace', () => {
  it('is silent, and loads nothing, unless the standard variables ask for it', async () => {
    expect(isTracingWanted({})).toBe(false);
    expect(isTracingWanted({ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'x' })).toBe(false);
    expect(isTracingWanted({ OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' })).toBe(false);
    expect(isTracingWanted({ OTEL_TRACES_EXPORTER: 'otlp' })).toBe(true);
    expect(isTracingWanted({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'x' })).toBe(true);
    expect(await openTracing('compute', {})).toBe(SILENT);
  });

  it('holds together over gateway, command, event, job and rows', async () => {
    const [gateway, command, projectors, compute] = await Promise.all(
      ['gateway', 'command-api', 'projectors', 'compute'].map((service) => openTracing(service)),
    );
    if (!gateway || !command || !projectors || !compute) throw new Error('no tracing');
    const commandApi = apiWith(command, 'command-1');
    commandApi.post('/batches', async () => ({}));
    const front = Fastify({ genReqId: correlationIdOf });
    traceRequests(front, gateway);
    front.post('/batches', async (request) => {
      await commandApi.inject({ method: 'POST', url: '/batches', headers: passedOn(request) });
      return {};
    });
    const headers = { 'x-correlation-id': 'batch-of-a-browser' };
    await front.inject({ method: 'POST', url: '/batches', headers });
    const correlationId = headers['x-correlation-id'];
    const reaction = {
      name: 'react',
      kind: 'consumer',
      correlationId,
      id: 'event-1',
      cause: 'command-1',
    } as const;
    await projectors.run(reaction, async () => {});
    const jobHeaders = { 'correlation-id': correlationId, 'causation-id': 'event-1', 'message-id': 'job-1' };
    const results = tracedResults({ append: async () => {} } as unknown as ResultStore, compute);
    await tracedBus(busWith({ headers: jobHeaders }), compute).subscribe(
      { group: 'g', topics: ['jobs'] },
      async () => results.append({ batchId: 'b', count: 7 } as never),
    );
    await Promise.all([gateway, command, projectors, compute].map((tracing) => tracing.close()));
    await commandApi.close();
    await front.close();

    const spans = collector.spans();
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const one = (service: string, name: string): CollectedSpan => {
      const found = spans.find((span) => span.service === `quantloom-${service}` && span.name === name);
      if (!found) throw new Error(`${name} of ${service} is not among ${JSON.stringify(spans)}`);
      return found;
    };
    const [atGateway, written] = [one('gateway', 'POST /batches'), one('command-api', 'POST /batches')];
    const [reacted, job] = [one('projectors', 'react'), one('compute', 'process jobs')];
    const rows = one('compute', 'store rows');
    expect(atGateway.parentSpanId).toBeNull();
    expect(written).toMatchObject({ parentSpanId: atGateway.spanId, spanId: spanIdOf('command-1') });
    expect(reacted.parentSpanId).toBe(written.spanId);
    expect(job.parentSpanId).toBe(reacted.spanId);
    expect(rows).toMatchObject({ parentSpanId: job.spanId, attributes: { 'quantloom.rows': 7 } });
  });

  it('goes on from the trace of a caller who has one', async () => {
    const tracing = await openTracing('command-api');
    const app = apiWith(tracing, 'command-2');
    app.post('/batches', async () => ({}));
    const traceId = 'abcdef0123456789abcdef0123456789';
    const traceparent = `00-${traceId}-1234567890abcdef-01`;
    await app.inject({ method: 'POST', url: '/batches', headers: { traceparent } });
    await app.close();
    await tracing.close();
    expect(collector.spans()).toMatchObject([{ traceId, parentSpanId: '1234567890abcdef' }]);
  });

  it('begins anew where the caller names another trace than the one that the request belongs to', async () => {
    const tracing = await openTracing('command-api');
    const theirs = `00-${'ab'.repeat(16)}-1234567890abcdef-01`;
    const work = { name: 'GET /', kind: 'server', correlationId: 'cd'.repeat(16) } as const;
    tracing.tell({ ...work, beganAt: 1, endedAt: 2, caller: theirs });
    await tracing.close();
    const [span] = collector.spans();
    expect(span).toMatchObject({ traceId: 'cd'.repeat(16) });
    expect(span?.parentSpanId || null).toBeNull();
  });

  it('tells which work failed, by the name of the error and not by its words', async () => {
    const tracing = await openTracing('compute');
    const work = { name: 'fail', kind: 'internal', correlationId: 'correlation' } as const;
    const run = tracing.run(work, async () => {
      throw new RangeError('what a person wrote');
    });
    await expect(run).rejects.toThrow(RangeError);
    await tracing.close();
    expect(collector.spans()).toMatchObject([{ name: 'fail', isFailed: true, failure: 'RangeError' }]);
    expect(JSON.stringify(collector.spans())).not.toContain('what a person wrote');
  });

  it('tells of a request by its route, how long it took and whether it failed, and not of whom it was about', async () => {
    const tracing = await openTracing('command-api');
    const app = apiWith(tracing, 'command-3');
    app.get('/batches/:id', async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      return reply.code(Number(id.slice(-3))).send({});
    });
    for (const route of ['/health', '/ready', '/metrics']) app.get(route, async () => ({}));
    for (const url of ['/health', '/ready', '/metrics', '/batches/ada-499', '/batches/ada-500'])
      await app.inject({ url: `${url}?address=ada` });
    await app.close();
    await tracing.close();
    const spans = collector.spans();
    expect(spans).toMatchObject([
      { name: 'GET /batches/:id', isFailed: false },
      { name: 'GET /batches/:id', isFailed: true, failure: '500' },
    ]);
    expect(JSON.stringify(spans)).not.toContain('ada');
    for (const { duration } of spans) expect(duration).toBeGreaterThan(0);
  });

  it('is another one for work with another correlation id, whatever goes on around it', async () => {
    const tracing = await openTracing('compute');
    const work = (name: string, correlationId?: string) =>
      ({ name, kind: 'internal', ...(correlationId && { correlationId }) }) as const;
    await tracing.run(work('outer', 'one'), async () => {
      await tracing.run(work('part'), async () => {});
      await tracing.run(work('other', 'two'), async () => {});
      await tracing.run(work('nothing', '0'.repeat(32)), async () => {});
    });
    await tracing.close();
    const spans = Object.fromEntries(collector.spans().map((span) => [span.name, span]));
    const { outer, part, other, nothing } = spans;
    expect([part?.traceId, part?.parentSpanId]).toEqual([outer?.traceId, outer?.spanId]);
    expect([other?.traceId === outer?.traceId, other?.parentSpanId]).toEqual([false, null]);
    // No trace may have an id of zeros alone: whoever collects would throw it away.
    expect(nothing?.traceId).toMatch(/[1-9a-f]/);
  });

  it.each([
    ['always_off', undefined],
    ['parentbased_always_off', undefined],
    ['traceidratio', '0'],
    ['parentbased_traceidratio', '0'],
  ])('is told by nobody where the sampler is %s (%s)', async (sampler, argument) => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', sampler);
    if (argument) vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', argument);
    const tracing = await openTracing('compute');
    const work = { name: 'work', kind: 'internal', correlationId: 'correlation' } as const;
    expect(await tracing.run(work, async () => 7)).toBe(7);
    await tracing.close();
    expect(collector.spans()).toEqual([]);
  });

  it('is left out alike by every process where only a part is wanted', async () => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'traceidratio');
    vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', '0.5');
    const told: string[][] = [];
    for (const service of ['command-api', 'compute']) {
      const before = collector.spans().length;
      const tracing = await openTracing(service);
      for (let n = 0; n < 40; n += 1)
        await tracing.run(
          { name: 'work', kind: 'internal', correlationId: `correlation-${n}` },
          async () => {},
        );
      await tracing.close();
      told.push(
        collector
          .spans()
          .slice(before)
          .map(({ traceId }) => traceId),
      );
    }
    expect(told[0]).toEqual(told[1]);
    expect(told[0]?.length).toBeGreaterThan(0);
    expect(told[0]?.length).toBeLessThan(40);
  });

  it('disturbs nothing where nobody collects it', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:1');
    const tracing = await openTracing('compute');
    const work = { name: 'work', kind: 'internal', correlationId: 'correlation' } as const;
    expect(await tracing.run(work, async () => 7)).toBe(7);
    await tracing.close();
  });
});
