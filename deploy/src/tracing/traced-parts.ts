import { CORRELATION_HEADER } from '@quantloom/domain/contracts/http/route';
import {
  CAUSATION_HEADER,
  JOB_CORRELATION_HEADER,
  MESSAGE_ID_HEADER,
} from '@quantloom/domain/contracts/messages/jobs';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { Tracing } from '@quantloom/domain/ports/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newSpanId, type ProcessTracing, SILENT, spanIdOf, traceparentOf } from './open-tracing.ts';

const SERVER_ERROR = 500;
/** Asked for by machines every few seconds. */
const NOT_TOLD = new Set(['/health', '/ready', '/metrics']);

const spanIds = new WeakMap<FastifyRequest, string>();

/** The span of a request: a write's follows from its command, so that what the command leads to finds it. */
function spanIdFor(request: FastifyRequest): string {
  const { commandId } = request as { readonly commandId?: string };
  const known = spanIds.get(request) ?? (commandId ? spanIdOf(commandId) : newSpanId());
  spanIds.set(request, known);
  return known;
}

/** Headers by which a service behind this one continues the trace of the request. */
export function passedOn(request: FastifyRequest): Record<string, string> {
  return {
    [CORRELATION_HEADER]: request.id,
    traceparent: traceparentOf(request.id, spanIdFor(request)),
  };
}

/** Tells of every request. Call it before routes are mounted, as `measureRequests`. */
export function traceRequests(app: FastifyInstance, tracing: ProcessTracing): void {
  if (tracing === SILENT) return;
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, never the address: that is somebody's.
    const route = request.routeOptions.url ?? 'unknown';
    if (NOT_TOLD.has(route)) return;
    const endedAt = Date.now();
    const caller = request.headers.traceparent;
    tracing.tell({
      name: `${request.method} ${route}`,
      kind: 'server',
      correlationId: request.id,
      spanId: spanIdFor(request),
      beganAt: endedAt - reply.elapsedTime,
      endedAt,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'quantloom.correlation_id': request.id,
      },
      ...(typeof caller === 'string' && { caller }),
      ...(reply.statusCode >= SERVER_ERROR && { failure: String(reply.statusCode) }),
    });
  });
}

/** The bus, whose messages with a correlation id are told of while they are handled. */
export function tracedBus(bus: MessageBus, tracing: Tracing): MessageBus {
  if (tracing === SILENT) return bus;
  return {
    ensureTopics: (topics) => bus.ensureTopics(topics),
    publish: (topic, messages) => bus.publish(topic, messages),
    subscribe: (options, handler) =>
      bus.subscribe(options, (message, context) => {
        const { topic, headers, partition, deliveryAttempt } = message;
        const correlationId = headers[JOB_CORRELATION_HEADER];
        if (!correlationId) return handler(message, context);
        const id = headers[MESSAGE_ID_HEADER];
        const cause = headers[CAUSATION_HEADER];
        return tracing.run(
          {
            name: `process ${topic}`,
            kind: 'consumer',
            correlationId,
            ...(id && { id }),
            ...(cause && { cause }),
            attributes: {
              'messaging.destination.name': topic,
              'messaging.destination.partition.id': String(partition),
              'quantloom.delivery': deliveryAttempt,
              ...(id && { 'messaging.message.id': id }),
            },
          },
          () => handler(message, context),
        );
      }),
    lag: (group, topic) => bus.lag(group, topic),
    outside: () => bus.outside(),
    close: () => bus.close(),
  };
}

/** The store, whose blocks of rows are told of as parts of the work that stores them. */
export function tracedResults(results: ResultStore, tracing: Tracing): ResultStore {
  if (tracing === SILENT) return results;
  return new Proxy(results, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      if (name !== 'append') return value.bind(target) as unknown;
      return (block: Parameters<ResultStore['append']>[0]) =>
        tracing.run(
          {
            name: 'store rows',
            kind: 'internal',
            attributes: { 'quantloom.batch': block.batchId, 'quantloom.rows': block.count },
          },
          () => target.append(block),
        );
    },
  });
}
