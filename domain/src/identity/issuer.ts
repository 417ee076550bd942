/** Names that page, APIs and issuer must agree on. */

/** Client id of the web page at the embedded issuer. */
export const WEB_CLIENT_ID = 'quantloom-web';

/** `audience` of access tokens where the installation sets no other. */
export const DEFAULT_AUDIENCE = 'https://api.quantloom.local';

/** Where the page receives the answer of a sign-in. */
export const CALLBACK_PATH = '/auth/callback';

/** Scope that machine clients need for every call. */
export const API_SCOPE = 'api:backtester';

/** Custom claim of both tokens: the product's own user id. */
export const USER_ID_CLAIM = 'https://quantloom.app/user_id';

/** Custom claim of access tokens: the e-mail address of the person. */
export const EMAIL_CLAIM = 'https://quantloom.app/email';

/** Custom claim of access tokens: the session they belong to; they end with it. */
export const SESSION_CLAIM = 'https://quantloom.app/session';

/** Subject of the tokens of a machine client. */
export function machineSubject(clientId: string): string {
  return `${clientId}@clients`;
}

/** The client id in the subject of a machine client's token; `null` for a person's. */
export function clientIdOfSubject(subject: string): string | null {
  return subject.endsWith('@clients') ? subject.slice(0, -'@clients'.length) : null;
}
