import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A public page as the build has rendered it; `{{supportEmail}}` stands for the installation's address. */
export interface PrerenderedPage {
  readonly title: string;
  readonly description: string;
  readonly html: string;
}

/** What the build knows of the application's addresses. */
export interface PrerenderedPages {
  readonly pages: Readonly<Record<string, PrerenderedPage>>;
  /** Patterns as React Router reads them: `/editor/:id/*`. */
  readonly patterns: readonly string[];
}

let last: { readonly file: string; readonly changed: number; readonly pages: PrerenderedPages } | null = null;

/** Reads `prerendered.json` of a build; again only when it has changed. */
export async function prerenderedPages(distribution: string): Promise<PrerenderedPages> {
  const file = path.join(distribution, 'prerendered.json');
  const { mtimeMs } = await stat(file);
  if (last?.file !== file || last.changed !== mtimeMs)
    last = { file, changed: mtimeMs, pages: JSON.parse(await readFile(file, 'utf8')) as PrerenderedPages };
  return last.pages;
}

function matches(pattern: string, pathname: string): boolean {
  const wanted = pattern.split('/').filter(Boolean);
  const given = pathname.split('/').filter(Boolean);
  const isOpen = wanted.at(-1) === '*';
  const parts = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? given.length < parts.length : given.length !== parts.length) return false;
  return parts.every((part, place) => part.startsWith(':') || part === given[place]);
}

/** Whether the application has a page at an address. */
export function isAppAddress({ patterns }: PrerenderedPages, pathname: string): boolean {
  return patterns.some((pattern) => matches(pattern, pathname));
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE_SHEET = /<link rel="stylesheet"[^>]*href="\/assets\/([\w.-]+\.css)"[^>]*>/g;

/**
 * Puts the style sheets of a built page into it, and lets its code wait behind them: who has come for the
 * first time sees the page after one answer of the server, on a slow line a second earlier.
 *
 * @param styles texts of the style sheets, by the name of their file
 */
export function withStylesInside(html: string, styles: ReadonlyMap<string, string>): string {
  return html
    .replace(STYLE_SHEET, (link, name: string) => {
      const text = styles.get(name);
      return text === undefined ? link : `<style>${text}</style>`;
    })
    .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"');
}

/** Names of the style sheets that a built page links. */
export const styleSheetsOf = (html: string): string[] =>
  [...html.matchAll(STYLE_SHEET)].flatMap(([, name]) => name ?? []);

/**
 * Puts a public page's text, title and description into `index.html`. The application takes its place when
 * its code has arrived; whoever has no script reads it as it is.
 */
export function withFirstPaint(
  index: string,
  page: PrerenderedPage | undefined,
  { supportEmail }: { readonly supportEmail: string },
): string {
  if (!page) return index;
  const description = escaped(page.description);
  return index
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(page.title)}</title>`)
    .replace(
      /(<meta\s+name="description"\s+content=")[^"]*"/,
      (_all, before: string) => `${before}${description}"`,
    )
    .replace(
      /(<meta\s+property="og:description"\s+content=")[^"]*"/,
      (_all, before: string) => `${before}${description}"`,
    )
    .replace(/<noscript>[\s\S]*?<\/noscript>/, '')
    .replace(
      '<div id="root"></div>',
      () => `<div id="root">${page.html.replaceAll('{{supportEmail}}', escaped(supportEmail))}</div>`,
    );
}
