import type { Json } from './documented-schema.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Json;
}

type Content = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;

/** An operation of the kept document, with what it is reached by. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-features'?: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content; readonly links?: Json }>
  >;
}

export interface ApiDocument {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Json>>;
}

/** Reads the text of the document into what pages are made of. */
export function readDocument(text: string): ApiDocument {
  const { paths, components } = JSON.parse(text) as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
    components: { schemas: Record<string, Json> };
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  return { operations, schemas: components.schemas };
}

export interface DocumentHit {
  readonly href: string;
  readonly title: string;
  readonly excerpt: string;
}

/** Words that are looked for; who types more finds what holds the first ones. */
const MOST_WORDS = 10;
const MOST_HITS = 60;

/**
 * Finds operations and schemas in which all words of a query occur, operations first. The texts are made
 * once: anybody may search without an account, so that a question must cost no more than looking through them.
 */
export function documentSearch({
  operations,
  schemas,
}: ApiDocument): (query: string) => readonly DocumentHit[] {
  const found = operations.map(({ operationId, method, path, summary, description }) => ({
    text: `${operationId} ${method} ${path} ${summary} ${description}`.toLowerCase(),
    hit: { href: `/developers/${operationId}`, title: `${method} ${path}`, excerpt: `${summary}.` },
  }));
  const named = Object.entries(schemas).map(([name, schema]) => ({
    text: `${name} ${JSON.stringify(schema)}`.toLowerCase(),
    hit: {
      href: `/developers/schemas/${name}`,
      title: name,
      excerpt:
        typeof schema.description === 'string' ? schema.description.slice(0, 200) : 'A schema of the API.',
    },
  }));
  const places = [...found, ...named];
  return (query) => {
    const words = [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MOST_WORDS);
    if (words.length === 0) return [];
    const hits: DocumentHit[] = [];
    for (const { text, hit } of places) {
      if (hits.length === MOST_HITS) break;
      if (words.every((word) => text.includes(word))) hits.push(hit);
    }
    return hits;
  };
}
