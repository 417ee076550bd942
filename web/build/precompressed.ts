import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);

/**
 * Writes `name.br` beside every script and style sheet, by Brotli's best level, which is far too slow for a
 * server that compresses what it is asked for: a twelfth less than level 6. The server sends these files as they are.
 */
export function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    // After every other plugin has changed what is written.
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        await Promise.all(
          Object.values(bundle)
            .filter(({ fileName }) => /^assets\/.*\.(js|css|svg)$/.test(fileName))
            .map(async (file) => {
              const content = file.type === 'chunk' ? file.code : file.source;
              const source = await compress(content, {
                params: {
                  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
                  [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(content),
                },
              });
              this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source });
            }),
        );
      },
    },
  };
}
