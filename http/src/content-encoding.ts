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

/** The best encoding that an `Accept-Encoding` takes; a quality of 0 means no. */
export function chooseEncoding(header: string | undefined): Encoding | 'identity' {
  const accepted = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  );
  if (accepted.has('br')) return 'br';
  return accepted.has('gzip') || accepted.has('*') ? 'gzip' : 'identity';
}
