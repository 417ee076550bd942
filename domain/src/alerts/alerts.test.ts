import { describe, expect, it, test } from 'vitest';
import { folded } from '../../testing/folded.ts';
import { given } from '../../testing/given.ts';
import type { Decided } from '../forward-test/decision.ts';
import { alertsOf, bandAlert, distancePercent } from './alerts.ts';
import { type AlertMessage, alertStream, dueAt, RETRY_PAUSES_MS, SENDING_LASTS_MS } from './delivery.ts';
import {
  type AlertSettings,
  type AlertSettingsDocument,
  alertSettingsProjection,
  alertSettingsStream,
  NO_ALERTS,
} from './settings.ts';

const userId = 'u1';
const ON: AlertSettings = { ...NO_ALERTS, mail: 'each', webhookUrl: 'https://example.com/hook' };

describe('settings of alerts', () => {
  const changed = { type: 'AlertsChanged', data: { userId, ...ON } } as const;

  it('keeps what was asked for, once', () => {
    given(alertSettingsStream).when({ type: 'ChangeAlerts', userId, settings: ON }).thenEvents(changed);
    given(alertSettingsStream, changed).when({ type: 'ChangeAlerts', userId, settings: ON }).thenEvents();
    given(alertSettingsStream).when({ type: 'ChangeAlerts', userId, settings: NO_ALERTS }).thenEvents();
  });

  it.each([
    'example.com/hook',
    'ftp://example.com',
    'https://me:secret@example.com/',
    `https://example.com/${'x'.repeat(500)}`,
    '',
  ])('refuses %j as a webhook', (webhookUrl) => {
    given(alertSettingsStream)
      .when({ type: 'ChangeAlerts', userId, settings: { ...ON, webhookUrl } })
      .thenRefused(422, 'invalid_webhook_url');
  });

  it.each([0, -1, 51, Number.NaN])('refuses %j percent as near', (nearPercent) => {
    given(alertSettingsStream)
      .when({ type: 'ChangeAlerts', userId, settings: { ...ON, nearPercent } })
      .thenRefused(422, 'invalid_near_percent');
  });

  it('know since when each thing is told, from what is stored already, too', () => {
    const stream = `alerts-${userId}`;
    const steps = [
      { ...NO_ALERTS, mail: 'each' },
      { ...NO_ALERTS, mail: 'daily', nearPercent: 1, onBand: false },
      { ...ON, mail: 'daily', nearPercent: 0.5 },
      { ...ON, mail: 'daily', nearPercent: 2, webhookUrl: 'https://example.com/other' },
      { ...ON, mail: 'off' },
    ];
    const documents: AlertSettingsDocument[] = [];
    for (const [index, settings] of steps.entries()) {
      const metadata = { recordedAt: `day ${index}` };
      const event = { type: 'AlertsChanged', stream, data: { userId, ...settings }, metadata } as never;
      documents.push(alertSettingsProjection.evolve(documents.at(-1) ?? null, event, userId) as never);
    }
    const none = { mail: '', webhook: '', holdings: '', failure: '', band: '', near: '' };
    expect(documents.map(({ since }) => since)).toEqual([
      { ...none, mail: 'day 0' },
      { ...none, mail: 'day 0', near: 'day 1' },
      { ...none, mail: 'day 0', near: 'day 1', webhook: 'day 2', band: 'day 2' },
      { ...none, mail: 'day 0', near: 'day 3', webhook: 'day 2', band: 'day 2' },
      { ...none, mail: 'day 0', near: 'day 3', webhook: 'day 2', band: 'day 2' },
    ]);
  });

  it('counts secrets', () => {
    const renewed = { type: 'WebhookSecretRenewed', data: { userId } } as const;
    given(alertSettingsStream, changed).when({ type: 'RenewWebhookSecret', userId }).thenEvents(renewed);
    const { initialState, evolve } = alertSettingsStream.decider;
    expect([changed, renewed, renewed].reduce(evolve, initialState)).toEqual({
      settings: ON,
      secretNumber: 2,
    });
  });
});

it('are forgotten with the account', () => {
  const set = { type: 'AlertsChanged', data: { userId, ...ON } } as const;
  const erased = { type: 'AccountErased', data: { userId } } as const;
  expect(folded(alertSettingsProjection, set)).not.toBeNull();
  expect(folded(alertSettingsProjection, set, erased)).toBeNull();
});

