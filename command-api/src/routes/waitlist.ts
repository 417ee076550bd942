import { joinWaitlist } from '@quantloom/domain/contracts/http/waitlist';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { networkOf } from '@quantloom/domain/limits/network';
import {
  INVALID_EMAIL,
  waitlistEmail,
  waitlistId,
  waitlistStream,
} from '@quantloom/domain/waitlist/waitlist';
import { refuseBeyond } from '@quantloom/http/rate-limit';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { commandContext } from '../command-call.ts';
import type { CommandApiDeps, WriteDeps } from '../deps.ts';

const DAY_MS = 86_400_000;
/** What is written stays in the log, and nobody's account has a limit for it. People join once. */
const PER_NETWORK = 20;
const OF_ALL = 1_000;

/** The one command that works without signing in. It answers the same whether or not the address was on the list. */
export function mountWaitlist(
  app: FastifyInstance,
  deps: WriteDeps & Pick<CommandApiDeps, 'waitlistPerDay'>,
): void {
  const { rateLimits, waitlistPerDay = OF_ALL } = deps;
  mountRoute(app, joinWaitlist, async (call) => {
    const email = waitlistEmail(call.body.email);
    if (email === null) return INVALID_EMAIL;
    // Also who joins again is counted: otherwise the limit would tell who is on the list. One network does
    // not use up what there is for all.
    const tooMany =
      (await refuseBeyond(rateLimits, `waitlist:${networkOf(call.request.ip)}`, {
        limit: PER_NETWORK,
        windowMs: DAY_MS,
      })) ?? (await refuseBeyond(rateLimits, 'waitlist', { limit: waitlistPerDay, windowMs: DAY_MS }));
    if (tooMany) return tooMany;
    const context = commandContext(call.request, call.visitor, deps);
    const command = { type: 'JoinWaitlist', email } as const;
    // Without revision and position in the answer: they would tell who has joined before.
    const result = await handleCommand(deps.eventStore, waitlistStream, waitlistId(email), command, context);
    return isRefusal(result) ? result : { email };
  });
}
