import { getCurrentUser } from '@quantloom/domain/contracts/http/users';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

/** The user himself. */
export function mountUserQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, getCurrentUser, async (call) => {
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const { principal } = call;
    const document = await deps.readModels.get<UserDocument>(
      usersProjection.collection.name,
      principal.userId,
    );
    // Too young for the read model: what the authentication has read from the log.
    const { email, features, planId } = document ?? principal;
    return {
      id: principal.userId,
      email,
      features: [...features],
      plan_id: planId,
      erase_at: document?.eraseAt ?? null,
    };
  });
}