describe('one message', () => {
  const AT = '2026-11-21T01:00:00.000Z';
  const after = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();
  const message: AlertMessage = {
    userId,
    channel: 'webhook',
    day: '2026-11-20',
    strategyIds: ['s'],
    kinds: ['near'],
  };
  const begun = (at: string) => ({ type: 'AlertSendingBegun', data: { ...message, at } }) as const;
  const failed = (at: string, isLast = false) =>
    ({
      type: 'AlertNotDelivered',
      data: { userId, at, status: 500, reason: 'It answered 500', isLast },
    }) as const;
  const delivery = { isDelivered: false, status: 500, reason: 'It answered 500' };

  it('is begun by one of those who come at once, and by another when that one has died', () => {
    given(alertStream).when({ type: 'BeginSending', message, at: AT }).thenEvents(begun(AT));
    given(alertStream, begun(AT)).when({ type: 'BeginSending', message, at: AT }).thenEvents();
    const later = after(SENDING_LASTS_MS);
    given(alertStream, begun(AT)).when({ type: 'BeginSending', message, at: later }).thenEvents(begun(later));
  });

  it('is never sent again once it was delivered', () => {
    const delivered = { type: 'AlertDelivered', data: { userId, status: 204 } } as const;
    const end = {
      type: 'EndSending',
      userId,
      at: AT,
      delivery: { ...delivery, isDelivered: true, status: 204 },
    } as const;
    given(alertStream, begun(AT)).when(end).thenEvents(delivered);
    given(alertStream, begun(AT), delivered).when(end).thenEvents();
    const at = after(1e12);
    given(alertStream, begun(AT), delivered).when({ type: 'BeginSending', message, at }).thenEvents();
  });

  it('lapses where it waits, and neither on its way nor after its end', () => {
    const lapse = { type: 'LapseMessage', message, at: AT } as const;
    const lapsed = { type: 'AlertLapsed', data: { ...message, at: AT } } as const;
    given(alertStream).when(lapse).thenEvents(lapsed);
    given(alertStream, begun(AT), failed(AT)).when(lapse).thenEvents(lapsed);
    given(alertStream, begun(AT)).when(lapse).thenEvents();
    given(alertStream, begun(AT), failed(AT, true)).when(lapse).thenEvents();
    given(alertStream, lapsed).when(lapse).thenEvents();
    given(alertStream, lapsed)
      .when({ type: 'BeginSending', message, at: after(1e12) })
      .thenEvents();
  });

  it('is tried again after growing pauses, and given up in the end', () => {
    const end = (at: string) => ({ type: 'EndSending', userId, at, delivery }) as const;
    given(alertStream, begun(AT)).when(end(AT)).thenEvents(failed(AT));
    const pause = RETRY_PAUSES_MS[0] ?? Number.NaN;
    const early = after(pause - 1);
    given(alertStream, begun(AT), failed(AT)).when({ type: 'BeginSending', message, at: early }).thenEvents();
    given(alertStream, begun(AT), failed(AT))
      .when({ type: 'BeginSending', message, at: after(pause) })
      .thenEvents(begun(after(pause)));
    const tries = RETRY_PAUSES_MS.flatMap(() => [begun(AT), failed(AT)]);
    given(alertStream, ...tries, begun(AT))
      .when(end(AT))
      .thenEvents(failed(AT, true));
    const { initialState, evolve } = alertStream.decider;
    expect(dueAt([...tries, begun(AT), failed(AT, true)].reduce(evolve, initialState))).toBeNull();
  });
});

