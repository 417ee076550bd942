import { API_CLIENT } from './server.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a black-box client knows no types
  readonly body: any;
  readonly headers: Headers;
}

/** A black-box client: JSON in, JSON or text out, waits when the rate limit says so. */
export class Api {
  readonly #url: string;
  readonly #token: string | null;
  constructor(url: string, token: string | null = null) {
    this.#url = url;
    this.#token = token;
  }

  /** The response as it comes, unread. */
  async open(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return await this.openText(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
  }

  /** As `open`, with a body that is JSON already. */
  async openText(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return await fetch(this.#url + path, {
      method,
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    for (;;) {
      const response = await this.open(method, path, body, headers);
      const text = await response.text();
      if (response.status === 429) {
        await new Promise((resolve) =>
          setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 1)),
        );
        continue;
      }
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return {
        status: response.status,
        body: isJson && text !== '' ? JSON.parse(text) : text,
        headers: response.headers,
      };
    }
  }

  /** The response as it comes, whatever it says. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.#url + path, {
      method,
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  get = (path: string) => this.send('GET', path);
  post = (path: string, body: unknown, headers?: Record<string, string>) =>
    this.send('POST', path, body, headers);
  patch = (path: string, body: unknown, headers?: Record<string, string>) =>
    this.send('PATCH', path, body, headers);
  delete = (path: string) => this.send('DELETE', path);
}

/** A client with a token of the bootstrap machine client (a demo user on the API plan). */
export async function machineApi(url: string): Promise<Api> {
  const configuration = (await (await fetch(`${url}/config.json`)).json()) as { audience: string };
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: API_CLIENT.id,
      client_secret: API_CLIENT.secret,
      audience: configuration.audience,
      scope: 'api:backtester',
    }),
  });
  const token = (await response.json()) as { access_token?: string };
  if (!token.access_token) throw new Error(`No token: ${response.status} ${JSON.stringify(token)}`);
  return new Api(url, token.access_token);
}

/** Polls until `isDone`; rejects with the last value after `timeoutMs`. */
export async function until<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error(`Not done after ${timeoutMs} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
