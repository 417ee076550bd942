import { createOutboxMail } from '@quantloom/adapters/mail/outbox/outbox-mail';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness/api.ts';
import { openPlatform, type Person, type Platform, saveDrafts } from './platform-journey.ts';

/** Pages that the browser builds; the others come whole from the server and are found by their links. */
const APP_PAGES = [
  '/drafts',
  '/starters',
  '/portfolio',
  '/tomorrow',
  '/verify',
  '/account/general',
  '/account/api-clients',
  '/account/billing',
  '/account/history',
  '/batch-backtests',
  '/batch-backtests/new',
  '/variable-lists',
  '/design-system',
  '/admin/dashboard',
  '/admin/backtests/errors',
  '/admin/parked-events',
  '/admin/market-data',
  '/admin/market-data/SPY',
  '/admin/users',
  '/admin/acts',
  '/admin/waitlist',
];

interface Visited {
  readonly status: number;
  readonly body: string;
}

describe('every link', () => {
  let platform: Platform;
  let ada: Person;
  const visited = new Map<string, Visited>();

  beforeAll(async () => {
    platform = await openPlatform();
    ada = await platform.signUp('ada');
    await saveDrafts(ada.api, 'A strategy');
  });
  afterAll(() => platform?.close());

  /** What a signed-in browser is answered at an address, each fetched once. */
  async function visit(address: string): Promise<Visited> {
    const known = visited.get(address);
    if (known) return known;
    const answer = await ada.context.request.get(address, { maxRedirects: 5 });
    const isText = /^text\/html/.test(answer.headers()['content-type'] ?? '');
    const page = { status: answer.status(), body: isText ? await answer.text() : '' };
    visited.set(address, page);
    return page;
  }

  /** Links of this product among those of a page, whole. */
  const ownLinks = (links: readonly string[], base: string) =>
    links.flatMap((link) => {
      const target = new URL(link.replaceAll('&amp;', '&'), base);
      return target.origin === new URL(platform.url).origin ? [target] : [];
    });
  const hrefsOf = (body: string) => [...body.matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)].map(([, to = '']) => to);
  const hasPart = (body: string, id: string) => body.includes(`id="${id}"`);

  /** Why a link leads nowhere, or null. The parts of a page that the browser builds are not looked for. */
  async function deadness(link: URL): Promise<string | null> {
    const anchor = decodeURIComponent(link.hash.slice(1));
    const page = await visit(`${link.origin}${link.pathname}${link.search}`);
    if (page.status >= 400) return `${page.status}`;
    const isBuilt = page.body.includes('<div id="root">');
    if (anchor === '' || page.body === '' || isBuilt || hasPart(page.body, anchor)) return null;
    return `no part ${anchor}`;
  }

  test('is told from one that leads nowhere', async () => {
    const reason = (link: string) => deadness(new URL(link, platform.url));
    expect(await reason('/no-such-page')).toBe('404');
    expect(await reason('/docs/no-such-page')).toBe('404');
    expect(await reason('/docs/verdict#no-such-part')).toBe('no part no-such-part');
    expect(await reason('/docs/verdict')).toBe(null);
  });

  test('of the pages that the server writes leads to a page, and to a part of it', async () => {
    const dead: string[] = [];
    const seen = new Set<string>();
    const ahead = ['/', '/docs', '/developers', '/login', '/register'].map((at) => `${platform.url}${at}`);
    for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const { body } = await visit(at);
      for (const link of ownLinks(hrefsOf(body), at)) {
        // Where one is signed out, or in again: links of a session, tried in the account's own suite.
        if (/\/(?:logout|session\/end)/.test(link.pathname)) continue;
        const why = await deadness(link);
        if (why !== null) dead.push(`${at}: ${link.href} (${why})`);
        link.hash = '';
        ahead.push(link.href);
      }
    }
    expect(dead).toEqual([]);
    expect(seen.size).toBeGreaterThan(150);
  }, 600_000);

  test('of the pages of the application leads to a page', async () => {
    const dead: string[] = [];
    let count = 0;
    for (const at of APP_PAGES) {
      await ada.page.goto(`${platform.url}${at}`);
      await ada.page.locator('h1').first().waitFor();
      await ada.page.waitForLoadState('networkidle');
      const links = await ada.page
        .locator('a[href]')
        .evaluateAll((found) => found.map((one) => (one as unknown as { href: string }).href));
      for (const link of ownLinks(links, platform.url)) {
        count += 1;
        const why = await deadness(link);
        if (why !== null) dead.push(`${at}: ${link.href} (${why})`);
      }
    }
    expect(dead).toEqual([]);
    expect(count).toBeGreaterThan(150);
  }, 600_000);

  test('of the letters leads to a page', async () => {
    const outbox = createOutboxMail(platform.dataDir);
    const letters = await until(
      () => outbox.list(100),
      (all) => all.length > 0,
    );
    const links = letters.flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
    expect(links.length).toBeGreaterThan(0);
    const dead: string[] = [];
    for (const link of ownLinks(links, platform.url)) {
      const why = await deadness(link);
      if (why !== null) dead.push(`${link.href} (${why})`);
    }
    expect(dead).toEqual([]);
  });
});
