import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFailed: boolean;
  /** Why it failed, as it was told; empty where nothing was said. */
  readonly failure: string;
  /** In ms. */
  readonly duration: number;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string | number };
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes?: readonly Attribute[];
  readonly status?: { readonly code?: number; readonly message?: string };
  /** In ns since 1970. */
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const FAILED = 2;
const recordOf = (attributes: readonly Attribute[] = []) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)] as const),
  );

/**
 * Takes traces over OTLP (HTTP, JSON) and keeps them in a file, one request a line, as the file exporter of
 * the real collector does.
 */
export async function startTraceCollector(file: string) {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST' && request.url === '/v1/traces')
      appendFileSync(file, `${await text(request)}\n`);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Every span of the file. */
    spans(): CollectedSpan[] {
      const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean);
      return lines
        .flatMap((line) => (JSON.parse(line) as Sent).resourceSpans)
        .flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({
              service: String(recordOf(resource.attributes)['service.name']),
              name: span.name,
              traceId: span.traceId,
              spanId: span.spanId,
              parentSpanId: span.parentSpanId || null,
              attributes: recordOf(span.attributes),
              isFailed: span.status?.code === FAILED,
              failure: span.status?.message ?? '',
              duration: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
            })),
          ),
        );
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
