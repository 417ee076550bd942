import { networkOf } from '@quantloom/domain/limits/network';
import { leaving } from '@quantloom/http/caller-address';
import { type TurnLimits, Turns } from '@quantloom/http/turns';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Files by link at the same time: whoever has a link is nobody whose costs could be counted. Those of one
 * owner's batches, and of these the ones that go to one network: a stranger with a public batch's link must
 * not take all that its owner has.
 */
const OF_OWNER: TurnLimits = { inFlight: 8, waiting: 64 };
const OF_NETWORK: TurnLimits = { inFlight: 2, waiting: 16 };

/** Turns of downloads by link. */
export class DownloadTurns {
  readonly #turns = new Turns();

  /** Waits for a turn, which ends with the answer; false where too many wait. */
  async take(ownerId: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const left = leaving(request, reply);
    // First the network's own: whoever waits there has no turn of the owner's meanwhile.
    return (
      (await this.#one(`${ownerId} ${networkOf(request.ip)}`, OF_NETWORK, reply, left)) &&
      (await this.#one(ownerId, OF_OWNER, reply, left))
    );
  }

  async #one(key: string, limits: TurnLimits, reply: FastifyReply, signal: AbortSignal): Promise<boolean> {
    const end = await this.#turns.take(key, limits, signal);
    if (end === null) return false;
    if (signal.aborted) end();
    else reply.raw.once('close', end);
    return true;
  }
}
