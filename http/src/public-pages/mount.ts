import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Compressors } from '../content-encoding.ts';
import { KeptText } from '../kept-text.ts';
import { PUBLIC_PAGE_CSS } from './style.ts';

/**
 * Serves one text under one address, with a tag by which browsers ask whether it has changed. A function is
 * called at the first request.
 */
export function serveText(
  app: FastifyInstance,
  address: string,
  type: string,
  text: string | (() => string),
  compressors?: Compressors,
): void {
  let served: { readonly kept: KeptText; readonly etag: string } | null = null;
  const made = () => {
    const whole = typeof text === 'string' ? text : text();
    const etag = `"${createHash('sha256').update(whole).digest('base64url').slice(0, 22)}"`;
    return { kept: new KeptText(whole, compressors), etag };
  };
  app.get(address, { schema: { hide: true } as object }, async (request, reply) => {
    served ??= made();
    reply.header('etag', served.etag).header('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === served.etag) return await reply.code(304).send();
    return await served.kept.send(request, reply.type(type));
  });
}

const FONTS = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'mono.woff2': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
};

/** The style sheet and the fonts of all pages that the server renders by itself. */
export function mountPublicPageFiles(app: FastifyInstance): void {
  serveText(app, '/public-pages/page.css', 'text/css; charset=utf-8', PUBLIC_PAGE_CSS);
  for (const [name, specifier] of Object.entries(FONTS)) {
    const font = readFileSync(fileURLToPath(import.meta.resolve(specifier)));
    app.get(
      `/public-pages/${name}`,
      { schema: { hide: true } as object },
      async (_request, reply) =>
        await reply.header('cache-control', 'public, max-age=604800').type('font/woff2').send(font),
    );
  }
}
