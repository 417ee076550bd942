import { listParkedEvents } from '@quantloom/domain/contracts/http/parked-events';
import { PARKED_EVENTS, type ParkedEventDocument } from '@quantloom/domain/kernel/parked-event';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import type { ReadDeps } from '../deps.ts';

/** What projections could not apply, for administrators. */
export function mountParkedEventQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, listParkedEvents, async (call) => {
    const { projection, limit = 100, skip = 0 } = call.query;
    await deps.readModels.ensureCollection(PARKED_EVENTS);
    const documents = await deps.readModels.find<ParkedEventDocument>(PARKED_EVENTS.name, {
      ...(projection !== undefined && { where: { projection } }),
      sort: [['parkedAt', 'desc']],
      limit,
      skip,
    });
    return documents.map((document) => ({
      id: document.id,
      projection: document.projection,
      event_id: document.eventId,
      event: document.eventType,
      stream: document.stream,
      revision: document.revision,
      position: document.position,
      reason: document.reason,
      stack: document.stack,
      is_waiting: document.isWaiting,
      parked_at: document.parkedAt,
      attempts: document.attempts,
    }));
  });
}
