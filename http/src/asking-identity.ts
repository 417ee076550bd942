import { isIdentityError } from '@quantloom/domain/ports/identity';
import { UnavailableError } from './principal.ts';

/**
 * What the identity provider answers; rejects with `UnavailableError` while it is away, so that the caller is
 * told to try again.
 */
export async function askingIdentity<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isIdentityError(error, 'unavailable')) throw new UnavailableError(error.message, { cause: error });
    throw error;
  }
}
