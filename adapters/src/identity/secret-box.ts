import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts small secrets for storage. */
export interface SecretBox {
  /**
   * `context` is authenticated, not stored: opening with another one fails, so a value can't be moved to
   * another row.
   */
  seal(plain: string, context: string): string;
  /** Throws when the value was changed, or sealed with another key or context. */
  open(sealed: string, context: string): string;
}

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with a random 96-bit nonce; the key is derived (HKDF-SHA-256) from the installation's secret
 * for one purpose, so that what is sealed for one purpose can't be opened for another.
 *
 * @param secretKey 32 bytes as 64 hexadecimal digits
 */
export function createSecretBox(secretKey: string, purpose: string): SecretBox {
  if (!/^[0-9a-fA-F]{64}$/.test(secretKey))
    throw new Error('The secret key must be 32 bytes, as 64 hexadecimal digits');
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(secretKey, 'hex'), '', `quantloom ${purpose}`, 32));
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, text] = sealed.split('.');
      const bytes = Buffer.from(text ?? '', 'base64url');
      if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES)
        throw new Error('The sealed value has an unknown form');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
  };
}
