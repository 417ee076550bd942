import {
  type AlertChannel,
  type AlertCommand,
  type AlertDocument,
  type AlertKind,
  type AlertMessage,
  alertId,
  alertStream,
  alertsProjection,
  type Delivery,
  dueAt,
  isReceiverUnwell,
} from '@quantloom/domain/alerts/delivery';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { News } from './news.ts';

export interface HandOverDeps {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/**
 * Messages of their own: the decision of the same day may follow a failure, and that a band was left may
 * follow the decision.
 */
const ALONE: readonly AlertKind[] = ['failed', 'band'];

/** What the message is about that tells one piece of news alone. */
export function aboutOf({ strategyId, day, alerts, about }: News): string {
  if (about !== undefined) return about;
  const [kind] = alerts.map((alert) => alert.kind);
  return `${strategyId}-${day}${kind !== undefined && ALONE.includes(kind) ? `-${kind}` : ''}`;
}

export function messageOf(userId: string, channel: AlertChannel, news: readonly News[]): AlertMessage {
  return {
    userId,
    channel,
    day:
      news
        .map(({ day }) => day)
        .sort()
        .at(-1) ?? '',
    strategyIds: news.map(({ strategyId }) => strategyId),
    kinds: [...new Set(news.flatMap(({ alerts }) => alerts.map(({ kind }) => kind)))],
  };
}

/**
 * `closed`: delivered or given up, now or earlier. `open`: to be tried again; the receiver took offence at
 * this one message. `blocked`: to be tried again, and so is whatever comes after it, since the receiver is
 * not well; or under way elsewhere.
 */
export type Outcome = 'closed' | 'open' | 'blocked';

export const messageDocument = (readModels: Pick<ReadModels, 'get'>, id: string) =>
  readModels.get<AlertDocument>(alertsProjection.collection.name, id);

const act = async ({ eventStore, ids }: HandOverDeps, id: string, command: AlertCommand, now: string) => {
  const commandId = ids();
  return await handleCommand(eventStore, alertStream, id, command, {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', name: 'alerts' },
    now,
  });
};

/** Hands a message over where it is due. */
export async function send(
  deps: HandOverDeps,
  message: AlertMessage,
  about: string,
  deliver: (id: string) => Promise<Delivery>,
): Promise<Outcome> {
  const { clock, readModels } = deps;
  const { userId } = message;
  const id = alertId(userId, message.channel, about);
  const known = await messageDocument(readModels, id);
  const due = known ? dueAt(known) : 0;
  if (due === null) return 'closed';
  if (known && clock.now().getTime() < due)
    return known.status === 'waiting' && !isReceiverUnwell(known.lastStatus) ? 'open' : 'blocked';
  const begun = clock.now().toISOString();
  const beginning = await act(deps, id, { type: 'BeginSending', message, at: begun }, begun);
  // Somebody else sends it, or has.
  if (isRefusal(beginning) || beginning.events.length === 0) return 'blocked';
  const delivery = await deliver(id);
  const at = clock.now().toISOString();
  const ended = await act(deps, id, { type: 'EndSending', userId, at, delivery }, at);
  if (isRefusal(ended)) return 'blocked';
  if (dueAt(ended.state) === null) return 'closed';
  return isReceiverUnwell(delivery.status) ? 'blocked' : 'open';
}

/** Notes that news have become too old before they could be sent, in a message of their own or with others. */
export async function lapse(
  deps: HandOverDeps,
  userId: string,
  channel: AlertChannel,
  news: readonly News[],
): Promise<void> {
  const { readModels, clock } = deps;
  for (const one of news) {
    const digest = await messageDocument(readModels, alertId(userId, channel, one.day));
    const id = digest?.strategyIds.includes(one.strategyId)
      ? digest.id
      : alertId(userId, channel, aboutOf(one));
    const known = id === digest?.id ? digest : await messageDocument(readModels, id);
    if (known && dueAt(known) === null) continue;
    const at = clock.now().toISOString();
    const { strategyIds, kinds, day } = known ?? messageOf(userId, channel, [one]);
    const message = { userId, channel, day, strategyIds: [...strategyIds], kinds: [...kinds] };
    await act(deps, id, { type: 'LapseMessage', message, at }, at);
  }
}
