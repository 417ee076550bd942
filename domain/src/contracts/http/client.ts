import { IDEMPOTENCY_HEADER, POSITION_HEADER } from './headers.ts';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteContract } from './route.ts';

/** What the client needs of a contract at run time; a whole `RouteContract` fits, so does a row of `calls.ts`. */
export interface CallableRoute {
  readonly method: RouteContract['method'];
  readonly path: string;
  readonly access: { readonly kind: RouteContract['access']['kind'] };
}

/** How long a request waits for an access token before it goes on without one. */
export const TOKEN_WAIT_MS = 5_000;

export interface ApiClientOptions {
  /** Origin of the API, without a slash at the end; default: the page's own. */
  readonly baseUrl?: string;
  /**
   * The current access token; `null` where there is none. May take its time (a silent renewal): the client
   * waits at most `tokenWaitMs`. `fresh`: the server has just refused the last one, so don't answer from a cache.
   */
  readonly accessToken: (options: { fresh: boolean }) => Promise<string | null> | string | null;
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds; default 5000. */
  readonly tokenWaitMs?: number;
  /** Called when a request was refused as 401 although a fresh token was sent. */
  readonly onUnauthenticated?: (error: ApiError) => void;
}

/** Parts of a request that are not its body. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Revision that the user edited; sent as `If-Match`, a stale one is refused with 409. */
  readonly ifMatch?: number;
  /** Makes a POST safe to repeat. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent after the page is left, too (`fetch`'s `keepalive`). */
  readonly keepalive?: boolean;
}

type Part<Name extends string, Value> = unknown extends Value
  ? { readonly [K in Name]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [K in Name]?: Value }
    : { readonly [K in Name]: Value };

/** `{params, query, body}` of a contract, each only where the contract has it, plus the options. */
export type CallInput<C> = Part<'params', ParamsOf<C>> &
  Part<'query', QueryOf<C>> &
  Part<'body', BodyOf<C>> &
  CallOptions;

type CallArguments<C> =
  Record<never, never> extends CallInput<C> ? [input?: CallInput<C>] : [input: CallInput<C>];

/** A 2xx answer with the headers that matter. */
export interface ApiAnswer<Body> {
  readonly body: Body;
  readonly status: number;
  /** Revision from `ETag`, where there is one. */
  readonly revision: number | null;
  readonly headers: Headers;
}

/** A non-2xx answer: `message` is the server's sentence, `status` the HTTP status, `body` the parsed body. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  /** Stable code of the refusal, or `null` where the answer carried none. */
  readonly code: string | null;
  /** Seconds to wait, from `Retry-After`. */
  readonly retryAfter: number | null;
  constructor(status: number, body: unknown, retryAfter: number | null = null) {
    const { error, code } = (typeof body === 'object' && body !== null ? body : {}) as {
      error?: unknown;
      code?: unknown;
    };
    super(typeof error === 'string' && error !== '' ? error : 'API request failed');
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.code = typeof code === 'string' ? code : null;
    this.retryAfter = retryAfter;
  }
}

/** The product's calls, typed by their contracts. */
export interface ApiClient {
  /** The parsed body of the 2xx answer (`null` for 204). Rejects with `ApiError` for every other answer. */
  call<C extends CallableRoute>(route: C, ...input: CallArguments<C>): Promise<AnswerOf<C>>;
  /** As `call`, with status, revision and headers. */
  request<C extends CallableRoute>(route: C, ...input: CallArguments<C>): Promise<ApiAnswer<AnswerOf<C>>>;
  /** The 2xx answer as it came, unread: event streams and downloads. */
  open<C extends CallableRoute>(route: C, ...input: CallArguments<C>): Promise<Response>;
  /**
   * Highest log position seen in an answer; sent with every request, so that reads show what this client has
   * written.
   */
  readonly position: string | null;
}

interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The path with its placeholders filled in and the query appended. Throws when a parameter is missing. */
export function pathOf(
  route: Pick<CallableRoute, 'path'>,
  input: Pick<AnyInput, 'params' | 'query'>,
): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name];
    if (value === undefined || value === '') throw new Error(`Parameter ${name} of ${route.path} is missing`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {}))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) query.append(name, String(item));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function withinTime<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isJson(type: string): boolean {
  return type.startsWith('application/json') || /^application\/[\w.-]+\+json/.test(type);
}

async function bodyOfError(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function secondsOf(value: string | null): number | null {
  if (value === null || !/^\d+$/.test(value)) return null;
  return Number(value);
}

async function parse(route: CallableRoute, response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  const type = response.headers.get('content-type') ?? '';
  if (isJson(type)) return await response.json();
  if (route.method !== 'GET' || !type.startsWith('text/csv'))
    throw new Error(`Unsupported content type: ${type}`);
  return await response.text();
}

/** What a call that needs a token fails with where there is none: `platform.md` has the words. */
export const MISSING_AUTHORIZATION = 'Missing Authorization header';

/**
 * A client of both APIs. POST (public calls apart), PATCH and DELETE reject with 'Missing Authorization
 * header' when there is no token after the wait; a GET is then sent without one. A 401 is tried once more
 * with a fresh token.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { baseUrl = '', tokenWaitMs = TOKEN_WAIT_MS } = options;
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  let position: string | null = null;

  const token = (fresh: boolean): Promise<string | null> =>
    withinTime(
      Promise.resolve(options.accessToken({ fresh })).catch(() => null),
      tokenWaitMs,
      null,
    );

  const remember = (seen: string | null): void => {
    if (seen === null || !/^\d+$/.test(seen)) return;
    if (position === null || BigInt(seen) > BigInt(position)) position = seen;
  };

  const attempt = async (route: CallableRoute, input: AnyInput, bearer: string | null): Promise<Response> => {
    const headers = new Headers(input.headers);
    if (!headers.has('accept')) headers.set('accept', 'application/json, text/csv;q=0.9, */*;q=0.5');
    if (bearer !== null) headers.set('authorization', `Bearer ${bearer}`);
    if (position !== null) headers.set(POSITION_HEADER, position);
    if (input.ifMatch !== undefined) headers.set('if-match', `"${input.ifMatch}"`);
    if (input.idempotencyKey !== undefined) headers.set(IDEMPOTENCY_HEADER, input.idempotencyKey);
    const hasBody = input.body !== undefined;
    if (hasBody) headers.set('content-type', 'application/json');
    return await send(`${baseUrl}${pathOf(route, input)}`, {
      method: route.method,
      headers,
      ...(hasBody && { body: JSON.stringify(input.body) }),
      ...(input.signal && { signal: input.signal }),
      ...(input.keepalive && { keepalive: true }),
    });
  };

  const open = async (route: CallableRoute, input: AnyInput = {}): Promise<Response> => {
    const needsToken = route.method !== 'GET' && route.access.kind !== 'public';
    const bearer = await token(false);
    if (bearer === null && needsToken) throw new Error(MISSING_AUTHORIZATION);
    let response = await attempt(route, input, bearer);
    if (response.status === 401 && bearer !== null) {
      const fresh = await token(true);
      if (fresh !== null && fresh !== bearer) response = await attempt(route, input, fresh);
    }
    remember(response.headers.get(POSITION_HEADER));
    if (response.ok) return response;
    const error = new ApiError(
      response.status,
      await bodyOfError(response),
      secondsOf(response.headers.get('retry-after')),
    );
    if (response.status === 401) options.onUnauthenticated?.(error);
    throw error;
  };

  const request = async (route: CallableRoute, input?: AnyInput): Promise<ApiAnswer<unknown>> => {
    const response = await open(route, input);
    const revision = /^(?:W\/)?"(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1];
    return {
      body: await parse(route, response),
      status: response.status,
      revision: revision === undefined ? null : Number(revision),
      headers: response.headers,
    };
  };

  return {
    call: async (route: CallableRoute, input?: AnyInput) => (await request(route, input)).body,
    request,
    open,
    get position() {
      return position;
    },
  } as ApiClient;
}
