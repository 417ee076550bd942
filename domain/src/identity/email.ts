/** Longest address that can be delivered (RFC 5321, erratum 1690). */
export const MAX_EMAIL_LENGTH = 254;

/**
 * The same rule as a browser's e-mail field (WHATWG HTML, "valid e-mail address"), with a dot in the domain
 * asked for.
 */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** Whether a text can be an e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

/** Form under which two spellings of an address are the same one. */
export function normalizeEmail(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}
