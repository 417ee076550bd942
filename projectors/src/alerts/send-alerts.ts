import type { AlertChannel } from '@quantloom/domain/alerts/delivery';
import { alertsProjection } from '@quantloom/domain/alerts/delivery';
import {
  type AlertSettings,
  type AlertSettingsDocument,
  alertSettingsProjection,
} from '@quantloom/domain/alerts/settings';
import { BAND_CHECKS, bandsProjection } from '@quantloom/domain/forward-test/band-projection';
import { evaluationFailuresProjection } from '@quantloom/domain/forward-test/failure';
import { awayIn } from '@quantloom/domain/ports/outages';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { pagesOf } from '../processes/open-batches.ts';
import { startPasses } from '../runtime/passes.ts';
import { followedBy } from './followed.ts';
import { aboutOf, lapse, messageOf, send } from './hand-over.ts';
import { alertBody } from './messages.ts';
import { endedNews, type News, newsOf } from './news.ts';
import { type MailDeps, sendMails } from './send-mails.ts';

/** How often news are looked for. */
const LOOK_EVERY_MS = 20_000;
/** Users that are served side by side: one whose receiver is slow holds up an eighth of the others at most. */
const SIDE_BY_SIDE = 8;
/**
 * After that long the rest of a user's webhooks waits for the next look: a receiver that takes seconds over
 * each of hundreds keeps nobody else waiting.
 */
const PATIENCE_MS = 10_000;
export interface AlertDeps extends MailDeps {
  readonly webhooks: Pick<Webhooks, 'post' | 'secretOf'>;
  readonly lookEveryMs?: number;
}

export interface SendingAlerts {
  /** Sends everything that is due now. May be called by several processes at a time. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Tells followers what they asked to be told. What was sent stands in the log, so that nothing is sent twice
 * and nothing is forgotten.
 */
export async function startSendingAlerts(deps: AlertDeps): Promise<SendingAlerts> {
  const { readModels } = deps;
  const read = [alertSettingsProjection, alertsProjection, evaluationFailuresProjection, bandsProjection];
  for (const { collection } of read) await readModels.ensureCollection(collection);
  await readModels.ensureCollection(BAND_CHECKS);
  /** By user and strategy, and by user for those that have ended: the state of which everything was told. */
  const told = new Map<string, string>();
  return startPasses((signal) => passOnce(deps, told, signal), {
    everyMs: deps.lookEveryMs ?? LOOK_EVERY_MS,
    log: deps.log,
    failure: 'alerts were not sent; it is tried again',
  });
}

async function passOnce(deps: AlertDeps, told: Map<string, string>, signal: AbortSignal): Promise<void> {
  const { name } = alertSettingsProjection.collection;
  for await (const page of pagesOf<AlertSettingsDocument>(deps.readModels, name, { isOn: true })) {
    const rest = [...page];
    const work = async () => {
      for (let next = rest.shift(); next && !signal.aborted; next = rest.shift()) {
        try {
          await tellUser(deps, next, told);
        } catch (error) {
          // Nobody can be told anything: the next pass begins again.
          if (signal.aborted || awayIn(error)) return;
          // What goes wrong for one user is no reason to leave the others without word.
          deps.log.error({ err: error, userId: next.id }, 'alerts of a user were not sent');
        }
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  }
}

async function tellUser(
  deps: AlertDeps,
  alerts: AlertSettingsDocument,
  told: Map<string, string>,
): Promise<void> {
  const { readModels } = deps;
  const userId = alerts.id;
  const user = await readModels.get<UserDocument>(usersProjection.collection.name, userId);
  // An account that is about to be deleted is left in peace, and one that is disabled is told nothing.
  if (!user || user.eraseAt || user.isDisabled) return;
  const { followed, ended } = await followedBy(readModels, userId);
  const settingsState = `${alerts._revision} ${alerts._position}`;
  const fresh = followed.filter(
    ({ strategyId, state }) => told.get(`${userId} ${strategyId}`) !== `${settingsState} ${state}`,
  );
  const endedState = `${settingsState} ${ended.map((one) => `${one.strategyId} ${one.endedAt}`).join()}`;
  if (fresh.length === 0 && told.get(`${userId} ended`) === endedState) return;
  const found = await Promise.all(fresh.map((one) => newsOf(readModels, one, alerts)));
  const newsBy = (channel: AlertChannel) => [
    ...found.flatMap(({ by }) => by[channel].news),
    ...endedNews(ended, alerts, channel),
  ];
  const behind = new Set(fresh.filter((_, index) => !found[index]?.isWhole));
  // A digest waits for the news of a strategy that cannot be read yet.
  const settled = followed.map((one) => (behind.has(one) ? { ...one, settledDay: '' } : one));
  const { mail, webhookUrl } = alerts.settings;
  const isDone: boolean[] = [];
  for (const channel of channelsOf(alerts.settings))
    await lapse(
      deps,
      userId,
      channel,
      found.flatMap(({ by }) => by[channel].lapsed),
    );
  if (webhookUrl !== null) isDone.push(await sendHooks(deps, alerts, webhookUrl, newsBy('webhook')));
  if (mail !== 'off')
    isDone.push(await sendMails(deps, alerts, user, { news: newsBy('mail'), followed: settled }));
  if (!isDone.every(Boolean)) return;
  told.set(`${userId} ended`, endedState);
  for (const one of fresh)
    if (!behind.has(one)) told.set(`${userId} ${one.strategyId}`, `${settingsState} ${one.state}`);
}

const channelsOf = ({ mail, webhookUrl }: AlertSettings): AlertChannel[] => [
  ...(mail === 'off' ? [] : (['mail'] as const)),
  ...(webhookUrl === null ? [] : (['webhook'] as const)),
];

/** True where nothing of it is left to be sent, now or later. */
async function sendHooks(
  deps: AlertDeps,
  { id: userId, secretNumber }: AlertSettingsDocument,
  url: string,
  news: readonly News[],
): Promise<boolean> {
  const secret = deps.webhooks.secretOf(userId, secretNumber);
  let isDone = true;
  const until = deps.clock.now().getTime() + PATIENCE_MS;
  for (const one of news) {
    if (deps.clock.now().getTime() >= until) return false;
    const outcome = await send(deps, messageOf(userId, 'webhook', [one]), aboutOf(one), (id) =>
      deps.webhooks.post({ url, secret, id, body: alertBody(id, one.day, one.alerts) }),
    );
    if (outcome !== 'closed') isDone = false;
    // The receiver is not well: the others wait for their next turn, not in its way.
    if (outcome === 'blocked') break;
  }
  return isDone;
}
