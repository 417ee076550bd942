import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { API_CLIENT, quantloom, REPOSITORY, removeDataDir, startServer } from '../harness/server.ts';

/*
 * The proxies of `docs/hosting.md`, driven for real: the files of `deploy/hosting` with other ports, names and a certificate of a local authority.
 * A proxy that is not installed is skipped by name.
 */

const HOSTING = path.join(REPOSITORY, 'deploy/hosting');
const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-hosting-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A certificate for `localhost` by an authority of its own; paths of both and of the key. */
function certificate(): { readonly authority: string; readonly chain: string; readonly key: string } {
  const at = (name: string) => path.join(folder, name);
  const openssl = (...words: readonly string[]) =>
    execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  const subject = (name: string) => ['-subj', `/CN=${name}`, '-nodes', '-newkey', 'rsa:2048'];
  openssl('req', '-x509', ...subject('Local authority'), '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2');
  openssl('req', ...subject('localhost'), '-keyout', 'site.key', '-out', 'site.csr');
  writeFileSync(at('san'), 'subjectAltName=DNS:localhost');
  openssl(
    ...['x509', '-req', '-in', 'site.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-extfile', 'san', '-days', '2', '-out', 'site.pem'],
  );
  return { authority: at('ca.pem'), chain: at('site.pem'), key: at('site.key') };
}

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly product: number;
}
type Tls = ReturnType<typeof certificate>;

