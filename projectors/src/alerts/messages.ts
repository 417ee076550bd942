import type { Alert } from '@quantloom/domain/alerts/alerts';
import { letter } from '@quantloom/domain/mail/letter';
import type { MailMessage } from '@quantloom/domain/ports/mail';

/** A mail with one or more alerts. @param settingsUrl where its reader can turn them off */
export function alertMail(to: string, alerts: readonly Alert[], settingsUrl: string): MailMessage {
  const [first] = alerts;
  const names = [...new Set(alerts.map(({ name }) => name))];
  const subject =
    names.length === 1
      ? `${names[0]}: news of ${first?.day}`
      : `News of ${names.length} strategies, ${first?.day}`;
  return letter({
    to,
    subject,
    paragraphs: alerts.map(({ text }) => text),
    button: { label: 'Change or end these alerts', url: settingsUrl },
    closing: 'You get this because you asked for alerts on strategies that you follow. No order was placed.',
  });
}

/** The body of a webhook; documented in the guide. */
export function alertBody(
  id: string,
  day: string,
  alerts: readonly Alert[],
  type: 'alerts' | 'test' = 'alerts',
): string {
  return JSON.stringify({
    id,
    type,
    day,
    alerts: alerts.map(({ kind, strategyId, name, isLate, text }) => ({
      kind,
      strategy_id: strategyId,
      name,
      is_late: isLate,
      text,
    })),
  });
}