describe('what is told', () => {
  const decision: Decided = {
    strategyId: 's',
    revision: 0,
    day: '2026-11-20',
    runFrom: '2020-01-02',
    dataVersion: 'v',
    engineVersion: '4',
    isSimulated: false,
    weights: { SPY: 60, BIL: 40 },
    conditions: [
      { id: 'a', lhs: 100, rhs: 99, holds: true },
      { id: 'b', lhs: 10, rhs: 20, holds: false },
    ],
    branches: [],
    closes: {},
  };
  const told = (
    before: Record<string, number> | null,
    settings: Partial<AlertSettings> = {},
    more: Partial<Decided> = {},
  ) =>
    alertsOf('Calm', { ...decision, ...more }, before && { weights: before }, {
      ...NO_ALERTS,
      ...settings,
    }).map(({ text }) => text);

  test('trades, what is sold first; nothing where nothing changes', () => {
    expect(told({ TLT: 40, SPY: 60 })).toEqual([
      'Calm, at the close of 2026-11-20: sell TLT (40% to 0%), buy BIL (0% to 40%).',
    ]);
    expect(told({ SPY: 60, BIL: 40 })).toEqual([]);
    expect(told(null)).toEqual([
      'Calm, at the close of 2026-11-20: buy BIL (0% to 40%), buy SPY (0% to 60%).',
    ]);
    expect(told({}, { onHoldings: false })).toEqual([]);
  });

  test('nothing where weights have drifted alone', () => {
    const before = { weights: { SPY: 59, BIL: 41 }, isKept: true };
    expect(alertsOf('Calm', decision, before, NO_ALERTS)).toEqual([]);
    expect(alertsOf('Calm', decision, { ...before, isKept: false }, NO_ALERTS)).toHaveLength(1);
  });

  test('conditions that are near, by the larger side', () => {
    const same = { SPY: 60, BIL: 40 };
    expect(told(same, { nearPercent: 1 })).toEqual([
      'Calm, at the close of 2026-11-20: a condition is close to flipping (100.000 against 99.0000, 1% apart).',
    ]);
    expect(told(same, { nearPercent: 0.99 })).toEqual([]);
    expect(told(same, { nearPercent: 50 })[0]).toContain('1% apart), and 1 more.');
    const flip = { ticker: 'SPY', price: 98.76543, side: 'below' } as const;
    const condition = { id: 'c', lhs: 100, rhs: 99, holds: true, flip };
    expect(told(same, { nearPercent: 1 }, { conditions: [condition] })[0]).toContain(
      '1% apart; it flips if SPY closes below 98.7654).',
    );
    // Close to flipping: by the price, also against 0, where the sides are as far apart as can be.
    const macd = { id: 'm', lhs: 0.012, rhs: 0, holds: true, flip };
    const closes = { SPY: 99.5 };
    expect(told(same, { nearPercent: 1 }, { conditions: [macd], closes })).toEqual([
      'Calm, at the close of 2026-11-20: a condition is close to flipping (0.0120000 against 0.00000; ' +
        'it flips if SPY closes below 98.7654, 0.74% from its last close).',
    ]);
    expect(told(same, { nearPercent: 0.7 }, { conditions: [macd], closes })).toEqual([]);
    // Sides that look alike, and a price that is far off.
    const far = { ...condition, lhs: 100, rhs: 100.01, flip: { ...flip, price: 80 } };
    expect(told(same, { nearPercent: 5 }, { conditions: [far], closes })).toEqual([]);
    expect(told(same, { nearPercent: 1 }, { conditions: [{ ...macd, flip: null }], closes })).toEqual([]);
    expect(distancePercent({ lhs: 0, rhs: 0 })).toBe(0);
    expect(distancePercent({ lhs: -1, rhs: 1 })).toBe(200);
  });

  test('that a decision came late and is not traded', () => {
    const late = { ...decision, isLate: true };
    const [alert] = alertsOf('Calm', late, null, NO_ALERTS);
    expect(alert).toMatchObject({
      isLate: true,
      text: expect.stringContaining('%). It was decided late, and is not traded.'),
    });
    expect(alertsOf('Calm', { ...late, isLate: false }, null, NO_ALERTS)[0]?.text).not.toContain('late');
  });

  test('that a band was left, and how often that happens by chance (decision 0440: 11 to 16 of 100)', () => {
    const left = { day: '2026-11-20', side: 'below', value: 0.9, edge: 0.95 } as const;
    expect(bandAlert('Calm', 's', left, '2026-03-02').text).toBe(
      'Calm left its band at the close of 2026-11-20: −10% since 2026-03-02, below the lower edge of −5%. ' +
        'Of ten strategies that go on as in their backtests, about one or two leave their band within a year, ' +
        'more where the past is short.',
    );
  });

  test('that prices are simulated', () => {
    expect(told({}, {}, { isSimulated: true })[0]).toContain('The prices are simulated.');
  });
});
