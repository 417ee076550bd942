/** What a verified access token says. Never trusted for features: those are read from the user. */
export interface TokenClaims {
  /** Identity subject: a person's, or `<clientId>@clients` for a machine client. */
  readonly subject: string;
  /** The product's own user id, where the token carries it. */
  readonly userId: string | null;
  readonly clientId: string | null;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

export interface MachineCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Tokens and the identity provider's own records. */
export interface Identity {
  /** Rejects with code `invalid_token` for anything that is not a valid access token of our audience. */
  verify(accessToken: string): Promise<TokenClaims>;
  /** Writes the product's user id onto the identity, so that later tokens carry it. */
  linkUser(subject: string, userId: string): Promise<void>;
  /** Rejects with code `email_taken`. */
  changeEmail(subject: string, email: string): Promise<void>;
  createMachineClient(options: { userId: string; scopes: readonly string[] }): Promise<MachineCredentials>;
  deleteMachineClient(clientId: string): Promise<void>;
}
