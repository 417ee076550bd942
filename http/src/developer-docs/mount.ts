import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveText } from '../public-pages/mount.ts';
import { type PublicSearchOptions, sendHits } from '../public-search.ts';
import { documentSearch, readDocument } from './document-reader.ts';
import { documentFor } from './kept-document.ts';
import type { OpenApiOptions } from './openapi.ts';
import { operationPage, schemaPage, searchPage } from './operation-page.ts';
import { developerPage, type QuickStart } from './page.ts';

const FILES: readonly Omit<QuickStart, 'text'>[] = [
  { id: 'curl', label: 'curl', file: 'quick-start.sh' },
  { id: 'python', label: 'Python', file: 'quick-start.py' },
  { id: 'typescript', label: 'TypeScript', file: 'quick-start.ts' },
];

/** Folder of the quick starts, word for word as the page shows them. */
export const QUICK_START_FOLDER = path.join(import.meta.dirname, 'quick-start');

/** `/openapi.json`, `/developers` and a page for every operation and schema, made of the one document. */
export function mountDeveloperDocs(
  app: FastifyInstance,
  options: OpenApiOptions & PublicSearchOptions,
): void {
  const quickStarts = FILES.map((entry) => ({
    ...entry,
    text: readFileSync(path.join(QUICK_START_FOLDER, entry.file), 'utf8'),
  }));
  const { serverUrl } = options;
  const text = documentFor(options);
  const document = readDocument(text);
  // Made for the first who searches: nobody who starts the product waits for it.
  let made: ReturnType<typeof documentSearch> | null = null;
  const search = (query: string) => {
    made ??= documentSearch(document);
    return made(query);
  };
  const serveHtml = (address: string, page: () => string) =>
    serveText(app, address, 'text/html; charset=utf-8', page);
  serveText(app, '/openapi.json', 'application/json; charset=utf-8', text);
  serveText(
    app,
    '/public-pages/developers.js',
    'text/javascript; charset=utf-8',
    readFileSync(path.join(import.meta.dirname, 'developers.js'), 'utf8'),
  );
  serveHtml('/developers', () => developerPage({ document, serverUrl, quickStarts }));
  for (const { file, text: quickStart } of quickStarts)
    serveText(app, `/developers/${file}`, 'text/plain; charset=utf-8', quickStart);
  const contents = (current: string) => [
    { href: '/developers', label: 'Overview' },
    ...document.operations.map(({ operationId }) => ({
      href: `/developers/${operationId}`,
      label: operationId,
      isCurrent: operationId === current,
    })),
  ];
  for (const operation of document.operations)
    serveHtml(`/developers/${operation.operationId}`, () =>
      operationPage(operation, document, { serverUrl, contents: contents(operation.operationId) }),
    );
  for (const name of Object.keys(document.schemas))
    serveHtml(`/developers/schemas/${name}`, () =>
      schemaPage(name, document, { serverUrl, contents: contents('') }),
    );
  app.get('/developers/search', { schema: { hide: true } as object }, async (request, reply) =>
    sendHits(request, reply, options, (query) =>
      searchPage(query, search(query), { serverUrl, contents: contents('') }),
    ),
  );
}
