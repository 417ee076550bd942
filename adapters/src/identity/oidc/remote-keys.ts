import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';

/** A token with an unknown key makes the keys be fetched again, but not more often than this, in ms. */
export const COOLDOWN_MS = 30_000;
/** Keys are fetched again after this time, in ms, so that a key that was withdrawn is not trusted for ever. */
export const MAX_AGE_MS = 10 * 60_000;

export interface RemoteKeysOptions {
  readonly jwksUrl: string;
  readonly cooldownMs?: number;
  readonly maxAgeMs?: number;
}

/**
 * The keys of an external issuer: cached, fetched again when they are old or a token names one that is not
 * among them (rotation).
 */
export function createRemoteKeys(options: RemoteKeysOptions): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(options.jwksUrl), {
    cooldownDuration: options.cooldownMs ?? COOLDOWN_MS,
    cacheMaxAge: options.maxAgeMs ?? MAX_AGE_MS,
    timeoutDuration: 10_000,
  });
}
