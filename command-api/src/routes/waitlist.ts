import { joinWaitlist } from '@quantloom/domain/contracts/http/waitlist';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import {
  INVALID_EMAIL,
  waitlistEmail,
  waitlistId,
  waitlistStream,
} from '@quantloom/domain/waitlist/waitlist';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { commandContext } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

/** The one command that works without signing in. It answers the same whether or not the address was on the list. */
export function mountWaitlist(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, joinWaitlist, async (call) => {
    const email = waitlistEmail(call.body.email);
    if (email === null) return INVALID_EMAIL;
    const context = commandContext(call.request, call.visitor, deps);
    const command = { type: 'JoinWaitlist', email } as const;
    // Without revision and position in the answer: they would tell who has joined before.
    const result = await handleCommand(deps.eventStore, waitlistStream, waitlistId(email), command, context);
    return isRefusal(result) ? result : { email };
  });
}
