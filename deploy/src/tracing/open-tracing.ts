import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';
import type { Span, SpanContext } from '@opentelemetry/api';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { NO_TRACING, type TracedWork, type Tracing } from '@quantloom/domain/ports/tracing';

/** What a process tells of its work, for as long as it runs. */
export interface ProcessTracing extends Tracing {
  /** Tells of work that has ended. Times are in ms since 1970; `failure` says why it was in vain. */
  tell(work: EndedWork): void;
  /** Hands over what has not been sent yet, for at most {@link CLOSE_MS}. */
  close(): Promise<void>;
}

export interface EndedWork extends TracedWork {
  readonly correlationId: string;
  readonly beganAt: number;
  readonly endedAt: number;
  readonly failure?: string;
  /** `traceparent` of the caller, where he sent one. */
  readonly caller?: string;
  /** The id of its span, where it was given away before the work ended: 16 hexadecimal digits. */
  readonly spanId?: string;
}

export const SILENT: ProcessTracing = { ...NO_TRACING, tell: () => {}, close: async () => {} };

/** An unreachable collector holds up neither the end of a process nor anything else. */
const CLOSE_MS = 3_000;
const DEFAULT_DELAY_MS = 5_000;
const SAMPLED = 1;
const KINDS = { internal: 0, server: 1, consumer: 4 } as const;
const FAILED = 2;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
/**
 * The trace of a correlation id: itself, where the caller has named his trace so; else derived, the same in
 * every process.
 */
export const traceIdOf = (correlationId: string): string =>
  TRACE_ID.test(correlationId) ? correlationId : digest(correlationId).slice(0, 32);
/**
 * The span of a command, event or message, which every process derives from its id: stored events need
 * nothing more.
 */
export const spanIdOf = (id: string): string => digest(`span ${id}`).slice(0, 16);
export const newSpanId = (): string => randomBytes(8).toString('hex');
const newTraceId = (): string => randomBytes(16).toString('hex');
/** What a call carries along, so that the other side can name it as its caller (W3C Trace Context). */
export const traceparentOf = (correlationId: string, spanId: string): string =>
  `00-${traceIdOf(correlationId)}-${spanId}-01`;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the standard variables of OpenTelemetry ask for traces: an address of a collector, or the exporter
 * by name.
 */
export function isTracingWanted(environment: Environment): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = environment.OTEL_TRACES_EXPORTER;
  if (exporter) return exporter === 'otlp';
  return Boolean(environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT);
}

/**
 * Traces over OTLP (HTTP, JSON) to the collector that the standard variables of OpenTelemetry name; silent
 * without them, and then nothing of OpenTelemetry is loaded. Ids of spans follow from the ids of commands,
 * events and messages, so that a trace holds together across processes, restarts and the log.
 */
export async function openTracing(
  service: string,
  environment: Environment = process.env,
): Promise<ProcessTracing> {
  if (!isTracingWanted(environment)) return SILENT;
  const [{ ROOT_CONTEXT, trace }, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const ids = new GivenIds();
  const ratio = ratioOf(environment);
  const name = environment.OTEL_SERVICE_NAME ?? `${PRODUCT_NAME.toLowerCase()}-${service}`;
  const provider = new sdk.TracerProvider({
    idGenerator: ids,
    sampler: ratio === null ? new sdk.AlwaysOnSampler() : new sdk.TraceIdRatioBasedSampler(ratio),
    resource: resources
      .defaultResource()
      .merge(resources.detectResources({ detectors: [resources.envDetector] }))
      .merge(resources.resourceFromAttributes({ 'service.name': name })),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: Number(environment.OTEL_BSP_SCHEDULE_DELAY) || DEFAULT_DELAY_MS,
      }),
    ],
  });
  const tracer = provider.getTracer(PRODUCT_NAME.toLowerCase());
  const within = new AsyncLocalStorage<SpanContext>();

  const begin = (work: TracedWork & Partial<EndedWork>): Span => {
    const around = within.getStore();
    const traceId = work.correlationId ? traceIdOf(work.correlationId) : (around?.traceId ?? newTraceId());
    const part = around?.traceId === traceId ? around.spanId : undefined;
    const parentId = work.cause ? spanIdOf(work.cause) : (callerIn(work.caller, traceId) ?? part);
    ids.traceId = traceId;
    ids.spanId = work.spanId ?? (work.id ? spanIdOf(work.id) : newSpanId());
    const parent = { traceId, spanId: parentId ?? '', traceFlags: SAMPLED, isRemote: true };
    return tracer.startSpan(
      work.name,
      {
        kind: KINDS[work.kind],
        attributes: { ...work.attributes },
        ...(work.beganAt !== undefined && { startTime: work.beganAt }),
      },
      parentId === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
  };
  const failed = (span: Span, error: unknown) =>
    // Its name only: what a message says may be somebody's own.
    span.setStatus({ code: FAILED, message: error instanceof Error ? error.name : 'failed' });

  return {
    async run(work, action) {
      const span = begin(work);
      try {
        return await within.run(span.spanContext(), action);
      } catch (error) {
        failed(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    tell(work) {
      const span = begin(work);
      if (work.failure !== undefined) span.setStatus({ code: FAILED, message: work.failure });
      span.end(work.endedAt);
    },
    async close() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MS);
      // A collector that cannot be reached is no failure of this process.
      await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
      clearTimeout(timer);
    },
  };
}

/** The caller's span, where it is of the same trace. */
function callerIn(traceparent: string | undefined, traceId: string): string | undefined {
  const [, callersTrace, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  return callersTrace === traceId ? spanId : undefined;
}

/**
 * The part of all traces that is wanted, from 0 to 1; null: all. Every process decides alike, since the id of
 * the trace decides.
 */
function ratioOf(environment: Environment): number | null {
  switch (environment.OTEL_TRACES_SAMPLER) {
    case 'always_off':
    case 'parentbased_always_off':
      return 0;
    case 'traceidratio':
    case 'parentbased_traceidratio': {
      const ratio = Number(environment.OTEL_TRACES_SAMPLER_ARG ?? 1);
      return ratio >= 0 && ratio <= 1 ? ratio : null;
    }
    default:
      return null;
  }
}

/** Gives a span the ids that were chosen for it: set right before it begins. */
class GivenIds {
  traceId = '';
  spanId = '';

  generateTraceId(): string {
    return this.traceId;
  }

  generateSpanId(): string {
    return this.spanId;
  }
}
