import type { Alert } from '@quantloom/domain/alerts/alerts';
import { expect, it } from 'vitest';
import { alertBody, alertMail } from './messages.ts';

const alert = (name: string, more: Partial<Alert> = {}): Alert => ({
  kind: 'holdings',
  strategyId: `id of ${name}`,
  name,
  day: '2026-11-20',
  isLate: false,
  text: `${name} buys SPY.`,
  ...more,
});

it('names in its subject the one strategy that it is about, or how many there are', () => {
  const subject = (...alerts: readonly Alert[]) => alertMail('ann@example.org', alerts, '').subject;
  expect(subject(alert('Mine'))).toBe('Mine: news of 2026-11-20');
  expect(subject(alert('Mine'), alert('Mine', { kind: 'failed' }))).toBe('Mine: news of 2026-11-20');
  expect(subject(alert('Mine'), alert('Mine'), alert('Other'))).toBe('News of 2 strategies, 2026-11-20');
});

it('goes to its reader with all that there is to tell, and the way to end it', () => {
  const mail = alertMail('ann@example.org', [alert('Mine'), alert('Other')], 'https://example.com/settings');
  expect(mail.to).toBe('ann@example.org');
  for (const part of ['Mine buys SPY.', 'Other buys SPY.', 'https://example.com/settings'])
    expect(mail.text).toContain(part);
});

it('has a body for programs, which says whether it is a test', () => {
  const late = alert('Mine', { isLate: true });
  expect(JSON.parse(alertBody('m1', '2026-11-20', [late, alert('Other')]))).toEqual({
    id: 'm1',
    type: 'alerts',
    day: '2026-11-20',
    alerts: [
      { kind: 'holdings', strategy_id: 'id of Mine', name: 'Mine', is_late: true, text: 'Mine buys SPY.' },
      {
        kind: 'holdings',
        strategy_id: 'id of Other',
        name: 'Other',
        is_late: false,
        text: 'Other buys SPY.',
      },
    ],
  });
  expect(JSON.parse(alertBody('m2', '2026-11-20', [], 'test'))).toMatchObject({ type: 'test', alerts: [] });
});
