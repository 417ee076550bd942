import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createEmbeddedIdentity,
  type EmbeddedIdentity,
  type EmbeddedIdentityOptions,
} from '../../src/identity/embedded/embedded-identity.ts';

/** A running issuer on a free port, for tests. */
export interface TestIssuer {
  readonly origin: string;
  readonly dataDir: string;
  readonly embedded: EmbeddedIdentity;
  /** Closes it and opens it again on the same port and folder, as after a restart. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });

/** Starts an issuer; requests to other paths go to `page`. Passkeys need a `hostname` that is a name. */
export async function startTestIssuer(
  options: Partial<EmbeddedIdentityOptions> & {
    hostname?: 'localhost' | '127.0.0.1';
    page?: (pathname: string) => { type: string; body: string } | null;
  } = {},
): Promise<TestIssuer> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'issuer-'));
  let embedded: EmbeddedIdentity | undefined;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (embedded?.handles(pathname)) return embedded.handler(request, response);
    const page = options.page?.(pathname) ?? null;
    response
      .writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' })
      .end(page?.body ?? '');
  });
  const port = await listen(server, 0);
  const origin = `http://${options.hostname ?? '127.0.0.1'}:${port}`;
  const open = () =>
    createEmbeddedIdentity({
      issuerUrl: origin,
      dataDir,
      encryptionKey: 'c3'.repeat(32),
      onError: (error) => console.error(error),
      ...options,
    });
  embedded = await open();
  return {
    origin,
    dataDir,
    get embedded() {
      if (!embedded) throw new Error('The issuer is closed');
      return embedded;
    },
    async restart() {
      await embedded?.close();
      embedded = undefined;
      embedded = await open();
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await embedded?.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** A browser without script: keeps cookies (by path) and follows redirects on demand. */
export class TestBrowser {
  readonly origin: string;
  readonly #cookies = new Map<string, { value: string; path: string }>();

  constructor(origin: string) {
    this.origin = origin;
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url, this.origin);
    const cookie = [...this.#cookies]
      .filter(([, { path: scope }]) => target.pathname.startsWith(scope))
      .map(([name, { value }]) => `${name.split('@')[0]}=${value}`)
      .join('; ');
    const response = await fetch(target, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const scope = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(`${name}@${scope}`);
      else this.#cookies.set(`${name}@${scope}`, { value, path: scope });
    }
    return response;
  }

  async post(url: string, fields: Record<string, string>): Promise<Response> {
    return await this.fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** The `Location` of a redirect. */
  async locationOf(response: Response): Promise<string> {
    const location = response.headers.get('location');
    if (!location) throw new Error(`Not a redirect: ${response.status} ${await response.text()}`);
    return new URL(location, this.origin).href;
  }

  /** Follows redirects until the page's callback; answers its query. */
  async followToCallback(first: Response): Promise<URLSearchParams> {
    let location = await this.locationOf(first);
    for (let hop = 0; hop < 5 && !location.includes('/auth/callback'); hop += 1)
      location = await this.locationOf(await this.fetch(location));
    return new URL(location).searchParams;
  }
}

/** Parameters of an authorization request with PKCE, and the verifier to redeem its code with. */
export function authorizationRequest(
  origin: string,
  more: Record<string, string> = {},
): { url: string; verifier: string } {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL('/authorize', origin);
  url.search = new URLSearchParams({
    client_id: 'quantloom-web',
    response_type: 'code',
    response_mode: 'query',
    scope: 'openid profile email offline_access',
    audience: 'https://api.quantloom.local',
    redirect_uri: `${origin}/auth/callback`,
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  }).toString();
  return { url: url.href, verifier };
}

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** Signs up (or logs in) through the pages and redeems the code. */
export async function signInByForm(
  browser: TestBrowser,
  email: string,
  password: string,
  screen: 'login' | 'signup',
): Promise<Tokens> {
  const request = authorizationRequest(browser.origin, screen === 'signup' ? { screen_hint: 'signup' } : {});
  const form = await browser.locationOf(await browser.fetch(request.url));
  await browser.fetch(form);
  const answer = await browser.followToCallback(await browser.post(form, { screen, email, password }));
  const code = answer.get('code');
  if (!code) throw new Error(`The sign-in failed: ${answer}`);
  const response = await redeem(browser.origin, code, request.verifier);
  if (!response.ok) throw new Error(`The code was refused: ${await response.text()}`);
  return (await response.json()) as Tokens;
}

/** Redeems a code at the token endpoint. */
export function redeem(origin: string, code: string, verifier: string): Promise<Response> {
  return tokenRequest(origin, {
    grant_type: 'authorization_code',
    client_id: 'quantloom-web',
    code,
    code_verifier: verifier,
    redirect_uri: `${origin}/auth/callback`,
  });
}

/** Any token request, as a form. */
export function tokenRequest(origin: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
}
