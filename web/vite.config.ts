import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { auth0WithoutUnusedParts } from './build/auth0-without-unused-parts.ts';
import { inOneChunk } from './build/in-one-chunk.ts';
import { precompressed } from './build/precompressed.ts';
import { prerendered } from './build/prerendered.ts';

/** Where `npm run dev -w web` finds the server that answers the API, the issuer and `/config.json`. */
const server = process.env.QUANTLOOM_SERVER ?? 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), auth0WithoutUnusedParts(), precompressed(), prerendered()],
  // Plotly reads this name of Node's global object.
  define: { global: 'globalThis' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Fonts and pictures stay files: `data:` addresses would widen the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    // A directive of long ago in a part of Plotly; nothing depends on it.
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      output: {
        codeSplitting: {
          groups: [
            inOneChunk('shell', /src\/app\/main\.tsx$/),
            // Its own modules, which no other page imports; what they need of others stays apart.
            {
              ...inOneChunk('editor', /features\/editor\/EditorPage\.tsx$/, /src\/features\/editor\//),
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      [
        '/api',
        '/config.json',
        '/authorize',
        '/oauth',
        '/v2',
        '/.well-known',
        '/interaction',
        '/billing',
        '/u/',
        '/feeds/',
      ].map((path) => [path, { target: server, changeOrigin: false }]),
    ),
  },
});
