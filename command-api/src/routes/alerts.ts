import {
  type AlertSettings,
  type AlertSettingsCommand,
  alertSettingsStream,
  NO_ALERTS,
} from '@quantloom/domain/alerts/settings';
import { changeAlerts, renewWebhookSecret, testWebhook } from '@quantloom/domain/contracts/http/alerts';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import { refuseBeyond } from '@quantloom/http/rate-limit';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import { refuseUnconfirmed } from '../confirmed-address.ts';
import type { WriteDeps } from '../deps.ts';

export interface AlertRouteDeps extends WriteDeps {
  readonly identity: Pick<Identity, 'account'>;
  readonly webhooks: Webhooks;
}

const NO_WEBHOOK = refuse(409, 'no_webhook', 'No webhook is set. Save its address first.');
/** Requests that a user can have sent to whatever address he has entered: enough to try, too few to be a weapon. */
const TESTS = { limit: 30, windowMs: 60 * 60_000 };

/** What a user is told of the strategies that he follows, and how. */
export function mountAlerts(app: FastifyInstance, deps: AlertRouteDeps): void {
  const { webhooks } = deps;
  const stateOf = async (userId: string) =>
    (await loadState(deps.eventStore, alertSettingsStream, userId, deps.stateCache)).state;
  /**
   * Users whose test is under way: one at a time each, since it lasts as long as the other side likes, up to
   * a limit.
   */
  const testing = new Set<string>();

  mountRoute(app, changeAlerts, async (call) => {
    const { principal, body } = call;
    const { userId } = principal;
    const { settings: before } = await stateOf(userId);
    const settings: AlertSettings = {
      mail: body.mail ?? before.mail,
      webhookUrl: body.webhook_url === undefined ? before.webhookUrl : body.webhook_url,
      onHoldings: body.on_holdings ?? before.onHoldings,
      onFailure: body.on_failure ?? before.onFailure,
      onBand: body.on_band ?? before.onBand,
      nearPercent: body.near_percent === undefined ? before.nearPercent : body.near_percent,
    };
    const { webhookUrl: url } = settings;
    if (url !== null && url !== before.webhookUrl && URL.canParse(url)) {
      const reason = webhooks.refusal(url);
      if (reason !== null) return refuse(422, 'invalid_webhook_url', `${reason}.`);
    }
    if (settings.mail !== 'off' && before.mail === 'off') {
      // Whoever enters somebody else's address must not have that one flooded.
      const refusal = await refuseUnconfirmed(deps.identity, principal, 'Alerts by mail need');
      if (refusal) return refusal;
    }
    const command: AlertSettingsCommand = { type: 'ChangeAlerts', userId, settings };
    const result = await runCommand(call, deps, alertSettingsStream, userId, command);
    return isRefusal(result) ? result : answerOf(result.state.settings);
  });

  mountRoute(app, renewWebhookSecret, async (call) => {
    const { userId } = call.principal;
    if ((await stateOf(userId)).settings.webhookUrl === null) return NO_WEBHOOK;
    const command: AlertSettingsCommand = { type: 'RenewWebhookSecret', userId };
    const result = await runCommand(call, deps, alertSettingsStream, userId, command);
    if (isRefusal(result)) return result;
    return { webhook_secret: webhooks.secretOf(userId, result.state.secretNumber) };
  });

  mountRoute(app, testWebhook, async ({ principal, request }) => {
    const { userId } = principal;
    const { settings, secretNumber } = await stateOf(userId);
    const { webhookUrl: url } = settings;
    if (url === null) return NO_WEBHOOK;
    const tooOften = await refuseBeyond(deps.rateLimits, `webhookTests:${userId}`, TESTS);
    if (tooOften) return tooOften;
    if (testing.has(userId))
      return refuse(429, 'too_many_at_once', 'A test is under way already.', { data: { retry_after: 5 } });
    testing.add(userId);
    try {
      const id = `test-${request.commandId}`;
      const secret = webhooks.secretOf(userId, secretNumber);
      const day = deps.clock.now().toISOString().slice(0, 10);
      const { isDelivered, status, reason } = await webhooks.post({
        url,
        secret,
        id,
        body: JSON.stringify({ id, type: 'test', day, alerts: [] }),
      });
      return { is_delivered: isDelivered, status, reason };
    } finally {
      testing.delete(userId);
    }
  });
}

const answerOf = ({
  mail,
  webhookUrl,
  onHoldings,
  onFailure,
  onBand,
  nearPercent,
}: AlertSettings = NO_ALERTS) => ({
  mail,
  webhook_url: webhookUrl,
  on_holdings: onHoldings,
  on_failure: onFailure,
  on_band: onBand,
  near_percent: nearPercent,
});
