import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import type { FastifyInstance } from 'fastify';
import { serveText } from '../public-pages/mount.ts';
import { documentFor } from './kept-document.ts';
import type { OpenApiOptions } from './openapi.ts';
import { developerPage, type QuickStart } from './page.ts';

const FILES: readonly Omit<QuickStart, 'text'>[] = [
  { id: 'curl', label: 'curl', file: 'quick-start.sh' },
  { id: 'python', label: 'Python', file: 'quick-start.py' },
  { id: 'typescript', label: 'TypeScript', file: 'quick-start.ts' },
];

/** Folder of the quick starts, word for word as the page shows them. */
export const QUICK_START_FOLDER = path.join(import.meta.dirname, 'quick-start');

/** `/openapi.json` and `/developers`, made once from the contracts. */
export function mountDeveloperDocs(
  app: FastifyInstance,
  options: OpenApiOptions & { readonly routes: readonly RouteContract[] },
): void {
  const quickStarts = FILES.map((entry) => ({
    ...entry,
    text: readFileSync(path.join(QUICK_START_FOLDER, entry.file), 'utf8'),
  }));
  const { routes, serverUrl } = options;
  serveText(app, '/openapi.json', 'application/json; charset=utf-8', documentFor(options));
  serveText(
    app,
    '/developers',
    'text/html; charset=utf-8',
    developerPage({ routes, serverUrl, quickStarts }),
  );
  for (const { file, text } of quickStarts)
    serveText(app, `/developers/${file}`, 'text/plain; charset=utf-8', text);
}
