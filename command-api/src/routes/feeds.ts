import { createHash, randomBytes } from 'node:crypto';
import { removeFeed, renewFeed } from '@quantloom/domain/contracts/http/alerts';
import { feedAddressStream, feedPaths } from '@quantloom/domain/feeds/feed-address';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

const TOKEN_BYTES = 32;

/** Secret addresses of a person's feed and calendar: made, made anew, and turned off. */
export function mountFeedAddresses(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, renewFeed, async (call) => {
    const { userId } = call.principal;
    // Kept nowhere: a repetition of a call whose answer was lost makes another one.
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const tokenHash = createHash('sha256').update(token).digest('hex');
    const command = { type: 'CreateFeedAddress', userId, tokenHash } as const;
    const result = await runCommand(call, deps, feedAddressStream, userId, command);
    if (isRefusal(result)) return result;
    const { atom, calendar } = feedPaths(token);
    return { atom_url: atom, calendar_url: calendar };
  });

  mountRoute(app, removeFeed, async (call) => {
    const { userId } = call.principal;
    const command = { type: 'RemoveFeedAddress', userId } as const;
    const result = await runCommand(call, deps, feedAddressStream, userId, command);
    return isRefusal(result) ? result : { removed: true };
  });
}
