import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { html } from '@quantloom/domain/kernel/html';
import type { FastifyInstance } from 'fastify';

/** A picture of the running product, in one theme: `e2e/pictures/take.ts` makes them. */
export interface GuidePicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  readonly etag: string;
}

/**
 * Width and height of a lossy WebP in pixels, so that a page keeps its place while they load (RFC 9649,
 * sections 2.5 to 2.7).
 *
 * @throws Error where the bytes are no such picture
 */
export function sizeOfWebp(bytes: Buffer): { readonly width: number; readonly height: number } {
  const form = bytes.toString('latin1', 12, 16);
  // The frame's header: three bytes, a start code, then 14 bits each.
  if (form === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  throw new Error('No lossy WebP picture');
}

/** All pictures of a folder by the name of their file. */
export function readPictures(folder: string): ReadonlyMap<string, GuidePicture> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.webp'));
  return new Map(
    names.map((name) => {
      const bytes = readFileSync(path.join(folder, name));
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      return [name, { bytes, etag, ...sizeOfWebp(bytes) }] as const;
    }),
  );
}

const ADDRESS = '/docs/pictures';

const baseOf = (name: string) => name.replace(/-light\.webp$/, '');

/** Where a picture is seen alone, in the theme of the reader. */
export const pictureAddress = (name: string): string => `${ADDRESS}/${baseOf(name)}`;

/**
 * A picture in the theme of the reader; the text names the light one, so that it is seen in the repository,
 * too. It leads to itself alone: on a phone it has to be enlarged.
 *
 * @throws Error where one of the two themes is missing, or nobody has said what is to be seen
 */
export function pictureElement(
  pictures: ReadonlyMap<string, GuidePicture>,
  { src, alt }: { readonly src: string; readonly alt: string },
): string {
  const name = path.basename(src);
  const dark = name.replace(/-light\.webp$/, '-dark.webp');
  const picture = pictures.get(name);
  if (!picture || !pictures.has(dark) || dark === name) throw new Error(`The guide has no picture ${src}`);
  if (alt.trim() === '') throw new Error(`Nobody has said what ${src} shows`);
  return html`<a href="${pictureAddress(name)}"><picture><source media="(prefers-color-scheme: dark)" srcset="${ADDRESS}/${dark}"><img
    src="${ADDRESS}/${name}" alt="${alt}" width="${picture.width}" height="${picture.height}"
    loading="lazy" decoding="async"></picture></a>`.text;
}

/** A picture at its full size: the address of one file would show the light one to readers of dark pages. */
function aloneElement(name: string, { width, height }: GuidePicture): string {
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>Picture: ${name}</title><picture><source media="(prefers-color-scheme: dark)" srcset="${ADDRESS}/${name}-dark.webp"><img
src="${ADDRESS}/${name}-light.webp" alt="${name.replaceAll('-', ' ')}" width="${width}" height="${height}"></picture></html>`
    .text;
}

/** Serves the pictures; browsers ask whether one has changed. */
export function mountPictures(app: FastifyInstance, pictures: () => ReadonlyMap<string, GuidePicture>): void {
  app.get(`${ADDRESS}/:name`, { schema: { hide: true } as object }, async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const alone = pictures().get(`${name}-light.webp`);
    if (alone)
      return await reply
        .header('cache-control', 'no-cache')
        .header('x-robots-tag', 'noindex')
        .type('text/html; charset=utf-8')
        .send(aloneElement(name, alone));
    const picture = pictures().get(name);
    if (!picture) return reply.callNotFound();
    reply.header('etag', picture.etag).header('cache-control', 'public, max-age=3600');
    if (request.headers['if-none-match'] === picture.etag) return await reply.code(304).send();
    return await reply.type('image/webp').send(picture.bytes);
  });
}
