import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mountDeveloperDocs } from './developer-docs/mount.ts';
import { mountGuide } from './guide/mount.ts';
import { mountPublicPageFiles } from './public-pages/mount.ts';

const ORIGIN = 'https://quantloom.example';
/** Pages of the application: `scripts/links.test.ts` holds them to its routes. */
const APPLICATION =
  /^\/(?:$|drafts$|pricing$|login$|register$|terms-of-service$|privacy-policy$|u\/|account\/|favicon|manifest|api\/)/;

const app = Fastify();
beforeAll(async () => {
  mountPublicPageFiles(app);
  mountGuide(app, { publicUrl: ORIGIN });
  mountDeveloperDocs(app, { serverUrl: ORIGIN, issuer: `${ORIGIN}/`, version: '1.0.0' });
  await app.ready();
});
afterAll(() => app.close());

it('leads from the guide and the pages for developers to no address that is not there', async () => {
  const seen = new Map<string, ReadonlySet<string> | null>();
  const wanted: { readonly from: string; readonly address: string; readonly anchor: string }[] = [];
  const known = new Set<string>();
  const open = ['/docs', '/developers'];
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    if (seen.has(address)) continue;
    const { statusCode, body } = await app.inject({ url: address });
    seen.set(
      address,
      statusCode === 200 ? new Set([...body.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id)) : null,
    );
    for (const [, href = ''] of body.matchAll(/\b(?:href|src|action)="([^"]+)"/g)) {
      // The frame's links are the same on every page.
      if (href.startsWith('/') && known.has(href)) continue;
      known.add(href);
      const url = new URL(href.replaceAll('&amp;', '&'), `${ORIGIN}${address}`);
      if (url.origin !== ORIGIN || APPLICATION.test(url.pathname)) continue;
      wanted.push({ from: address, address: url.pathname, anchor: decodeURIComponent(url.hash.slice(1)) });
      open.push(url.pathname);
    }
  }
  expect(seen.size).toBeGreaterThan(80);
  const dead = wanted.filter(({ address, anchor }) => {
    const anchors = seen.get(address);
    return !anchors || (anchor !== '' && !anchors.has(anchor));
  });
  expect([...new Set(dead.map(({ from, address, anchor }) => `${from}: ${address}#${anchor}`))]).toEqual([]);
});
