/** What a verified access token says. Never trusted for features: those are read from the user. */
export interface TokenClaims {
  /** Identity subject: a person's, or `<clientId>@clients` for a machine client. */
  readonly subject: string;
  /** The product's own user id, where the token carries it. */
  readonly userId: string | null;
  /** Of a machine client; `null` for a person. */
  readonly clientId: string | null;
  readonly scopes: readonly string[];
  /** The session that the token belongs to; `null` for machine clients and issuers that name none. */
  readonly sessionId: string | null;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

export interface MachineCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What the identity provider knows of a person. */
export interface IdentityAccount {
  readonly subject: string;
  readonly email: string;
  readonly userId: string | null;
  /** Whether somebody who reads mail at the address has said that it is his. */
  readonly isEmailVerified: boolean;
  /** Whether something besides the password is asked for; `null`: the provider does not tell. */
  readonly hasSecondFactor: boolean | null;
}

/**
 * What administrators do about somebody's sign-in: end all sessions, mail a link for a new password, forget
 * failed attempts, or take away passkeys, codes and recovery codes, which ends all sessions and is told to
 * the owner by mail.
 */
export const ASSISTANCE = ['sign_out', 'send_reset', 'unlock', 'remove_factors'] as const;
export type Assistance = (typeof ASSISTANCE)[number];

/** Tokens and the identity provider's own records. */
export interface Identity {
  /** Rejects with code `invalid_token` for anything that is not a valid access token of our audience. */
  verify(accessToken: string): Promise<TokenClaims>;
  /** `null` where there is no such person. */
  account(subject: string): Promise<IdentityAccount | null>;
  /**
   * Writes the product's user id onto the identity, so that later tokens carry it. Repeating it changes
   * nothing; rejects with code `unknown_subject`.
   */
  linkUser(subject: string, userId: string): Promise<void>;
  /** Rejects with code `email_taken`, `invalid_email` or `unknown_subject`. */
  changeEmail(subject: string, email: string): Promise<void>;
  /**
   * Removes a person with everything that belongs to him, sessions and messages included; an account that
   * does not exist is no error.
   *
   * @param addresses all that he ever had
   */
  deleteAccount(subject: string, addresses: readonly string[]): Promise<void>;
  /**
   * When the person of a session last proved who he is, by password and code: ms since the epoch. 0: there is
   * no such session. `null`: the provider does not tell.
   */
  lastProof(sessionId: string): Promise<number | null>;
  /** False where sessions and passwords are those of a provider with pages of its own: `assist` is refused there. */
  readonly canAssist: boolean;
  /**
   * Does what an administrator asks for somebody; repeating it does no harm. Rejects with code
   * `unknown_subject`, or `invalid_email` where the address that a link would go to belongs to another account.
   */
  assist(subject: string, act: Assistance): Promise<void>;
  createMachineClient(options: { userId: string; scopes: readonly string[] }): Promise<MachineCredentials>;
  /** Id and secret as stored at the provider; `null` where there is no such client. */
  machineClient(clientId: string): Promise<MachineCredentials | null>;
  /** No tokens are issued afterwards; a client that does not exist is no error. */
  deleteMachineClient(clientId: string): Promise<void>;
}

export type IdentityErrorCode =
  | 'invalid_token'
  | 'email_taken'
  | 'invalid_email'
  | 'unknown_subject'
  | 'unavailable';

/** A refusal of the identity provider. */
export class IdentityError extends Error {
  readonly code: IdentityErrorCode;
  constructor(code: IdentityErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IdentityError';
    this.code = code;
  }
}

/** By code, so that an error that crossed a package border is recognised as well. */
export function isIdentityError(error: unknown, code?: IdentityErrorCode): error is IdentityError {
  const named = error as { name?: unknown; code?: unknown } | null;
  return named?.name === 'IdentityError' && (code === undefined || named.code === code);
}
