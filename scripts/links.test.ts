import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { conceptAddress, METRIC_CONCEPTS } from '../domain/src/contracts/metric-concepts.ts';
import { anchorOf } from '../http/src/guide/pages.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const tracked = (...patterns: readonly string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && existsSync(path.join(root, file)));

/** Text without what is shown as code: no link of it is one. */
const withoutCode = (text: string) =>
  text.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Anchors of a file as GitHub makes them of its headings, the second of a name numbered. */
function anchorsOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of text
    .replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '')
    .matchAll(/^#{1,6} +(.+)$/gm)) {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{Letter}\p{Number}\p{Connector_Punctuation} -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

const linksOf = (text: string): string[] => [
  ...[...withoutCode(text).matchAll(/\]\(\s*<?([^)\s>]+)/g)].map(([, target = '']) => target),
  ...[...withoutCode(text).matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)].map(([, target = '']) => target),
  ...[...text.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)].map(([, target = '']) => target),
];

/**
 * Pages of the product whose addresses are written down: of the application, of the guide, and those that the
 * server renders.
 */
const PAGES: readonly RegExp[] = [
  ...globSync('web/src/features/*/routes.tsx', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/path: '([^']+)'/g)].map(([, route = '']) => route),
  ),
  '/login',
  '/register',
  ...globSync('docs/guide/*.md', { cwd: root }).map((file) => `/docs/${path.basename(file, '.md')}`),
  '/docs',
  '/developers',
  '/developers/:operation',
  '/developers/schemas/:name',
  '/u/account',
  '/public-pages/:file',
  '/openapi.json',
  ...globSync('web/public/*', { cwd: root }).map((file) => `/${path.basename(file)}`),
].map(
  (route) =>
    new RegExp(
      `^${route
        .replaceAll(/[.+?^$()[\]]/g, '\\$&')
        .replaceAll(/\/\*$/g, '(?:/.*)?')
        .replaceAll(/:\w+/g, '[^/]+')}$`,
    ),
);

/** Whether an address of the product leads to a page, and its anchor to a part of it. */
function isPage(address: string): boolean {
  const [target = '', anchor] = address.split('#');
  const [pathname = ''] = target.split('?');
  if (!PAGES.some((page) => page.test(pathname))) return false;
  const guide = /^\/docs\/([a-z-]+)$/.exec(pathname)?.[1];
  if (anchor === undefined || guide === undefined) return true;
  const headings = [...read(`docs/guide/${guide}.md`).matchAll(/^#{1,6} +(.+)$/gm)];
  return anchor === 'draw' || headings.some(([, heading = '']) => anchorOf(heading) === anchor);
}

describe('links', () => {
  const files = tracked('*.md');

  it('of the texts lead to files, to headings in them, or to pages of the product', () => {
    expect(files.length).toBeGreaterThan(50);
    const dead: string[] = [];
    for (const file of files)
      for (const link of linksOf(read(file))) {
        if (/^(?:https?:|mailto:)/.test(link)) continue;
        if (link.startsWith('/')) {
          if (!isPage(link)) dead.push(`${file}: ${link}`);
          continue;
        }
        const [target = '', anchor] = link.split('#');
        const found = target === '' ? file : path.join(path.dirname(file), decodeURIComponent(target));
        const isThere = !found.startsWith('..') && existsSync(path.join(root, found));
        const isAnchor =
          anchor === undefined ||
          (isThere && statSync(path.join(root, found)).isFile() && anchorsOf(read(found)).has(anchor));
        if (!isThere || !isAnchor) dead.push(`${file}: ${link}`);
      }
    expect(dead).toEqual([]);
  });

  it('of the pages lead to pages', () => {
    const sources = tracked('web/src/*.tsx', 'web/src/*.ts', 'http/src/*.ts', 'query-api/src/*.ts').filter(
      (file) => !/\.test\.tsx?$/.test(file),
    );
    const dead: string[] = [];
    let count = 0;
    for (const file of sources) {
      // Of a template, what is filled in stands for one part of the address.
      const found = read(file).matchAll(
        /\b(?:href|to)(?:=|: |=\{)(?:"(\/[^"]*)"|'(\/[^']*)'|`(\/[^`]*)`)|\bnavigate\((?:'(\/[^']*)'|`(\/[^`]*)`)/g,
      );
      for (const [, ...parts] of found) {
        const address = (parts.find((part) => part !== undefined) ?? '').replaceAll(/\$\{[^}]*\}/g, 'x');
        if (address.startsWith('/api/')) continue;
        count += 1;
        if (!isPage(address)) dead.push(`${file}: ${address}`);
      }
    }
    expect(count).toBeGreaterThan(60);
    expect(dead).toEqual([]);
  });

  it('of every figure lead to its explanation, which says what the figure hides', () => {
    const dead = METRIC_CONCEPTS.map(conceptAddress).filter((address) => !isPage(address));
    expect(dead).toEqual([]);
    const sections = read('docs/guide/metrics.md').split(/^## /m).slice(1);
    expect(
      sections.filter((section) => !section.includes('\n**Hides** ')).map((one) => one.split('\n')[0]),
    ).toEqual([]);
  });
});
