import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import { installationPart, type OpenApiOptions, openApiDocument } from './openapi.ts';

/**
 * The document is made when a contract changes and kept in a file: finding its examples takes longer than a
 * server may take to start.
 */
export const DOCUMENT_FILE = path.join(import.meta.dirname, 'openapi.json');

const PLACE = 'https://quantloom.local';

/** What the file must hold. */
export function freshDocument(): string {
  const document = openApiDocument(ALL_ROUTES, { serverUrl: PLACE, issuer: `${PLACE}/`, version: '0.0.0' });
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** The kept document as text, for the installation that serves it. */
export function documentFor(options: OpenApiOptions): string {
  const document = JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')) as ReturnType<typeof openApiDocument>;
  const { info, servers, securitySchemes } = installationPart(options);
  return JSON.stringify({
    ...document,
    info,
    servers,
    components: { ...(document.components as object), securitySchemes },
  });
}
