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

/** Operations and schemas in which all words of a query occur, operations first. */
export function searchDocument(
  { operations, schemas }: ApiDocument,
  query: string,
): readonly { readonly href: string; readonly title: string; readonly excerpt: string }[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = operations
    .filter((one) =>
      matches(`${one.operationId} ${one.method} ${one.path} ${one.summary} ${one.description}`),
    )
    .map(({ operationId, method, path, summary }) => ({
      href: `/developers/${operationId}`,
      title: `${method} ${path}`,
      excerpt: `${summary}.`,
    }));
  const named = Object.entries(schemas)
    .filter(([name, schema]) => matches(`${name} ${JSON.stringify(schema)}`))
    .map(([name, { description }]) => ({
      href: `/developers/schemas/${name}`,
      title: name,
      excerpt: typeof description === 'string' ? description.slice(0, 200) : 'A schema of the API.',
    }));
  return words.length === 0 ? [] : [...found, ...named].slice(0, 60);
}
