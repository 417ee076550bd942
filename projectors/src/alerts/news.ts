import { type Alert, alertsOf, bandAlert, endedAlert, failureAlert } from '@quantloom/domain/alerts/alerts';
import type { AlertChannel } from '@quantloom/domain/alerts/delivery';
import type { AlertSettingsDocument, AlertTopic } from '@quantloom/domain/alerts/settings';
import { heldBefore } from '@quantloom/domain/forward-test/orders';
import {
  MOST_COMPARED,
  newestDecisions,
  standingDecisions,
} from '@quantloom/domain/forward-test/recent-decisions';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { Ended, Followed } from './followed.ts';

/** Decisions that may still be told: what nobody could send for a week is no news. */
const TOLD_DAYS = 5;

/** What there is to tell of one strategy and day. */
export interface News {
  readonly strategyId: string;
  readonly day: string;
  readonly alerts: readonly Alert[];
  /** ISO 8601: when it was found. That may be long after the decision of the day. */
  readonly foundAt: string;
  /** What its message is about, where that is not the day: it comes once, by itself. */
  readonly about?: string;
}

/** What there is to tell in one way. */
export interface ChannelNews {
  readonly news: readonly News[];
  /** What was news in the days before: where it was not sent, it is too late. */
  readonly lapsed: readonly News[];
}

export interface FoundNews {
  readonly by: Readonly<Record<AlertChannel, ChannelNews>>;
  /**
   * False while the decision of the newest day cannot be read: the read models follow the log each in its own
   * time, and who takes it for told never tells it.
   */
  readonly isWhole: boolean;
}

type Wanted = Pick<AlertSettingsDocument, 'settings' | 'since'>;

/** What is new of a strategy since it is followed and was to be told, the oldest first. */
export async function newsOf(
  readModels: Pick<ReadModels, 'find'>,
  followed: Followed,
  wanted: Wanted,
): Promise<FoundNews> {
  const { strategyId, decidedDay } = followed;
  const newest = await newestDecisions(readModels, strategyId, 2 * TOLD_DAYS + 1);
  const isCut = newest.length > 2 * TOLD_DAYS;
  // Late decisions are not traded: what the first one after them is compared with lies before them.
  const needsMore = isCut && newest.at(-1)?.decision.isLate;
  const read = needsMore ? await newestDecisions(readModels, strategyId, MOST_COMPARED) : newest;
  const { startDay } = followed;
  const decisions = standingDecisions(read).filter(({ day }) => day >= startDay);
  const from = newest.at(-1)?.day ?? '';
  const told = decisions.flatMap((one, index) => {
    const earlier = decisions.slice(0, index).map(({ decision }) => decision);
    // What lies further back is not known to be the first decision.
    const isUnknown = earlier.length === 0 && isCut && one.day !== startDay;
    return one.day < from || isUnknown ? [] : [{ ...one, before: heldBefore(one.decision, earlier) }];
  });
  const toldFrom = newest[TOLD_DAYS - 1]?.day ?? '';
  const forChannel = (channel: AlertChannel): ChannelNews => {
    const found = told.flatMap(({ day, decision, decidedAt, before }) => {
      const isOn = (topic: AlertTopic) => isNews(wanted, channel, topic, decidedAt);
      const alerts = alertsOf(followed.name, decision, before, {
        onHoldings: wanted.settings.onHoldings && isOn('holdings'),
        nearPercent: isOn('near') ? wanted.settings.nearPercent : null,
      });
      return alerts.length === 0
        ? []
        : [{ strategyId, day, alerts, foundAt: decidedAt, isLate: decision.isLate }];
    });
    const decided = found.filter(({ day }) => day >= toldFrom);
    return {
      news: [...decided, ...failureNews(followed, wanted, channel), ...bandNews(followed, wanted, channel)],
      // A late one was no news when it was made.
      lapsed: found.filter(({ day, isLate }) => day < toldFrom && !isLate),
    };
  };
  return {
    by: { mail: forChannel('mail'), webhook: forChannel('webhook') },
    isWhole: (newest[0]?.day ?? '') >= decidedDay,
  };
}

/** Whether something was found since both the topic and the way of being told of it are on. @param at ISO 8601 */
const isNews = ({ since }: Wanted, channel: AlertChannel, topic: AlertTopic, at: string): boolean =>
  at >= since[channel] && at >= since[topic];

/** A band is left once, so that this comes once, however long the record stays outside. */
function bandNews({ name, bands }: Followed, wanted: Wanted, channel: AlertChannel): News[] {
  const { left, current } = bands ?? {};
  if (!left || !current || !wanted.settings.onBand || !isNews(wanted, channel, 'band', left.at)) return [];
  const alerts = [bandAlert(name, left.strategyId, left, current.day)];
  return [{ strategyId: left.strategyId, day: left.seenDay, alerts, foundAt: left.at }];
}

function failureNews(
  { strategyId, name, startDay, failure }: Followed,
  wanted: Wanted,
  channel: AlertChannel,
): News[] {
  if (!failure || !wanted.settings.onFailure || failure.day < startDay) return [];
  const { day, failedAt } = failure;
  if (!isNews(wanted, channel, 'failure', failedAt)) return [];
  return [{ strategyId, day, alerts: [failureAlert(name, strategyId, failure)], foundAt: failedAt }];
}

/** What is told of strategies that were hidden since the channel is on, once for each time that they were followed. */
export function endedNews(ended: readonly Ended[], { since }: Wanted, channel: AlertChannel): News[] {
  return ended.flatMap(({ strategyId, startDay, followedAt, endedAt, decidedDay }) => {
    if (endedAt < since[channel]) return [];
    const alerts = [endedAlert(strategyId, followedAt.slice(0, 10), decidedDay)];
    return [
      { strategyId, day: decidedDay, alerts, foundAt: endedAt, about: `${strategyId}-${startDay}-ended` },
    ];
  });
}
