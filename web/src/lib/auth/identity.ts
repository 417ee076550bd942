import type { Feature } from '@quantloom/domain/identity/plans';

/** The signed-in person as the product knows him (`GET /api/v1/users/me`). */
export interface CurrentUser {
  readonly id: string;
  readonly email: string;
  readonly features: readonly string[];
}

/** The identity behind a session, out of the identity token. */
export interface IdentityUser {
  readonly email: string | null;
  readonly subject: string | null;
  /** The product's own user id, null until the product has created the user. */
  readonly userId: string | null;
}

/** Reads the claims that the product uses. The custom claim's name is a namespaced address that ends in `user_id`. */
export function identityOf(claims: Readonly<Record<string, unknown>> | undefined): IdentityUser {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const claim = Object.entries(claims ?? {}).find(([name]) => /(^|[/:.])(quantloom_)?user_?id$/i.test(name));
  return { email: text(claims?.email), subject: text(claims?.sub), userId: text(claim?.[1]) };
}

/** False when the user or the list of features is missing. */
export function hasFeature(
  user: { readonly features?: readonly string[] } | null,
  feature: Feature,
): boolean {
  return user?.features?.includes(feature) ?? false;
}

/** Shape check of an answer of `/users/me`. */
export function parseUser(value: unknown): CurrentUser {
  const raw = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof raw.id !== 'string') throw new Error('The answer for the current user carries no id');
  return {
    id: raw.id,
    email: typeof raw.email === 'string' ? raw.email : '',
    features: Array.isArray(raw.features) ? raw.features.filter((name) => typeof name === 'string') : [],
  };
}
