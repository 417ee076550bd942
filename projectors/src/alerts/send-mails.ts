import type { Alert } from '@quantloom/domain/alerts/alerts';
import {
  type AlertDocument,
  alertId,
  alertsProjection,
  type Delivery,
} from '@quantloom/domain/alerts/delivery';
import type { AlertSettingsDocument } from '@quantloom/domain/alerts/settings';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { Log } from '@quantloom/domain/ports/log';
import type { Mail } from '@quantloom/domain/ports/mail';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { UserDocument } from '@quantloom/domain/user/projection';
import type { Followed } from './followed.ts';
import { aboutOf, type HandOverDeps, messageDocument, messageOf, send } from './hand-over.ts';
import { alertMail } from './messages.ts';
import type { News } from './news.ts';

/** How long a digest waits, from the first news of its day on, for strategies that are not decided yet. */
const DIGEST_WAITS_MS = 3_600_000;

export interface MailDeps extends HandOverDeps {
  readonly mail: Pick<Mail, 'send'>;
  /** Tells whether an address is confirmed. */
  readonly identity: Pick<Identity, 'account'>;
  /** Page with the settings, for the mails. */
  readonly settingsUrl: string;
  readonly log: Log;
}

/** Sends what is due by mail. @returns whether nothing of it is left to be sent, now or later */
export async function sendMails(
  deps: MailDeps,
  { id: userId, settings }: AlertSettingsDocument,
  user: Pick<UserDocument, 'email' | 'subject'>,
  { news, followed }: { readonly news: readonly News[]; readonly followed: readonly Followed[] },
): Promise<boolean> {
  const mail = async (of: readonly News[], about: string) =>
    (await send(deps, messageOf(userId, 'mail', of), about, () =>
      deliver(
        deps,
        userId,
        user,
        of.flatMap(({ alerts }) => alerts),
      ),
    )) === 'closed';
  let isDone = true;
  // The news come strategy by strategy, and are read day by day.
  const byDay = [...Map.groupBy(news, (one) => one.day)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [day, ofDay] of byDay) {
    const { digest, inDigest, alone } = await sorted(deps.readModels, userId, settings.mail, ofDay);
    for (const one of alone) if (!(await mail([one], aboutOf(one)))) isDone = false;
    if (inDigest.length === 0) continue;
    if (!digest && !isComplete(inDigest, day, followed, deps.clock)) isDone = false;
    else if (!(await mail(inDigest, day))) isDone = false;
  }
  return isDone;
}

/**
 * Which news of a day are told together, and which one by one. Whatever the choice is now: what was begun in
 * one way is not told in the other, and what was found after the digest of the day went out gets a mail of its own.
 */
async function sorted(
  readModels: ReadModels,
  userId: string,
  choice: 'off' | 'each' | 'daily',
  ofDay: readonly News[],
) {
  const own = (one: News) => alertId(userId, 'mail', aboutOf(one));
  const digest = await messageDocument(readModels, alertId(userId, 'mail', ofDay[0]?.day ?? ''));
  const begun = new Set(
    (await readModels.getMany<AlertDocument>(alertsProjection.collection.name, ofDay.map(own))).map(
      ({ id }) => id,
    ),
  );
  const isInDigest = (one: News): boolean => {
    if (one.about !== undefined || begun.has(own(one))) return false;
    if (!digest) return choice === 'daily';
    if (!digest.strategyIds.includes(one.strategyId)) return false;
    // A decision may come after the failure that the digest told of.
    const isDecision = aboutOf(one) === `${one.strategyId}-${one.day}`;
    return one.foundAt <= digest.at || (isDecision && !digest.kinds.includes('failed'));
  };
  const inDigest = ofDay.filter(isInDigest);
  return { digest, inDigest, alone: ofDay.filter((one) => !inDigest.includes(one)) };
}

/** Whether all strategies have their decision of the day, or have kept the digest waiting for too long. */
function isComplete(
  news: readonly News[],
  day: string,
  followed: readonly Followed[],
  clock: Clock,
): boolean {
  if (followed.every(({ settledDay }) => settledDay >= day)) return true;
  const first = news.map(({ foundAt }) => Date.parse(foundAt)).reduce((one, other) => Math.min(one, other));
  return clock.now().getTime() > first + DIGEST_WAITS_MS;
}

async function deliver(
  deps: MailDeps,
  userId: string,
  { email: to, subject }: Pick<UserDocument, 'email' | 'subject'>,
  alerts: readonly Alert[],
): Promise<Delivery> {
  try {
    // They were turned on with a confirmed address; since then it may have become that of a stranger.
    const account = await deps.identity.account(subject);
    if (!account?.isEmailVerified)
      return { isDelivered: false, status: null, reason: 'The e-mail address is not confirmed' };
    await deps.mail.send(alertMail(to, alerts, deps.settingsUrl));
    return { isDelivered: true, status: null, reason: null };
  } catch (error) {
    deps.log.warn({ err: error, userId }, 'an alert could not be sent by mail');
    return { isDelivered: false, status: null, reason: 'The mail could not be sent' };
  }
}
