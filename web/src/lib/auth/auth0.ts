import type { Auth0ProviderWithConfigOptions } from '@auth0/auth0-react';
import workerUrl from '@auth0/auth0-spa-js/dist/auth0-spa-js.worker.production.js?url';
import type { RuntimeConfig } from '../config.ts';

/**
 * Options of the official client. Tokens live in memory (refresh tokens inside its worker), so a reload asks
 * the issuer silently. The worker is a file of our own origin: a `blob:` worker would need a wider content
 * security policy. The client itself is made by `Auth0Provider`, whose package carries its own copy:
 * importing it from `auth0-spa-js` as well would load it twice.
 */
export function auth0Options(config: RuntimeConfig): Auth0ProviderWithConfigOptions {
  return {
    domain: config.issuer.replace(/\/+$/, ''),
    clientId: config.clientId,
    cacheLocation: 'memory',
    useRefreshTokens: true,
    useRefreshTokensFallback: true,
    workerUrl,
    authorizationParams: {
      redirect_uri: `${window.location.origin}/auth/callback`,
      scope: 'openid profile email',
      ...(config.audience !== '' && { audience: config.audience }),
    },
  };
}
