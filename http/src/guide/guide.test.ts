import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountPublicPageFiles } from '../public-pages/mount.ts';
import { mountGuide } from './mount.ts';
import { addressOfLink, anchorOf, GUIDE_FOLDER, readGuide } from './pages.ts';
import { guideSearch } from './search.ts';

describe('guide', () => {
  const app = fastify();
  beforeAll(async () => {
    mountPublicPageFiles(app);
    mountGuide(app, { publicUrl: 'https://quantloom.example' });
    await app.ready();
  });
  afterAll(() => app.close());
  const get = async (url: string) => await app.inject({ url });

  it('lists every page of the folder in the contents, the first page first', () => {
    const slugs = readGuide().map(({ slug }) => slug);
    expect(slugs[0]).toBe('index');
    expect(slugs).toContain('verdict');
    for (const slug of slugs) expect(existsSync(path.join(GUIDE_FOLDER, `${slug}.md`))).toBe(true);
  });

  it('has no link that leads nowhere', async () => {
    const pages = readGuide();
    const anchors = new Map(
      pages.map((page) => [
        page.slug === 'index' ? '/docs' : `/docs/${page.slug}`,
        new Set(page.sections.map(({ anchor }) => anchor)),
      ]),
    );
    const dead: string[] = [];
    for (const page of pages)
      for (const [, href] of page.html.matchAll(/href="([^"]+)"/g)) {
        if (!href) continue;
        const [target, anchor] = href.split('#');
        const known =
          target === '' ? new Set(page.sections.map((part) => part.anchor)) : anchors.get(target ?? '');
        const isElsewhere = ['/developers'].includes(target ?? '') || href.startsWith('https://');
        if (!isElsewhere && (!known || (anchor && !known.has(anchor)))) dead.push(`${page.slug}: ${href}`);
      }
    expect(dead).toEqual([]);
  });

  it('serves a page with its own title, description and address', async () => {
    const { statusCode, body, headers } = await get('/docs/blocks');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toContain('text/html');
    expect(body).toContain('<title>Blocks · Quantloom</title>');
    expect(body).toContain('<link rel="canonical" href="https://quantloom.example/docs/blocks">');
    expect(body).toMatch(/aria-current="page">Blocks</);
    expect(body).not.toContain('<script');
  });

  it('answers 404 for a page that does not exist', async () => {
    expect((await get('/docs/nothing')).statusCode).toBe(404);
  });

  it('finds words, beginnings of words and slips of the keys', () => {
    const search = guideSearch(readGuide());
    expect(search('slippage')[0]?.href).toContain('/docs/costs-and-fills');
    expect(search('slipp').length).toBeGreaterThan(0);
    expect(search('bolinger').some(({ href }) => href.startsWith('/docs/indicators'))).toBe(true);
    expect(search('xyzzyq')).toEqual([]);
  });

  it('shows what is searched for as text, never as markup', async () => {
    const { body } = await get(`/docs/search?q=${encodeURIComponent('<img src=x>')}`);
    expect(body).not.toContain('<img src=x>');
    expect(body).toContain('&lt;img src=x&gt;');
    expect((await get('/docs/search?q=a&q=b')).statusCode).toBe(200);
  });

  it('draws other worthless strategies by number, and the same ones for the same number', async () => {
    const sharpe = (text: string) => /Sharpe ratio of the best<\/dt><dd>([\d.]+)/.exec(text)?.[1];
    const first = (await get('/docs/verdict')).body;
    const second = (await get('/docs/verdict?draw=2')).body;
    expect(Number(sharpe(first))).toBeGreaterThan(0.6);
    expect(Number(sharpe(first))).toBeLessThan(1.6);
    expect(sharpe(second)).not.toBe(sharpe(first));
    expect((await get('/docs/verdict?draw=2')).body).toBe(second);
    expect((await get('/docs/verdict?draw=1e9')).body).toBe(first);
  });

  it('serves its style sheet and fonts by itself', async () => {
    expect((await get('/public-pages/page.css')).headers['content-type']).toContain('text/css');
    const font = await get('/public-pages/inter.woff2');
    expect(font.headers['content-type']).toBe('font/woff2');
    expect(font.rawPayload.subarray(0, 4).toString()).toBe('wOF2');
  });

  it('turns links between files into addresses', () => {
    expect(addressOfLink('metrics.md#sharpe-ratio')).toBe('/docs/metrics#sharpe-ratio');
    expect(addressOfLink('index.md')).toBe('/docs');
    expect(addressOfLink('/developers')).toBe('/developers');
    expect(anchorOf('Trailing 1 and 3 months')).toBe('trailing-1-and-3-months');
  });

  it('defines every metric that the result tables show', () => {
    const text = readFileSync(path.join(GUIDE_FOLDER, 'metrics.md'), 'utf8');
    for (const heading of [
      'Cumulative return',
      'Annualized return',
      'Standard deviation',
      'Max drawdown',
      'Calmar ratio',
      'Sharpe ratio',
    ])
      expect(text).toContain(`## ${heading}`);
  });
});
