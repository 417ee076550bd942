import { replayParkedEvent } from '@quantloom/domain/contracts/http/parked-events';
import {
  PARKED_EVENTS,
  type ParkedEventDocument,
  parkedEventsStream,
} from '@quantloom/domain/kernel/parked-event';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

const NOT_FOUND = refuse(404, 'parked_event_not_found', 'This event is not parked (any more).');

/** Replay of events that a projection could not apply. The projection's own runner acts on the request. */
export function mountParkedEvents(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, replayParkedEvent, async (call) => {
    await deps.readModels.ensureCollection(PARKED_EVENTS);
    const parked = await deps.readModels.get<ParkedEventDocument>(PARKED_EVENTS.name, call.params.id);
    if (!parked) return NOT_FOUND;
    const { projection, stream, eventId } = parked;
    const command = { type: 'RequestParkedEventReplay', projection, stream, eventId } as const;
    const result = await runCommand(call, deps, parkedEventsStream, projection, command);
    return isRefusal(result) ? result : { id: call.params.id, requested: true };
  });
}
