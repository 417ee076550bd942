import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

/** An answer or event as Stripe's documentation shows it (docs.stripe.com/api). */
export function recorded(name: string): Record<string, unknown> {
  return JSON.parse(
    readFileSync(path.join(import.meta.dirname, 'recorded/stripe', `${name}.json`), 'utf8'),
  ) as Record<string, unknown>;
}

export interface StripeServer {
  readonly server: { readonly host: string; readonly port: number; readonly protocol: 'http' };
  /** Requests in order: method, path, form body, idempotency key. */
  readonly requests: { route: string; body: URLSearchParams; idempotencyKey: string | undefined }[];
  /** Metadata of the only customer. */
  metadata: Record<string, string>;
  /** Whether that customer was deleted. */
  isCustomerDeleted: boolean;
  isAway: boolean;
  close(): void;
}

/** A server with one customer that answers what Stripe documents. */
export async function startStripeServer(): Promise<StripeServer> {
  const customer = () => ({ ...recorded('customer'), metadata: state.metadata });
  /** Of the form `metadata['field']:'value'`. */
  const isFoundBy = (query: string | null): boolean => {
    const [, field = '', value] = /^metadata\['(.+)'\]:'(.+)'$/.exec(query ?? '') ?? [];
    return value !== undefined && state.metadata[field] === value;
  };
  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    'GET /v1/customers/search': (query) => ({
      object: 'search_result',
      data: isFoundBy(query.get('query')) ? [customer()] : [],
      has_more: false,
      url: '/v1/customers/search',
      next_page: null,
    }),
    'POST /v1/customers': customer,
    'GET /v1/customers/cus_Na6dX7aXxi11N4': () =>
      state.isCustomerDeleted ? { id: 'cus_Na6dX7aXxi11N4', object: 'customer', deleted: true } : customer(),
    'POST /v1/billing_portal/sessions': () => recorded('portal-session'),
    'POST /v1/checkout/sessions': () => ({
      id: 'cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u',
      object: 'checkout.session',
      mode: 'subscription',
      status: 'open',
      url: 'https://checkout.stripe.com/c/pay/cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u',
    }),
  };
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [at, query] = (request.url ?? '').split('?');
      const route = `${request.method} ${at}`;
      const key = request.headers['idempotency-key'];
      state.requests.push({
        route,
        body: new URLSearchParams(Buffer.concat(chunks).toString()),
        idempotencyKey: typeof key === 'string' ? key : undefined,
      });
      const answer = state.isAway ? undefined : answers[route];
      response
        .writeHead(answer ? 200 : 400, { 'content-type': 'application/json' })
        .end(
          JSON.stringify(
            answer ? answer(new URLSearchParams(query)) : { error: { type: 'api_error', message: 'No' } },
          ),
        );
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const state: StripeServer = {
    server: { host: '127.0.0.1', port: (http.address() as { port: number }).port, protocol: 'http' },
    requests: [],
    metadata: {},
    isCustomerDeleted: false,
    isAway: false,
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
  return state;
}
