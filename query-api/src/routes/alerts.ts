import { type AlertDocument, alertsProjection } from '@quantloom/domain/alerts/delivery';
import {
  type AlertSettingsDocument,
  alertSettingsProjection,
  NO_ALERTS,
} from '@quantloom/domain/alerts/settings';
import { getAlerts, getFeed, listSentAlerts, type SentAlert } from '@quantloom/domain/contracts/http/alerts';
import { type FeedAddressDocument, feedAddressesProjection } from '@quantloom/domain/feeds/feed-address';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

const SHOWN = 100;
const STATES: Readonly<Record<AlertDocument['status'], SentAlert['state']>> = {
  new: 'sending',
  begun: 'sending',
  waiting: 'waiting',
  delivered: 'delivered',
  given_up: 'given_up',
  lapsed: 'lapsed',
};

/** What the caller is told, and what was sent to him. */
export function mountAlertQueries(
  app: FastifyInstance,
  deps: ReadDeps & { readonly webhooks: Pick<Webhooks, 'secretOf'> },
): void {
  const { readModels, webhooks } = deps;

  mountRoute(app, getAlerts, async (call) => {
    await awaitOwnWrites(call, deps.consistency, alertSettingsProjection);
    const { userId } = call.principal;
    const found = await readModels.get<AlertSettingsDocument>(
      alertSettingsProjection.collection.name,
      userId,
    );
    const { mail, webhookUrl, onHoldings, onFailure, onBand, nearPercent } = found?.settings ?? NO_ALERTS;
    return {
      mail,
      webhook_url: webhookUrl,
      on_holdings: onHoldings,
      on_failure: onFailure,
      on_band: onBand,
      near_percent: nearPercent,
      webhook_secret: webhookUrl === null ? null : webhooks.secretOf(userId, found?.secretNumber ?? 0),
    };
  });

  mountRoute(app, getFeed, async (call) => {
    await awaitOwnWrites(call, deps.consistency, feedAddressesProjection);
    const { name } = feedAddressesProjection.collection;
    const address = await readModels.get<FeedAddressDocument>(name, call.principal.userId);
    return { created_at: address?.createdAt ?? null };
  });

  mountRoute(app, listSentAlerts, async (call) => {
    await awaitOwnWrites(call, deps.consistency, alertsProjection);
    const sent = await readModels.find<AlertDocument>(alertsProjection.collection.name, {
      where: { userId: call.principal.userId },
      sort: [['at', 'desc']],
      limit: SHOWN,
    });
    return sent.map(({ id, channel, day, kinds, status, attempts, at, lastStatus, lastReason }) => ({
      id,
      channel,
      day,
      kinds: [...kinds],
      state: STATES[status],
      attempts,
      at,
      status: lastStatus,
      reason: lastReason,
    }));
  });
}
