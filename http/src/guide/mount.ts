import { Html, html } from '@quantloom/domain/kernel/html';
import type { FastifyInstance } from 'fastify';
import { KeptText } from '../kept-text.ts';
import { type ContentsEntry, publicPage } from '../public-pages/frame.ts';
import { type PublicSearchOptions, sendHits } from '../public-search.ts';
import { createLuckFigure, luckSeedOf } from './luck-figure.ts';
import { type GuidePage, guideSlugs, readGuide, readGuidePictures } from './pages.ts';
import { mountPictures } from './pictures.ts';
import { guideSearch } from './search.ts';

const hidden = { schema: { hide: true } as object };
const addressOf = ({ slug }: Pick<GuidePage, 'slug'>) => (slug === 'index' ? '/docs' : `/docs/${slug}`);

function searchForm(query = ''): Html {
  return html`<form class="search" role="search" method="get" action="/docs/search">
    <label for="guide-search">Search the guide</label>
    <input id="guide-search" type="search" name="q" value="${query}" maxlength="200">
  </form>`;
}

/** Links to the page before and the page after, in the order of the contents. */
function steps(pages: readonly GuidePage[], page: GuidePage): Html {
  const place = pages.indexOf(page);
  const [before, after] = [place > 0 ? pages[place - 1] : undefined, pages[place + 1]];
  return html`<nav class="steps" aria-label="Pages before and after">
    <span>${before ? html`<a href="${addressOf(before)}">← ${before.title}</a>` : null}</span>
    <span>${after ? html`<a href="${addressOf(after)}">${after.title} →</a>` : null}</span>
  </nav>`;
}

const single = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The guide at `/docs`: pages made of the files in `docs/guide`, and a search over them. None of it needs a script. */
export function mountGuide(
  app: FastifyInstance,
  { publicUrl, ...searching }: { readonly publicUrl: string } & PublicSearchOptions,
): void {
  // Made for the first reader: nobody who starts the product waits for it.
  let made: ReturnType<typeof makeGuide> | null = null;
  const guide = () => (made ??= makeGuide());
  const contents = (current?: GuidePage): ContentsEntry[] =>
    guide().pages.map((page) => ({ href: addressOf(page), label: page.title, isCurrent: page === current }));
  const render = (page: GuidePage, figure: Html | null): string =>
    publicPage({
      title: page.title,
      description: page.description,
      address: new URL(addressOf(page), publicUrl).href,
      section: 'guide',
      contents: contents(page),
      beforeContents: searchForm(),
      body: html`${withFigure(page.html, figure)}${steps(guide().pages, page)}`,
    });
  mountPictures(app, () => guide().pictures);
  for (const slug of guideSlugs()) {
    /** By the draw of the figure; pages without one have a single form. */
    const kept = new Map<number, KeptText>();
    const pageOf = (draw: unknown): KeptText => {
      const seed = slug === 'verdict' ? luckSeedOf(single(draw)) : 0;
      const known = kept.get(seed);
      if (known) return known;
      const page = guide().pages.find((one) => one.slug === slug);
      if (!page) throw new Error(`The guide has no page ${slug}`);
      const made = new KeptText(render(page, seed > 0 ? guide().luckFigure(seed) : null));
      kept.set(seed, made);
      return made;
    };
    app.get(addressOf({ slug }), hidden, async (request, reply) => {
      const { draw } = request.query as { readonly draw?: unknown };
      reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8');
      return await pageOf(draw).send(request, reply);
    });
  }
  const hitsOf = (query: string): string => {
    const hits = query === '' ? [] : guide().search(query);
    const count =
      hits.length === 0
        ? query === ''
          ? 'Type a word, for instance “slippage” or “out of sample”.'
          : `Nothing in the guide mentions “${query}”.`
        : `${hits.length} ${hits.length === 1 ? 'place mentions' : 'places mention'} “${query}”.`;
    return publicPage({
      title: 'Search',
      description: 'Search the guide.',
      address: new URL('/docs/search', publicUrl).href,
      section: 'guide',
      contents: contents(),
      beforeContents: searchForm(query),
      body: html`<h1>Search</h1><p role="status">${count}</p>
      <ul class="results">${hits.map(
        ({ href, title, excerpt }) => html`<li><a href="${href}">${title}</a><p>${excerpt}</p></li>`,
      )}</ul>`,
    });
  };
  app.get('/docs/search', hidden, async (request, reply) => sendHits(request, reply, searching, hitsOf));
}

function makeGuide() {
  const pictures = readGuidePictures();
  const pages = readGuide(undefined, pictures);
  return { pages, pictures, search: guideSearch(pages), luckFigure: createLuckFigure() };
}

/** Puts the figure before the second part of the page, behind what it illustrates. */
function withFigure(page: string, figure: Html | null): Html {
  if (figure === null) return new Html(page);
  const place = page.indexOf('<h2');
  return place < 0
    ? new Html(page + figure.text)
    : new Html(page.slice(0, place) + figure.text + page.slice(place));
}
