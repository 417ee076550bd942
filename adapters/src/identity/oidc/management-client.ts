import { IdentityError } from '@quantloom/domain/ports/identity';

export interface ManagementOptions {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ManagementAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Auth0's Management API v2, as far as the product needs it. */
export interface ManagementClient {
  /** Any answer below 500 that is not about our own right to ask. Rejects with code `unavailable` otherwise. */
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<ManagementAnswer>;
}

const TIMEOUT_MS = 10_000;
/** A token is renewed this long before it expires, in ms. */
const RENEW_BEFORE_MS = 60_000;

const unavailable = (detail: string, cause?: unknown): IdentityError =>
  new IdentityError('unavailable', `The identity provider does not do what it was asked: ${detail}`, {
    cause,
  });

async function send(url: string, init: RequestInit): Promise<ManagementAnswer> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw unavailable('it does not answer', error);
  }
  const text = await response.text();
  let body: unknown = {};
  try {
    if (text !== '') body = JSON.parse(text);
  } catch (error) {
    if (response.ok) throw unavailable('its answer is not JSON', error);
  }
  return { status: response.status, body: (body ?? {}) as Record<string, unknown> };
}

/**
 * Calls the Management API with a token of its own (client credentials, audience `<issuer>api/v2/`), kept
 * until shortly before it expires.
 *
 * @param issuer with a slash at the end
 * @param baseUrl where the calls go, with a slash at the end
 */
export function createManagementClient(
  issuer: string,
  options: ManagementOptions,
  baseUrl = issuer,
): ManagementClient {
  const audience = `${issuer}api/v2/`;
  let current: Promise<{ token: string; renewAt: number }> | null = null;

  const fetchToken = async (): Promise<{ token: string; renewAt: number }> => {
    const answer = await send(`${baseUrl}oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: options.clientId,
        client_secret: options.clientSecret,
        audience,
      }),
    });
    const { access_token: token, expires_in: seconds } = answer.body;
    if (answer.status !== 200 || typeof token !== 'string')
      throw unavailable(`no token for its management API (${answer.status})`);
    const lifetime = typeof seconds === 'number' ? seconds * 1000 : 0;
    return { token, renewAt: Date.now() + lifetime - RENEW_BEFORE_MS };
  };

  const tokenOf = async (isFresh: boolean): Promise<string> => {
    const known = current && !isFresh ? await current.catch(() => null) : null;
    if (known && known.renewAt > Date.now()) return known.token;
    const next = fetchToken();
    current = next;
    return (await next).token;
  };

  return {
    call: async (method, path, body) => {
      const attempt = async (isFresh: boolean) =>
        await send(`${baseUrl}api/v2/${path}`, {
          method,
          headers: {
            authorization: `Bearer ${await tokenOf(isFresh)}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      let answer = await attempt(false);
      if (answer.status === 401) answer = await attempt(true);
      if (answer.status >= 500 || [401, 403, 429].includes(answer.status))
        throw unavailable(`${method} ${path.split(/[/?]/)[0]} answered ${answer.status}`);
      return answer;
    },
  };
}
