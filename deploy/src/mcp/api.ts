import { setTimeout as pause } from 'node:timers/promises';

/** Where the API is, and the API client to use it with (Account, API Clients). */
export interface ApiSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
}

/** A call that was refused or failed, in the sentence that the API gave. */
export class CallError extends Error {
  readonly problem: Readonly<Record<string, unknown>>;
  constructor(problem: Readonly<Record<string, unknown>>, status: number) {
    super(typeof problem.error === 'string' ? problem.error : `The server answered ${status}`);
    this.name = 'CallError';
    this.problem = problem;
  }
}

/** What tools call. */
export interface Api {
  /** The answer's JSON. Throws a `CallError` where the API refuses. */
  call(
    method: 'GET' | 'POST',
    path: string,
    more?: { readonly body?: unknown; readonly query?: Readonly<Record<string, string>> },
  ): Promise<unknown>;
}

const MOST_TRIES = 6;
/** A token is renewed before its end, so that none expires under way. */
const SHARE_OF_LIFE = 0.9;

async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return isJson ? ((await response.json()) as Record<string, unknown>) : {};
}

/** The API over HTTP: gets tokens, and waits where the server asks for it. */
export class HttpApi implements Api {
  readonly #settings: ApiSettings;
  #token: { readonly value: string; readonly until: number } | null = null;

  constructor(settings: ApiSettings) {
    this.#settings = settings;
  }

  async call(
    method: 'GET' | 'POST',
    path: string,
    { body, query = {} }: { readonly body?: unknown; readonly query?: Readonly<Record<string, string>> } = {},
  ): Promise<unknown> {
    const address = new URL(path, this.#settings.url);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    for (let tries = 1; ; tries++) {
      const response = await fetch(address, {
        method,
        headers: {
          authorization: `Bearer ${await this.#bearer()}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (response.ok) return await response.json();
      const problem = await jsonOf(response);
      const { status } = response;
      if (tries >= MOST_TRIES) throw new CallError(problem, status);
      if (status === 401 && tries === 1) this.#token = null;
      else if (status === 429 || status === 503)
        await pause(1000 * Number(response.headers.get('retry-after') ?? 1));
      else throw new CallError(problem, status);
    }
  }

  async #bearer(): Promise<string> {
    if (this.#token && Date.now() < this.#token.until) return this.#token.value;
    const { url, clientId, clientSecret, audience } = this.#settings;
    const response = await fetch(new URL('/oauth/token', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        audience,
      }),
    });
    const answer = await jsonOf(response);
    if (!response.ok || typeof answer.access_token !== 'string')
      throw new CallError({ error: answer.error_description ?? 'No token was given' }, response.status);
    const lifeMs = Number(answer.expires_in ?? 3600) * 1000;
    this.#token = { value: answer.access_token, until: Date.now() + SHARE_OF_LIFE * lifeMs };
    return answer.access_token;
  }
}
