import MiniSearch from 'minisearch';
import type { GuidePage } from './pages.ts';

export interface GuideHit {
  readonly href: string;
  /** "Page" or "Page: part". */
  readonly title: string;
  /** A piece of the text around the first word that was found. */
  readonly excerpt: string;
}

/** Longest query that is looked up; more is cut, so that nobody can make the search expensive. */
const MAX_QUERY = 200;
/**
 * Words that are looked up; half of all parts hold a word that begins with a given letter, so a single one
 * stands for itself alone.
 */
const MAX_WORDS = 10;
const SHORTEST_BEGINNING = 2;
const MAX_HITS = 20;
const EXCERPT = 180;

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = Math.max(0, (places.length > 0 ? Math.min(...places) : 0) - 60);
  const piece = text.slice(start, start + EXCERPT);
  return `${start > 0 ? '… ' : ''}${piece}${start + EXCERPT < text.length ? ' …' : ''}`;
}

const tokenize = MiniSearch.getDefault('tokenize') as (text: string) => string[];

/** The first words of a query, each once. */
function wordsOf(query: string): string[] {
  const words = tokenize(query.slice(0, MAX_QUERY).toLowerCase());
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Full-text search over the parts of the guide: words, their beginnings, and small slips of the keys. */
export function guideSearch(pages: readonly GuidePage[]): (query: string) => readonly GuideHit[] {
  const parts = pages.flatMap((page) =>
    page.sections.map((section, place) => ({
      id: `${page.slug}#${section.anchor}`,
      href: `${page.slug === 'index' ? '/docs' : `/docs/${page.slug}`}${place === 0 ? '' : `#${section.anchor}`}`,
      title: place === 0 ? page.title : `${page.title}: ${section.heading}`,
      text: section.text,
    })),
  );
  const index = new MiniSearch<(typeof parts)[number]>({
    fields: ['title', 'text'],
    searchOptions: {
      boost: { title: 3 },
      prefix: (term) => term.length >= SHORTEST_BEGINNING,
      fuzzy: 0.15,
      combineWith: 'AND',
    },
  });
  index.addAll(parts);
  const partOf = new Map(parts.map((part) => [part.id, part]));
  return (query) =>
    index
      .search(wordsOf(query).join(' '))
      .slice(0, MAX_HITS)
      .flatMap(({ id, terms }) => {
        const part = partOf.get(id);
        return part ? [{ href: part.href, title: part.title, excerpt: excerptOf(part.text, terms) }] : [];
      });
}
