import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveWebSite } from './web-site.ts';

const FILES: Readonly<Record<string, string>> = {
  'index.html':
    '<title>Quantloom</title><link rel="canonical" href="{{pageUrl}}" />' +
    '<link rel="stylesheet" href="/assets/shell-b.css" /><div id="root"></div>',
  'robots.txt': 'Sitemap: {{publicUrl}}/sitemap.xml',
  'sitemap.xml': '<loc>{{publicUrl}}/pricing</loc>',
  'favicon.svg': '<svg/>',
  'assets/shell-b.css': 'body{color:red}',
  'assets/shell-a.js': 'void 0',
  'prerendered.json': JSON.stringify({
    pages: { '/pricing': { title: 'Pricing', description: 'd', html: 'Write to {{supportEmail}}' } },
    patterns: ['/', '/pricing', '/editor/:id/*'],
  }),
};

let build: string;
let app: FastifyInstance;
beforeAll(async () => {
  build = await mkdtemp(path.join(tmpdir(), 'web-site-'));
  await mkdir(path.join(build, 'assets'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(build, name), text);
  app = Fastify() as unknown as FastifyInstance;
  await serveWebSite(app, {
    publicUrl: 'http://localhost:8080',
    supportEmail: 'help@q.example',
    isServerPath: (pathname) => pathname.startsWith('/api/') || pathname === '/authorize',
    build,
  });
});
afterAll(async () => {
  await app.close();
  await rm(build, { recursive: true });
});

const get = (url: string, host = 'localhost:8080') => app.inject({ url, headers: { host } });

it('serves parts whose names change with what is in them for good, and everything else as it is now', async () => {
  const part = await get('/assets/shell-a.js');
  expect([part.statusCode, part.body]).toEqual([200, 'void 0']);
  expect(part.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const icon = await get('/favicon.svg');
  expect([icon.statusCode, icon.body]).toEqual([200, '<svg/>']);
  expect(icon.headers['cache-control']).toBe('no-cache');
  expect((await get('/editor/new')).headers['cache-control']).toBe('no-cache');
});

it('finds a part of a build that was made while the process runs', async () => {
  await writeFile(path.join(build, 'assets/later.js'), 'later');
  expect((await get('/assets/later.js')).body).toBe('later');
});

it('names the address of the installation in what machines read', async () => {
  expect((await get('/robots.txt')).body).toBe('Sitemap: http://localhost:8080/sitemap.xml');
  const map = await get('/sitemap.xml');
  expect(map.body).toBe('<loc>http://localhost:8080/pricing</loc>');
  expect(map.headers['content-type']).toContain('xml');
});

it.each([
  ['/', 200],
  ['/editor/abc/more?tab=1', 200],
  ['/wp-login', 404],
])('gives the application for every address that is no file: %s is %d', async (url, status) => {
  const { statusCode, body, headers } = await get(url);
  expect(statusCode).toBe(status);
  expect(headers['content-type']).toContain('text/html');
  expect(body).toContain('<div id="root"></div>');
});

it.each(['/api/v1/none', '/authorize?x=1', '/missing.png', '/assets/missing.js', '/prerendered.json'])(
  '%s is no page of the application',
  async (url) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(body).not.toContain('<div id="root">');
  },
);

it('sends a public page whole, with its own address, its styles and the address to write to', async () => {
  for (const _ of [1, 2]) {
    const { statusCode, body } = await get('/pricing?from=mail');
    expect(statusCode).toBe(200);
    expect(body).toContain('<title>Pricing</title>');
    expect(body).toContain('href="http://localhost:8080/pricing"');
    expect(body).toContain('<style>body{color:red}</style>');
    expect(body).toContain('<div id="root">Write to help@q.example</div>');
  }
});

it('sends whoever comes by another name of this machine to the one that signing in knows', async () => {
  const moved = await get('/pricing?a=1', '127.0.0.1:8080');
  expect([moved.statusCode, moved.headers.location]).toEqual([307, 'http://localhost:8080/pricing?a=1']);
  expect((await get('/pricing', 'app.example')).statusCode).toBe(200);
});
