/** What a failed sign-in means to the person in front of it, by the code of the official client or of the issuer. */
const SENTENCES: Readonly<Record<string, string>> = {
  state_mismatch:
    'Invalid state. The sign-in was started in another window or too long ago: please sign in again.',
  missing_transaction:
    'Invalid state. The sign-in was started in another window or too long ago: please sign in again.',
  login_required: 'You have been signed out. Please sign in again.',
  consent_required: 'The sign-in service needs your consent. Please sign in again.',
  interaction_required: 'The sign-in service has a question for you. Please sign in again.',
  missing_refresh_token: 'Your session could not be renewed. Please sign in again.',
  invalid_grant: 'Your session has ended. Please sign in again.',
  timeout: 'The sign-in service did not answer in time. Please try again.',
  popup_open: 'Unable to open a popup. Allow popups for this site, or sign in on this page.',
  cancelled: 'The sign-in window was closed before you were signed in.',
  mfa_required: 'A second factor is required. Please sign in again and have it at hand.',
  access_denied: 'The sign-in was refused.',
  temporarily_unavailable: 'The sign-in service is not available at the moment. Please try again.',
};

/** The code that errors of the official client and of issuers carry; null for any other error. */
function codeOf(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null ? (error as { error?: unknown }).error : null;
  return typeof code === 'string' ? code : null;
}

/** A sentence for any failure of sign-in. Unknown codes keep the issuer's own description. */
export function signInSentence(error: unknown): string {
  const known = SENTENCES[codeOf(error) ?? ''];
  if (known !== undefined) return known;
  if (error instanceof Error) {
    if (/timeout/i.test(error.message)) return SENTENCES.timeout ?? error.message;
    if (error instanceof TypeError)
      return 'The sign-in service cannot be reached. Check the connection and try again.';
    if (error.message !== '') return error.message;
  }
  return 'The sign-in did not work. Please try again.';
}
