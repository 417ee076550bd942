import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

/**
 * Writes `prerendered.json` beside `index.html`: the public pages as HTML, so that they can be read without a
 * script and before the first one has run, and the addresses that the application knows, so that the server
 * can answer 404 for others.
 */
export function prerendered(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'prerendered',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outDir = path.resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const folder = `${outDir}.prerender`;
        try {
          await build({
            configFile: false,
            root,
            plugins: [react()],
            logLevel: 'warn',
            define: { global: 'globalThis' },
            build: {
              ssr: path.join(root, 'src/prerender.tsx'),
              outDir: folder,
              emptyOutDir: true,
              copyPublicDir: false,
              chunkSizeWarningLimit: 5000,
            },
          });
          const module: { prerender(): Promise<unknown> } = await import(
            pathToFileURL(path.join(folder, 'prerender.js')).href
          );
          await writeFile(path.join(outDir, 'prerendered.json'), JSON.stringify(await module.prerender()));
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    },
  };
}
