import { PRODUCT_NAME } from '../kernel/product.ts';
import { normalizeEmail } from './email.ts';

export const MIN_PASSWORD_LENGTH = 8;
/** Long enough for any passphrase, short enough to hash. */
export const MAX_PASSWORD_LENGTH = 256;

/**
 * Why a password can't be used, as a sentence for the user, or `null`. Length and known-bad lists instead of
 * rules about kinds of characters (NIST SP 800-63B, 5.1.1.2).
 *
 * @param isCommon whether a password, in lower case, is on a list of those that are tried first
 */
export async function passwordFault(
  password: string,
  email: string,
  isCommon: (lowerCase: string) => Promise<boolean>,
): Promise<string | null> {
  if ([...password].length < MIN_PASSWORD_LENGTH)
    return `The password needs at least ${MIN_PASSWORD_LENGTH} characters`;
  if (password.length > MAX_PASSWORD_LENGTH)
    return `The password can have at most ${MAX_PASSWORD_LENGTH} characters`;
  const lower = password.toLowerCase();
  if (lower === PRODUCT_NAME.toLowerCase() || new Set(lower).size <= 2 || (await isCommon(lower)))
    return 'This password is one of the first that anybody would try';
  const address = normalizeEmail(email);
  if (address !== '' && (lower === address || lower === address.split('@')[0]))
    return 'The password must not be the e-mail address';
  return null;
}
