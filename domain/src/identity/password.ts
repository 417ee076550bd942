import { normalizeEmail } from './email.ts';

export const MIN_PASSWORD_LENGTH = 8;
/** Long enough for any passphrase, short enough to hash. */
export const MAX_PASSWORD_LENGTH = 256;

/** The head of every list of stolen passwords that is long enough to pass the length rule. */
const COMMON = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd 12345678 123456789 1234567890 0123456789 87654321 11111111 00000000
  qwertyui qwertyuiop qwerty123 qwerty12 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx asdfghjk asdfghjkl iloveyou sunshine princess football
  baseball superman trustno1 welcome1 welcome123 letmein1 letmein123 admin123 administrator changeme starwars whatever computer
  michelle jennifer corvette mercedes abcd1234 abc12345 a1b2c3d4 aa123456 dragon123 monkey123 master123 quantloom`.split(
    /\s+/,
  ),
);

/**
 * Why a password can't be used, as a sentence for the user, or `null`. Length and known-bad lists instead of rules about kinds of
 * characters (NIST SP 800-63B, 5.1.1.2).
 */
export function passwordFault(password: string, email: string): string | null {
  if ([...password].length < MIN_PASSWORD_LENGTH)
    return `The password needs at least ${MIN_PASSWORD_LENGTH} characters`;
  if (password.length > MAX_PASSWORD_LENGTH)
    return `The password can have at most ${MAX_PASSWORD_LENGTH} characters`;
  const lower = password.toLowerCase();
  if (COMMON.has(lower) || new Set(lower).size <= 2)
    return 'This password is one of the first that anybody would try';
  const address = normalizeEmail(email);
  if (address !== '' && (lower === address || lower === address.split('@')[0]))
    return 'The password must not be the e-mail address';
  return null;
}
