import { getPreferences, preferencesAnswer } from '@quantloom/domain/contracts/http/preferences';
import { type PreferencesDocument, preferencesProjection } from '@quantloom/domain/preferences/preferences';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

/** What the caller has typed once for all devices. */
export function mountPreferenceQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, getPreferences, async (call) => {
    await awaitOwnWrites(call, deps.consistency, preferencesProjection);
    const { name } = preferencesProjection.collection;
    const found = await deps.readModels.get<PreferencesDocument>(name, call.principal.userId);
    return preferencesAnswer(found);
  });
}
