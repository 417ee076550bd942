import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedLink {
  readonly batchId: string;
  /** Seconds since 1970, as text. */
  readonly expires: string;
  /** What the link asks for, packed. */
  readonly query: string;
  readonly signature: string;
}

/** @param parts the first says what the link is for, so that none can be used as a link to something else */
function signatureOf(secret: Uint8Array, parts: readonly string[]): Buffer {
  // JSON keeps the parts apart whatever they contain.
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}

/** Compares in constant time. */
function isSignatureOf(signature: string, secret: Uint8Array, parts: readonly string[]): boolean {
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(secret, parts);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const resultsParts = ({ batchId, expires, query }: Omit<SignedLink, 'signature'>) =>
  ['batch-results', batchId, expires, query] as const;

/** The query string of a link that works without a token until it expires. */
export function signLink(secret: Uint8Array, batchId: string, expires: number, query: string): string {
  const parts = { batchId, expires: String(expires), query };
  const signature = signatureOf(secret, resultsParts(parts)).toString('base64url');
  return new URLSearchParams({ expires: parts.expires, signature, ...(query && { query }) }).toString();
}

/** Whether we signed exactly this link. Expiry is the caller's to check. */
export function isSignedLink(secret: Uint8Array, link: SignedLink): boolean {
  return isSignatureOf(link.signature, secret, resultsParts(link));
}

/** Whose archive a link opens, and until when (seconds since 1970, as text). */
export interface ArchiveLink {
  readonly user: string;
  readonly expires: string;
  readonly signature: string;
}

const archiveParts = ({ user, expires }: Omit<ArchiveLink, 'signature'>) =>
  ['archive', user, expires] as const;

/** The query string of a link to a person's archive that works without a token until it expires. */
export function signArchiveLink(secret: Uint8Array, user: string, expires: number): string {
  const parts = { user, expires: String(expires) };
  const signature = signatureOf(secret, archiveParts(parts)).toString('base64url');
  return new URLSearchParams({ ...parts, signature }).toString();
}

/** Whether we signed exactly this link. Expiry is the caller's to check. */
export function isSignedArchiveLink(secret: Uint8Array, link: ArchiveLink): boolean {
  return isSignatureOf(link.signature, secret, archiveParts(link));
}