/** The command line of a proxy with the shipped file, but for ports, names and certificate. */
const PROXIES = {
  nginx: ({ http, https, product }: Ports, { chain, key }: Tls) => {
    const home = path.join(folder, 'nginx');
    mkdirSync(home);
    const site = readFileSync(path.join(HOSTING, 'nginx.conf'), 'utf8')
      .replaceAll('quantloom.example.com;', 'localhost;')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${chain};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
      .replace('https://$host$request_uri', `https://$host:${https}$request_uri`)
      .replace('Host $host;', `Host $host:${https};`)
      .replaceAll('/var/log/nginx/access.log', path.join(home, 'access.log'))
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${product}`);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${home}/${name};`,
    );
    const file = path.join(home, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off;\npid ${home}/pid;\nerror_log ${home}/error.log;\nevents {}\nhttp {\naccess_log ` +
        `off;\n${places.join('\n')}\n${site}\n}\n`,
    );
    return ['nginx', '-p', home, '-e', `${home}/error.log`, '-c', file];
  },
  caddy: ({ http, https, product }: Ports, { chain, key }: Tls) => {
    const site = readFileSync(path.join(HOSTING, 'Caddyfile'), 'utf8')
      .replace('quantloom.example.com {', `localhost:${https} {\n\ttls ${chain} ${key}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${product}`);
    const file = path.join(folder, 'Caddyfile');
    const options = `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1\n}\n`;
    writeFileSync(file, options + site);
    return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
  },
} as const;

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A client that trusts the local authority; `onData` sees each piece of the answer as it comes. */
function client(origin: string, authority: string) {
  const agent = new https.Agent({ ca: readFileSync(authority), maxSockets: 20, keepAlive: true });
  return (
    method: string,
    place: string,
    options: {
      readonly body?: string;
      readonly headers?: Record<string, string>;
      readonly onData?: (text: string) => void;
    } = {},
  ) =>
    new Promise<Reply>((resolve, reject) => {
      const request = https.request(
        origin + place,
        { method, agent, ...(options.headers && { headers: options.headers }) },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
            options.onData?.(chunk);
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(options.body);
    });
}

const isInstalled = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

describe.each(Object.keys(PROXIES) as (keyof typeof PROXIES)[])('behind %s', (name) => {
  it.skipIf(!isInstalled(name) || !isInstalled('openssl'))(
    `pages, streams, addresses and limits pass as they should (${name})`,
    async () => {
      const ports = { http: await freePort(), https: await freePort(), product: await freePort() };
      const origin = `https://localhost:${ports.https}`;
      const tls = certificate();
      const server = await startServer({
        dataDir: path.join(folder, `data-${name}`),
        port: ports.product,
        environment: { PUBLIC_URL: origin, BEHIND_PROXY: 'true' },
      });
      const [program = '', ...words] = PROXIES[name](ports, tls);
      const proxy = spawn(program, words, {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      });
      let said = '';
      proxy.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
      });
      const ask = client(origin, tls.authority);
      try {
        await until(
          async () =>
            proxy.exitCode === null
              ? await ask('GET', '/ready').then(
                  ({ status }) => status,
                  () => 0,
                )
              : `ended: ${said}`,
          (status) => status !== 0,
        );

        // Pages and the way to them.
        const page = await ask('GET', '/docs');
        expect([page.status, page.headers['strict-transport-security']]).toEqual([
          200,
          expect.stringContaining('max-age'),
        ]);
        const plain = await fetch(`http://localhost:${ports.http}/docs`, { redirect: 'manual' });
        expect([301, 308]).toContain(plain.status);
        expect(plain.headers.get('location')).toMatch(/^https:\/\/localhost(:\d+)?\/docs$/);

        // A token of the issuer by its public name, and what is refused is refused in the product's words.
        const { audience } = JSON.parse((await ask('GET', '/config.json')).text) as { audience: string };
        const form = new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: API_CLIENT.id,
          client_secret: API_CLIENT.secret,
          audience,
          scope: 'api:backtester',
        });
        const token = await ask('POST', '/oauth/token', {
          body: form.toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
        expect(token.status, token.text).toBe(200);
        const authorized = {
          authorization: `Bearer ${(JSON.parse(token.text) as { access_token: string }).access_token}`,
          'content-type': 'application/json',
        };
        const large = await ask('POST', '/api/v1/variable-lists', {
          headers: authorized,
          body: JSON.stringify({ name: 'x'.repeat(20_000_000), variables: [] }),
        });
        expect([large.status, JSON.parse(large.text)]).toMatchObject([413, { code: 'body_too_large' }]);

        // An event stream: its first event comes while it is open.
        const template = JSON.parse(
          readFileSync(path.join(REPOSITORY, 'docs/examples/batch.json'), 'utf8'),
        ) as object;
        const batch = await ask('POST', '/api/v1/batch-backtests', {
          headers: authorized,
          body: JSON.stringify(template),
        });
        expect(batch.status, batch.text).toBe(201);
        const { id } = JSON.parse(batch.text) as { id: string };
        const pieces: string[] = [];
        const stream = await ask('GET', `/api/v1/batch-backtests/${id}/events`, {
          headers: { ...authorized, accept: 'text/event-stream' },
          onData: (text) => pieces.push(text),
        });
        expect(stream.headers['content-type']).toMatch(/event-stream/);
        expect(pieces.length).toBeGreaterThan(1);
        expect(pieces[0]).not.toContain('"Finished"');
        expect(pieces.at(-1)).toContain('"Finished"');

        // Visitors count by the address that the proxy has seen, whatever they write.
        const statuses: number[] = [];
        for (let i = 0; i < 20 && !statuses.includes(429); i += 1) {
          const answers = await Promise.all(
            Array.from({ length: 50 }, (_, j) =>
              ask('GET', '/api/v1/users/me', { headers: { 'x-forwarded-for': `203.0.${i}.${j}` } }),
            ),
          );
          statuses.push(...answers.map(({ status }) => status));
        }
        expect(statuses).toContain(429);
        expect((await quantloom(server.dataDir, 'log', 'verify')).stdout).toMatch(/sound/);
      } finally {
        const ended = once(proxy, 'exit');
        if (proxy.exitCode === null) {
          proxy.kill('SIGTERM');
          await ended;
        }
        await server.stop();
        await removeDataDir(server.dataDir);
      }
    },
    180_000,
  );
});

it('has a program for the PATH that works from any folder, through a link', () => {
  const link = path.join(folder, 'quantloom');
  execFileSync('ln', ['-s', path.join(REPOSITORY, 'scripts/quantloom'), link]);
  const request = path.join(REPOSITORY, 'docs/examples/backtest.json');
  const copy = path.join(folder, 'request.json');
  writeFileSync(copy, readFileSync(request));
  const answer = execFileSync(link, ['backtest', 'request.json'], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: path.join(folder, 'empty') },
  });
  expect(JSON.parse(answer.toString())).toMatchObject({ metrics: expect.anything() });
});
