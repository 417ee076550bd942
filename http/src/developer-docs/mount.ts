import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import type { FastifyInstance } from 'fastify';
import { type OpenApiOptions, openApiDocument } from './openapi.ts';
import { DEVELOPER_CSS, developerPage, type QuickStart } from './page.ts';

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
  const serve = (address: string, type: string, text: string): void => {
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    app.get(address, async (request, reply) => {
      reply.header('etag', etag).header('cache-control', 'no-cache');
      if (request.headers['if-none-match'] === etag) return await reply.code(304).send();
      return await reply.type(type).send(text);
    });
  };
  serve('/openapi.json', 'application/json; charset=utf-8', JSON.stringify(openApiDocument(routes, options)));
  serve('/developers', 'text/html; charset=utf-8', developerPage({ routes, serverUrl, quickStarts }));
  serve('/developers/page.css', 'text/css; charset=utf-8', DEVELOPER_CSS);
  for (const { file, text } of quickStarts) serve(`/developers/${file}`, 'text/plain; charset=utf-8', text);
}
