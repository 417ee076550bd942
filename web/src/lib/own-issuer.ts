import { config } from './config.ts';

/**
 * True where the product signs people in itself: an external issuer has pages of its own for sessions,
 * passwords and factors.
 */
export function isOwnIssuer(): boolean {
  const { issuer } = config();
  const url = URL.parse(issuer) ?? URL.parse(`https://${issuer}`);
  return url?.host === window.location.host;
}
