import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Encodings for answers that are compressed once and sent often. */
export type Encoding = 'br' | 'gzip';
export type Compressors = Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>>;

/** Slower and smaller than for an answer that is sent once. */
export const COMPRESSORS: Compressors = {
  br: (body) =>
    compressBrotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => compressGzip(body, { level: 6 }),
};

/**
 * The best encoding that an `Accept-Encoding` takes (RFC 9110, 12.5.3): a quality of 0 means no, and `*`
 * stands for all that is not named. Brotli is the smallest, but by `*` alone it comes last: whoever names
 * nothing may well know gzip only.
 */
export function chooseEncoding(header: string | undefined): Encoding | 'identity' {
  const named = new Map(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => [part.split(';')[0]?.trim(), !/;\s*q=0(?:\.0*)?\s*$/.test(part)]),
  );
  const takes = (encoding: Encoding) => named.get(encoding) ?? named.get('*') ?? false;
  if (named.get('br')) return 'br';
  if (takes('gzip')) return 'gzip';
  return takes('br') ? 'br' : 'identity';
}
