import { createEmbeddedIdentity } from '@quantloom/adapters/identity/embedded/embedded-identity';
import { createOidcIdentity } from '@quantloom/adapters/identity/oidc/oidc-identity';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { RawHandler } from './listen.ts';

/** The identity of an installation: an issuer of its own, or the one that the configuration names. */
export interface OpenIdentity {
  readonly identity: Identity;
  /** What the page needs to sign in; the issuer with its slash at the end. */
  readonly settings: { readonly issuer: string; readonly clientId: string; readonly audience: string };
  /** Paths that the issuer serves itself; `null` with an external one, of which nothing is mounted. */
  readonly handler: RawHandler | null;
  /** Makes the machine client of `BOOTSTRAP_API_CLIENT`; `null` with an external issuer. */
  readonly bootstrapClient: ((id: string, secret: string, userId: string) => void) | null;
  /** Origins that the page talks to besides its own. */
  readonly connectOrigins: readonly string[];
  close(): void;
}

/** Opens the issuer named by `OIDC_ISSUER`, else the embedded one. */
export async function openIdentity(
  config: Config,
  parts: { readonly secretKey: string; readonly rateLimits: RateLimits; readonly log: Logger },
): Promise<OpenIdentity> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_AUDIENCE } = config;
  if (OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_AUDIENCE) {
    const { OIDC_MANAGEMENT_CLIENT_ID: clientId, OIDC_MANAGEMENT_CLIENT_SECRET: clientSecret } = config;
    const issuer = `${OIDC_ISSUER.replace(/\/+$/, '')}/`;
    return {
      identity: createOidcIdentity({
        issuer,
        audience: OIDC_AUDIENCE,
        ...(clientId && clientSecret && { management: { clientId, clientSecret } }),
      }),
      settings: { issuer, clientId: OIDC_CLIENT_ID, audience: OIDC_AUDIENCE },
      handler: null,
      bootstrapClient: null,
      connectOrigins: [new URL(issuer).origin],
      close: () => {},
    };
  }
  const embedded = await createEmbeddedIdentity({
    issuerUrl: config.publicUrl,
    dataDir: config.DATA_DIR,
    encryptionKey: parts.secretKey,
    rateLimits: parts.rateLimits,
    onError: (error) => parts.log.error({ err: error }, 'the issuer failed'),
  });
  return {
    identity: embedded.identity,
    settings: embedded.settings,
    handler: embedded,
    bootstrapClient: embedded.bootstrapClient,
    connectOrigins: [],
    close: embedded.close,
  };
}
