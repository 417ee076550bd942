import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedLink {
  readonly batchId: string;
  /** Seconds since 1970, as text. */
  readonly expires: string;
  /** What the link asks for, packed. */
  readonly query: string;
  readonly signature: string;
}

function signatureOf(secret: Uint8Array, parts: Omit<SignedLink, 'signature'>): Buffer {
  // JSON keeps the parts apart whatever they contain.
  return createHmac('sha256', secret)
    .update(JSON.stringify(['batch-results', parts.batchId, parts.expires, parts.query]))
    .digest();
}

/** The query string of a link that works without a token until it expires. */
export function signLink(secret: Uint8Array, batchId: string, expires: number, query: string): string {
  const parts = { batchId, expires: String(expires), query };
  const signature = signatureOf(secret, parts).toString('base64url');
  return new URLSearchParams({ expires: parts.expires, signature, ...(query && { query }) }).toString();
}

/** Whether we signed exactly this link; compared in constant time. Expiry is the caller's to check. */
export function isSignedLink(secret: Uint8Array, link: SignedLink): boolean {
  const given = Buffer.from(link.signature, 'base64url');
  const expected = signatureOf(secret, link);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whose archive a link opens, and until when (seconds since 1970, as text). */
export interface ArchiveLink {
  readonly user: string;
  readonly expires: string;
  readonly signature: string;
}

/** Its first part keeps it apart from a link to results: neither can be used as the other. */
function archiveSignature(secret: Uint8Array, { user, expires }: Omit<ArchiveLink, 'signature'>): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['archive', user, expires]))
    .digest();
}

/** The query string of a link to a person's archive that works without a token until it expires. */
export function signArchiveLink(secret: Uint8Array, user: string, expires: number): string {
  const parts = { user, expires: String(expires) };
  const signature = archiveSignature(secret, parts).toString('base64url');
  return new URLSearchParams({ ...parts, signature }).toString();
}

/** Whether we signed exactly this link; compared in constant time. Expiry is the caller's to check. */
export function isSignedArchiveLink(secret: Uint8Array, link: ArchiveLink): boolean {
  const given = Buffer.from(link.signature, 'base64url');
  const expected = archiveSignature(secret, link);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
