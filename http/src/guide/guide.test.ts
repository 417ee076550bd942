import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountPublicPageFiles } from '../public-pages/mount.ts';
import { mountGuide } from './mount.ts';
import { addressOfLink, anchorOf, GUIDE_FOLDER, readGuide, readGuidePictures } from './pages.ts';
import { pictureAddress, pictureElement } from './pictures.ts';
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
    const pictures = new Set([...readGuidePictures().keys()].map((name) => pictureAddress(name)));
    const dead: string[] = [];
    for (const page of pages)
      for (const [, href] of page.html.matchAll(/href="([^"]+)"/g)) {
        if (!href) continue;
        const [target, anchor] = href.split('#');
        const known =
          target === '' ? new Set(page.sections.map((part) => part.anchor)) : anchors.get(target ?? '');
        const isElsewhere =
          ['/developers'].includes(target ?? '') || pictures.has(href) || href.startsWith('https://');
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

  it('shows pictures in the theme of the reader that keep their place, are told in words, and are small', async () => {
    const shown: string[] = [];
    for (const { slug, html } of readGuide())
      for (const [element] of html.matchAll(/<picture>[\s\S]*?<\/picture>/g)) {
        const [, dark = '', light = '', alt = '', width = '', height = ''] =
          /srcset="([^"]+)"[\s\S]*src="([^"]+)" alt="([^"]+)" width="(\d+)" height="(\d+)"/.exec(element) ??
          [];
        expect(alt.length, `${slug}: what ${light} shows`).toBeGreaterThan(20);
        expect(Number(width)).toBeGreaterThan(300);
        expect(Number(height)).toBeGreaterThan(100);
        for (const address of [light, dark]) {
          const answer = await get(address);
          expect([answer.statusCode, answer.headers['content-type']], address).toEqual([200, 'image/webp']);
          expect(answer.rawPayload.length, address).toBeLessThan(80_000);
          const again = await app.inject({
            url: address,
            headers: { 'if-none-match': String(answer.headers.etag) },
          });
          expect(again.statusCode).toBe(304);
          shown.push(address);
        }
      }
    const files = readdirSync(path.join(GUIDE_FOLDER, 'pictures')).map((name) => `/docs/pictures/${name}`);
    expect(shown.sort()).toEqual(files.sort());
    expect((await get('/docs/pictures/other.webp')).statusCode).toBe(404);
    expect((await get('/docs/pictures/..%2Findex.md')).statusCode).toBe(404);
  });

  it('leads from a picture to itself alone, in the theme of the reader', async () => {
    const [name] = [...readGuidePictures().keys()].filter((one) => one.endsWith('-light.webp'));
    const answer = await get(pictureAddress(name ?? ''));
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.body).toContain(`srcset="/docs/pictures/${name?.replace('-light', '-dark')}"`);
    expect(answer.body).toContain(`src="/docs/pictures/${name}"`);
  });

  it('stays light: no page is larger than a phone loads in a moment, and its pictures come when they are scrolled to', async () => {
    const styles = (await get('/public-pages/page.css')).rawPayload.length;
    const font = (await get('/public-pages/inter.woff2')).rawPayload.length;
    for (const { slug, html } of readGuide()) {
      const page = await get(slug === 'index' ? '/docs' : `/docs/${slug}`);
      const shown = [...html.matchAll(/<img[^>]*>/g)].map(([element]) => element);
      for (const element of shown) expect(element, slug).toMatch(/width="\d+" height="\d+"\s+loading="lazy"/);
      const pictures = shown.map((element) =>
        readGuidePictures().get(/pictures\/([^"]+)"/.exec(element)?.[1] ?? ''),
      );
      const bytes = pictures.reduce((sum, picture) => sum + (picture?.bytes.length ?? 0), 0);
      expect(page.rawPayload.length, `${slug}, before it is compressed`).toBeLessThan(90_000);
      expect(page.rawPayload.length + styles + font + bytes, `${slug} with all it shows`).toBeLessThan(
        400_000,
      );
    }
  });

  it('does not take a picture that is not there, or that nobody has put into words', () => {
    const pictures = readGuidePictures();
    const element = (src: string, alt: string) => () => pictureElement(pictures, { src, alt });
    expect(element('pictures/tree-light.webp', 'A tree')()).toContain('alt="A tree"');
    expect(element('pictures/tree-light.webp', ' ')).toThrow('Nobody has said');
    expect(element('pictures/missing-light.webp', 'A tree')).toThrow('no picture');
    expect(element('pictures/tree-dark.webp', 'A tree')).toThrow('no picture');
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
    // A word of nearly every page is found on as many as fit onto one.
    expect(search('the')).toHaveLength(20);
  });

  it('finds a word at the end of a line, and shows it apart from the next', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'guide-'));
    try {
      writeFileSync(path.join(folder, 'index.md'), '# Guide\n\nOrders are filled\nat the close.\n');
      const [page] = readGuide(folder, new Map());
      expect(page?.sections[0]?.text).toBe('Orders are filled at the close.');
      expect(page?.description).toBe('Orders are filled at the close.');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('searches for the first words alone, and for none by a single letter', () => {
    const search = guideSearch(readGuide());
    const words = 'the a of and to in is it that for';
    expect(search(words).length).toBeGreaterThan(0);
    expect(search(`${words} xyzzyq`)).toEqual(search(words));
    expect(search('slippage SLIPPAGE slippage-slippage xyzzyq')).toEqual([]);
    // A word by itself: many begin with it.
    expect(search('q')).toEqual([]);
    expect(search('qu').length).toBeGreaterThan(0);
  });

  it('makes a page once for everybody, its compressed form included', async () => {
    const read = async (url: string) =>
      await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } });
    for (const url of ['/docs', '/docs/verdict?draw=7', '/docs/verdict?draw=8']) {
      const { headers, rawPayload } = await read(url);
      expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
      expect(brotliDecompressSync(rawPayload).toString()).toBe((await get(url)).body);
      expect((await read(url)).rawPayload).toEqual(rawPayload);
    }
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
