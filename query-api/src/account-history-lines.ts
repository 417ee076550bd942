import {
  type AccountHistoryDocument,
  accountHistoryProjection,
  eventSentence,
} from '@quantloom/domain/account-history/projection';
import type { AccountHistoryLine } from '@quantloom/domain/contracts/http/history';
import type { Actor } from '@quantloom/domain/kernel/event';
import type { Principal } from '@quantloom/http/principal';
import type { ReadDeps } from './deps.ts';

/** Documents that are held at a time. */
const READ_AT_ONCE = 500;

/** Who did something, as the reader is told: what they did themselves, `You` did. */
export function actorOf(actor: Actor, { userId }: Pick<Principal, 'userId'>) {
  if (actor.kind === 'system') return { kind: actor.kind, user_id: null, client_id: null, label: actor.name };
  const isOwn = actor.userId === userId;
  if (actor.kind === 'user')
    // Whom else than an administrator the product lets touch somebody's account.
    return {
      kind: actor.kind,
      user_id: actor.userId,
      client_id: null,
      label: isOwn ? 'You' : 'Administrator',
    };
  return {
    kind: actor.kind,
    user_id: actor.userId,
    client_id: actor.clientId,
    label: `API client ${actor.clientId}`,
  };
}

/** A document as the line that its owner reads. */
export function lineOf(
  document: AccountHistoryDocument,
  principal: Pick<Principal, 'userId'>,
): AccountHistoryLine {
  const dash = document.stream.indexOf('-');
  return {
    id: document.eventId,
    at: document.at,
    event: document.type,
    summary: eventSentence(document.type),
    actor: actorOf(document.actor, principal),
    subject: {
      kind: dash < 0 ? document.stream : document.stream.slice(0, dash),
      id: dash < 0 ? '' : document.stream.slice(dash + 1),
      revision: document.revision,
    },
    correlation_id: document.correlationId,
  };
}

/** The account's documents in log order, read as the client takes them. */
export async function* accountLines(
  { readModels }: Pick<ReadDeps, 'readModels'>,
  userId: string,
  after: string,
  limit: number,
): AsyncGenerator<AccountHistoryDocument> {
  let order = after;
  let left = limit;
  while (left > 0) {
    const documents = await readModels.find<AccountHistoryDocument>(
      accountHistoryProjection.collection.name,
      {
        where: { userId, order: { gt: order } },
        sort: [['order', 'asc']],
        limit: Math.min(READ_AT_ONCE, left),
      },
    );
    yield* documents;
    const last = documents.at(-1);
    if (!last) return;
    order = last.order;
    left -= documents.length;
  }
}
