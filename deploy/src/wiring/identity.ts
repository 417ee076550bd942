import { hkdfSync } from 'node:crypto';
import { createEmbeddedIdentity } from '@quantloom/adapters/identity/embedded/embedded-identity';
import { createOidcIdentity } from '@quantloom/adapters/identity/oidc/oidc-identity';
import { DEFAULT_AUDIENCE, WEB_CLIENT_ID } from '@quantloom/domain/identity/issuer';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { RawHandler } from './listen.ts';
import { openSmtp } from './messages.ts';
import { recordSignInChange } from './record-sign-in-change.ts';

/** The identity of an installation: an issuer of its own, or the one that the configuration names. */
export interface OpenIdentity {
  readonly identity: Identity;
  /** What the page needs to sign in; the issuer with its slash at the end. */
  readonly settings: { readonly issuer: string; readonly clientId: string; readonly audience: string };
  /** Paths that the issuer serves itself; `null` with an external one, of which nothing is mounted. */
  readonly handler: RawHandler | null;
  /** Makes the machine client of `BOOTSTRAP_API_CLIENT`; `null` with an external issuer. */
  readonly bootstrapClient: ((id: string, secret: string, userId: string) => void) | null;
  /** True for the issuer that is part of the product, in this process or in the gateway's. */
  readonly isOwn: boolean;
  /** Origins that the page talks to besides its own. */
  readonly connectOrigins: readonly string[];
  close(): Promise<void>;
}

/** Opens the issuer named by `OIDC_ISSUER`, else the embedded one. */
export async function openIdentity(
  config: Config,
  parts: {
    readonly secretKey: string;
    readonly rateLimits: RateLimits;
    /** Where the history of accounts is kept. */
    readonly eventStore: EventStore;
    readonly log: Logger;
    /** True where other processes use this issuer too. */
    readonly isShared?: boolean;
  },
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
      isOwn: false,
      connectOrigins: [new URL(issuer).origin],
      close: async () => {},
    };
  }
  const smtp = openSmtp(config);
  const embedded = await createEmbeddedIdentity({
    issuerUrl: config.publicUrl,
    dataDir: config.DATA_DIR,
    encryptionKey: parts.secretKey,
    rateLimits: parts.rateLimits,
    isBehindProxy: config.BEHIND_PROXY,
    ...(smtp && { mail: smtp }),
    ...(parts.isShared && { managementClient: managementClientOf(parts.secretKey) }),
    onChange: (change) => recordSignInChange(parts.eventStore, change),
    onError: (error) => parts.log.error({ err: error }, 'the issuer failed'),
  });
  return {
    identity: embedded.identity,
    settings: embedded.settings,
    handler: embedded,
    bootstrapClient: embedded.bootstrapClient,
    isOwn: true,
    connectOrigins: [],
    close: embedded.close,
  };
}

/**
 * How the API processes of a cluster prove themselves to the issuer in the gateway: both sides derive it from
 * the installation's secret.
 */
function managementClientOf(secretKey: string): { readonly clientId: string; readonly clientSecret: string } {
  const secret = hkdfSync('sha256', Buffer.from(secretKey, 'hex'), '', 'quantloom management client', 32);
  return { clientId: 'quantloom-services', clientSecret: Buffer.from(secret).toString('hex') };
}

/**
 * The identity as an API process of a cluster sees it: the issuer named by `OIDC_ISSUER`, else the one in the
 * gateway.
 */
export function openRemoteIdentity(config: Config, parts: { readonly secretKey: string }): OpenIdentity {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_AUDIENCE } = config;
  const isOwn = !OIDC_ISSUER;
  const issuer = `${(OIDC_ISSUER ?? config.publicUrl).replace(/\/+$/, '')}/`;
  const audience = OIDC_AUDIENCE ?? DEFAULT_AUDIENCE;
  const own = managementClientOf(parts.secretKey);
  const clientId = isOwn ? own.clientId : config.OIDC_MANAGEMENT_CLIENT_ID;
  const clientSecret = isOwn ? own.clientSecret : config.OIDC_MANAGEMENT_CLIENT_SECRET;
  return {
    identity: createOidcIdentity({
      issuer,
      audience,
      refusesEndedSessions: isOwn,
      ...(isOwn && { webClientId: WEB_CLIENT_ID }),
      ...(isOwn && config.ISSUER_BACKCHANNEL_URL && { backchannelUrl: config.ISSUER_BACKCHANNEL_URL }),
      ...(clientId && clientSecret && { management: { clientId, clientSecret } }),
    }),
    settings: { issuer, clientId: OIDC_CLIENT_ID ?? WEB_CLIENT_ID, audience },
    handler: null,
    bootstrapClient: null,
    isOwn,
    connectOrigins: isOwn ? [] : [new URL(issuer).origin],
    close: async () => {},
  };
}
