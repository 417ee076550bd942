import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import type { Principal } from '@quantloom/http/principal';

/** Who pays for what others look at: its owner by his plan, by the free one where nothing is known of him. */
export async function payerOf(
  readModels: Pick<ReadModels, 'get'>,
  ownerId: string,
): Promise<Pick<Principal, 'userId' | 'planId'>> {
  const owner = await readModels.get<UserDocument>(usersProjection.collection.name, ownerId);
  return { userId: ownerId, planId: owner?.planId ?? 'free' };
}
