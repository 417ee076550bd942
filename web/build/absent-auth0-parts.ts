/**
 * Stands in for `@auth0/auth0-auth-js` in the build: second factors, passkeys and anonymous sessions, which
 * this product does not use. Asking for one of them fails with its name.
 */
const absent = (part: string): object =>
  new Proxy(
    {},
    {
      get(_, name) {
        throw new Error(`${part}.${String(name)} of Auth0's client is left out of this build`);
      },
    },
  );

/** Made by Auth0's client at once, which keeps the parts and calls them only when it is asked to. */
export class AuthClient {
  readonly mfa = absent('mfa');
  readonly anonymous = absent('anonymous');
  readonly passkey = absent('passkey');
}

// The client asks whether a failure is one of these.
export class MfaListAuthenticatorsError extends Error {}
export class MfaEnrollmentError extends Error {}
export class MfaChallengeError extends Error {}
export class PasskeyRegisterError extends Error {}
export class PasskeyChallengeError extends Error {}
export class PasskeyGetTokenError extends Error {}
export class AnonymousSessionError extends Error {}
export class AnonymousSessionClient {
  constructor() {
    throw new Error("anonymous sessions of Auth0's client are left out of this build");
  }
}

export const isFederatedDomain = (): Promise<never> =>
  Promise.reject(new Error("isFederatedDomain of Auth0's client is left out of this build"));
