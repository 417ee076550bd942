import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import fastifyStatic from '@fastify/static';
import { KeptText } from '@quantloom/http/kept-text';
import type { FastifyInstance } from 'fastify';
import {
  isAppAddress,
  type PrerenderedPage,
  prerenderedPages,
  styleSheetsOf,
  withFirstPaint,
  withStylesInside,
} from './first-paint.ts';
import { addressUnderPublicName, withAddresses } from './site-address.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const distribution = path.join(repository, 'web/dist');
const stampFile = path.join(distribution, '.built-from');

/** Hash over every file that the web is built from. Contents, not times: a checkout changes the times of everything. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['web', 'domain/src']) {
    const entries = await readdir(path.join(repository, folder), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !/[\\/](node_modules|dist[^\\/]*)[\\/]|\.test\.tsx?$/.test(file))
      .sort();
    for (const file of files)
      hash
        .update(path.relative(repository, file))
        .update('\0')
        .update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Builds the web when its sources changed since the last build; resolves at once otherwise. */
export async function ensureWebIsBuilt(log: (message: string) => void): Promise<void> {
  if (!existsSync(path.join(repository, 'web/index.html'))) return; // an image that ships only web/dist
  const hash = await sourceHash();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return;
  log('Building the web pages …');
  const fresh = `${distribution}.${process.pid}`;
  await promisify(execFile)(
    process.execPath,
    [
      path.join(repository, 'node_modules/vite/bin/vite.js'),
      ...['build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
    ],
    {
      cwd: path.join(repository, 'web'),
      maxBuffer: 64 * 1024 * 1024,
      // Whatever the server runs as, a test for example: the pages are built for production.
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  writeFileSync(path.join(fresh, path.basename(stampFile)), hash);
  await replaceBuild(fresh);
}

/** How long parts of earlier builds stay for pages that are open. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Puts a finished build in the place of the last one. Servers that run meanwhile, and pages that are open, go
 * on finding their parts.
 */
async function replaceBuild(fresh: string): Promise<void> {
  const old = path.join(distribution, 'assets');
  for (const name of existsSync(old) ? await readdir(old) : []) {
    const [from, to] = [path.join(old, name), path.join(fresh, 'assets', name)];
    if (!existsSync(to) && Date.now() - (await stat(from)).mtimeMs < KEPT_MS)
      await cp(from, to, { preserveTimestamps: true });
  }
  const before = `${fresh}.before`;
  if (existsSync(distribution)) await rename(distribution, before);
  await rename(fresh, distribution);
  await rm(before, { recursive: true, force: true });
}

/** Style sheets by name; the name carries the hash of what is in them. */
const styles = new Map<string, string>();

async function stylesOf(html: string, build: string): Promise<ReadonlyMap<string, string>> {
  for (const name of styleSheetsOf(html))
    if (!styles.has(name)) {
      // Those of an earlier build are of no use any more.
      if (styles.size > 10) styles.clear();
      styles.set(name, await readFile(path.join(build, 'assets', name), 'utf8'));
    }
  return styles;
}

/** How long a public page is sent as it was made: a build may be made while this process runs. */
const PAGE_KEPT_MS = 2_000;

/** Files that name the installation's own address. */
const ADDRESSED = ['index.html', 'robots.txt', 'sitemap.xml'];

/**
 * Serves the built pages; every address that is not a file and not the API's or the issuer's gets the
 * application. Whoever comes by another loopback name is sent to that of `publicUrl`.
 */
export async function serveWebSite(
  app: FastifyInstance,
  {
    publicUrl,
    supportEmail,
    isServerPath,
    build = distribution,
  }: {
    publicUrl: string;
    supportEmail: string;
    isServerPath: (pathname: string) => boolean;
    /** Folder of the built pages. */
    build?: string;
  },
): Promise<void> {
  // Looked up when they are asked for: a build made while this process runs has other names.
  await app.register(fastifyStatic, {
    root: path.join(build, 'assets'),
    prefix: '/assets/',
    index: false,
    cacheControl: false,
    // `name.br` that the build has written.
    preCompressed: true,
    // Names carry the hash of what is in them.
    setHeaders: (reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable');
    },
  });
  await app.register(fastifyStatic, {
    root: build,
    wildcard: false,
    index: false,
    decorateReply: false,
    globIgnore: ['assets/**', 'prerendered.json', ...ADDRESSED],
    cacheControl: false,
    setHeaders: (reply) => {
      reply.header('cache-control', 'no-cache');
    },
  });
  const fileOf = async (name: string, pathname: string) =>
    withAddresses(await readFile(path.join(build, name), 'utf8'), publicUrl, pathname);
  /** Public pages as they are sent, and when they were made: there are as many as the build has rendered. */
  const made = new Map<string, { readonly kept: KeptText; readonly at: number }>();
  const publicPage = async (pathname: string, page: PrerenderedPage): Promise<KeptText> => {
    const known = made.get(pathname);
    const now = performance.now();
    if (known && now - known.at < PAGE_KEPT_MS) return known.kept;
    const index = await fileOf('index.html', pathname);
    const text = withFirstPaint(withStylesInside(index, await stylesOf(index, build)), page, {
      supportEmail,
    });
    const kept = known?.kept.text === text ? known.kept : new KeptText(text);
    made.set(pathname, { kept, at: now });
    return kept;
  };
  const hidden = { schema: { hide: true } as object };
  app.get('/robots.txt', hidden, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(await fileOf('robots.txt', '/robots.txt')),
  );
  app.get('/sitemap.xml', hidden, async (_request, reply) =>
    reply.type('application/xml; charset=utf-8').send(await fileOf('sitemap.xml', '/sitemap.xml')),
  );
  app.get('/*', hidden, async (request, reply) => {
    const pathname = request.url.split('?')[0] ?? '/';
    if (isServerPath(pathname) || /\.[a-z0-9]{2,5}$/i.test(pathname)) return reply.callNotFound();
    const moved = addressUnderPublicName(request.headers.host, request.url, publicUrl);
    if (moved !== null) return reply.redirect(moved, 307);
    const pages = await prerenderedPages(build);
    reply
      .code(isAppAddress(pages, pathname) ? 200 : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8');
    const page = Object.hasOwn(pages.pages, pathname) ? pages.pages[pathname] : undefined;
    if (page) return await (await publicPage(pathname, page)).send(request, reply);
    return reply.send(await fileOf('index.html', pathname));
  });
}
