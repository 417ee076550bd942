import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
/** The folder of a package that has no `exports`: its `main` is two or three levels below. */
const sourcesOf = (name: string) => path.join(path.dirname(require.resolve(`${name}/package.json`)), 'src');

const ENTRY = '\0auth0-react';
const WORKER = '\0auth0-no-worker';

/**
 * Builds the official client from the sources that its packages ship. What they ship built is one file with
 * second factors, passkeys, anonymous sessions and a whole OpenID client in it, which this product never
 * calls: 54 KiB of compressed script on every page, of which these sources without those parts leave 21.
 * Development takes the packages as they are.
 */
export function auth0WithoutUnusedParts(): Plugin {
  const react = sourcesOf('@auth0/auth0-react');
  const client = sourcesOf('@auth0/auth0-spa-js');
  const absent = path.join(import.meta.dirname, 'absent-auth0-parts.ts');
  return {
    name: 'auth0-without-unused-parts',
    apply: 'build',
    enforce: 'pre',
    // What the package's own build puts in: the version that the client tells the issuer.
    config: () => {
      const { version } = require('@auth0/auth0-react/package.json') as { version: string };
      return { define: { __VERSION__: JSON.stringify(version) } };
    },
    resolveId(id, importer) {
      if (id === '@auth0/auth0-react') return ENTRY;
      if (id === '@auth0/auth0-auth-js') return absent;
      if (id === '@auth0/auth0-spa-js' && importer?.startsWith(react)) return path.join(client, 'index.ts');
      // The worker is a file of our own origin (`auth0.ts`), never one made of a string.
      if (id.endsWith('/token.worker.ts') && importer?.startsWith(client)) return WORKER;
      return null;
    },
    load(id) {
      if (id === WORKER)
        return 'export default class { constructor() { throw new Error("workerUrl is not set") } }';
      if (id !== ENTRY) return null;
      const from = (file: string) => JSON.stringify(path.join(react, file));
      return `export { default as Auth0Provider } from ${from('auth0-provider.tsx')};
export { default as useAuth0 } from ${from('use-auth0.tsx')};`;
    },
  };
}
