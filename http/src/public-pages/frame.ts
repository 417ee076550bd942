import { type Html, html } from '@quantloom/domain/kernel/html';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';

/** One entry of the list of contents beside a page. */
export interface ContentsEntry {
  readonly href: string;
  readonly label: string;
  readonly isCurrent?: boolean;
}

export interface PublicPage {
  /** Without the product's name. */
  readonly title: string;
  /** One sentence for search engines and link previews. */
  readonly description: string;
  /** Absolute address of this page. */
  readonly address: string;
  readonly section: 'guide' | 'developers' | 'result';
  /** What the list of contents is headed with, and where that leads. */
  readonly contents: readonly ContentsEntry[];
  /** Between the head of the list of contents and its entries: a search field for example. */
  readonly beforeContents?: Html;
  readonly body: Html;
  /** Absolute address of the picture of link previews; default: the product's. */
  readonly image?: string;
  /** False: search engines leave it out. Default true. */
  readonly isFindable?: boolean;
  /** Address of a script that adds to a page which is complete without it. */
  readonly script?: string;
}

const SECTIONS = [
  { id: 'guide', href: '/docs', label: 'Guide' },
  { id: 'developers', href: '/developers', label: 'Developers' },
] as const;

/** A page that works without a script: the guide and the developers' documentation, in the product's own look. */
export function publicPage(page: PublicPage): string {
  const {
    title,
    description,
    address,
    section,
    contents,
    beforeContents,
    body,
    image,
    isFindable = true,
  } = page;
  const hasContents = contents.length > 0 || beforeContents !== undefined;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · ${PRODUCT_NAME}</title>
  <meta name="description" content="${description}">
  <meta property="og:type" content="article">
  <meta property="og:site_name" content="${PRODUCT_NAME}">
  <meta property="og:title" content="${title}">
  <meta property="og:description" content="${description}">
  <meta property="og:url" content="${address}">
  <meta property="og:image" content="${image ?? new URL('/social-preview.png', address).href}">
  <meta name="twitter:card" content="summary_large_image">
  ${!isFindable && html`<meta name="robots" content="noindex">`}
  <link rel="canonical" href="${address}">
  <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  <link rel="preload" href="/public-pages/inter.woff2" as="font" type="font/woff2" crossorigin>
  <link rel="stylesheet" href="/public-pages/page.css">${
    page.script !== undefined &&
    html`
  <script src="${page.script}" type="module"></script>`
  }
</head>
<body>
  <a class="skip" href="#content">Skip to content</a>
  <header class="top">
    <a class="brand" href="/"><img src="/favicon.svg" alt="" width="20" height="20">${PRODUCT_NAME}</a>
    <nav aria-label="Site"><ul>
      ${SECTIONS.map(
        ({ id, href, label }) =>
          html`<li><a href="${href}"${id === section && html` aria-current="true"`}>${label}</a></li>`,
      )}
      <li><a href="/pricing">Pricing</a></li>
      <li><a href="/drafts">Open the product</a></li>
    </ul></nav>
  </header>
  <div class="${hasContents ? 'columns' : 'single'}">
    ${
      hasContents &&
      html`<nav class="contents" id="contents" aria-label="Contents">
      ${beforeContents ?? null}
      <ul>
        ${contents.map(
          ({ href, label, isCurrent }) =>
            html`<li><a href="${href}"${isCurrent === true && html` aria-current="page"`}>${label}</a></li>`,
        )}
      </ul>
    </nav>`
    }
    <main id="content" class="${section}">${hasContents && html`<p class="to-contents"><a href="#contents">Contents and search ↓</a></p>`}${body}</main>
  </div>
  <footer><p>Past backtest performance does not guarantee future results. <a href="/terms-of-service">Terms of service</a> · <a href="/privacy-policy">Privacy policy</a></p></footer>
</body>
</html>`.text;
}
