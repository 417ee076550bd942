import { describe, expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import { given } from '../../testing/given.ts';
import type { Decided } from '../forward-test/decision.ts';
import { alertsOf, bandAlert, distancePercent, endedAlert, failureAlert } from './alerts.ts';
import {
  alertId,
  alertStream,
  alertsProjection,
  dueAt,
  isReceiverUnwell,
  RETRY_PAUSES_MS,
  SENDING_LASTS_MS,
} from './delivery.ts';
import { alertSettingsProjection, alertSettingsStream, isAnyChannelOn, NO_ALERTS } from './settings.ts';

const AT = '2026-11-21T01:00:00.000Z';
const after = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();
const message = {
  userId: 'u1',
  channel: 'webhook',
  day: '2026-11-20',
  strategyIds: ['s'],
  kinds: ['near'],
} as const;
const data = { ...message, strategyIds: [...message.strategyIds], kinds: [...message.kinds] };
const stream = `alert-${alertId('u1', 'webhook', 's-2026-11-20')}`;
const begun = (at = AT) => ({ type: 'AlertSendingBegun', data: { ...data, at }, stream }) as const;
const delivered = { type: 'AlertDelivered', data: { userId: 'u1', status: 204 }, stream } as const;
const failed = (isLast = false) =>
  ({
    type: 'AlertNotDelivered',
    data: { userId: 'u1', at: after(10), status: 503, reason: 'busy', isLast },
    stream,
  }) as const;
const lapsed = { type: 'AlertLapsed', data: { ...data, at: after(20) }, stream } as const;

describe('a message in the list of what was sent', () => {
  const first = {
    id: 'u1-webhook-s-2026-11-20',
    userId: 'u1',
    channel: 'webhook',
    day: '2026-11-20',
    kinds: ['near'],
    strategyIds: ['s'],
    lastStatus: null,
    lastReason: null,
    status: 'begun',
    attempts: 1,
    at: AT,
  };

  it('says how far it has come', () => {
    expect(folded(alertsProjection, begun())).toEqual(first);
    expect(folded(alertsProjection, begun(), delivered)).toEqual({
      ...first,
      status: 'delivered',
      lastStatus: 204,
    });
    const waiting = { ...first, status: 'waiting', lastStatus: 503, lastReason: 'busy', at: after(10) };
    expect(folded(alertsProjection, begun(), failed())).toEqual(waiting);
    expect(folded(alertsProjection, begun(), failed(true))).toEqual({ ...waiting, status: 'given_up' });
    // The last answer stays while it is tried again, and goes when it has arrived.
    expect(folded(alertsProjection, begun(), failed(), begun(after(30)))).toEqual({
      ...waiting,
      status: 'begun',
      attempts: 2,
      at: after(30),
    });
    expect(folded(alertsProjection, begun(), failed(), begun(), delivered)).toMatchObject({
      lastStatus: 204,
      lastReason: null,
      attempts: 2,
    });
    expect(folded(alertsProjection, lapsed)).toEqual({
      ...first,
      status: 'lapsed',
      attempts: 0,
      at: after(20),
    });
    expect(folded(alertsProjection, delivered)).toBeNull();
  });
});

describe('when a message is due', () => {
  it('is at once, after a sender has died, after a pause, and never', () => {
    expect(dueAt({ status: 'new', attempts: 0, at: '' })).toBe(0);
    expect(dueAt({ status: 'begun', attempts: 1, at: AT })).toBe(Date.parse(AT) + 300_000);
    const minutes = [1, 5, 30, 120, 480, 900];
    expect(minutes.map((_, i) => dueAt({ status: 'waiting', attempts: i + 1, at: AT }))).toEqual(
      minutes.map((minute) => Date.parse(AT) + minute * 60_000),
    );
    for (const status of ['delivered', 'given_up', 'lapsed'] as const)
      expect(dueAt({ status, attempts: 1, at: AT })).toBeNull();
  });

  it('ends after the seventh attempt', () => {
    const tries = (count: number) => Array.from({ length: count }).flatMap(() => [begun(), failed()]);
    const end = {
      type: 'EndSending',
      userId: 'u1',
      at: after(10),
      delivery: { isDelivered: false, status: 503, reason: 'busy' },
    } as const;
    const isLast = (count: number) => given(alertStream, ...tries(count - 1), begun()).when(end).decided;
    expect(isLast(RETRY_PAUSES_MS.length)).toMatchObject([{ data: { isLast: false } }]);
    expect(isLast(RETRY_PAUSES_MS.length + 1)).toMatchObject([{ data: { isLast: true } }]);
    given(alertStream).when(end).thenEvents();
  });

  it('lapses on its way only when its sender has died', () => {
    const lapse = (ms: number) =>
      given(alertStream, begun()).when({ type: 'LapseMessage', message, at: after(ms) });
    lapse(SENDING_LASTS_MS - 1).thenEvents();
    lapse(SENDING_LASTS_MS).thenTypes('AlertLapsed');
    const again = { type: 'BeginSending', message, at: after(1e12) } as const;
    for (const ended of [delivered, failed(true)])
      given(alertStream, begun(), ended).when(again).thenEvents();
  });

  it.each([
    [null, true],
    [500, true],
    [599, true],
    [429, true],
    [408, true],
    [499, false],
    [404, false],
    [200, false],
  ])('a receiver that answers %j is unwell: %j', (status, isUnwell) =>
    expect(isReceiverUnwell(status)).toBe(isUnwell),
  );
});

describe('what may be set', () => {
  const change = (over: object) =>
    given(alertSettingsStream).when({
      type: 'ChangeAlerts',
      userId: 'u1',
      settings: { ...NO_ALERTS, ...over },
    });
  const url = (text: string) => change({ webhookUrl: text });

  it('is at its bounds', () => {
    change({ nearPercent: 50 }).thenTypes('AlertsChanged');
    change({ nearPercent: 0.01 }).thenTypes('AlertsChanged');
    url(`https://example.com/${'x'.repeat(480)}`).thenTypes('AlertsChanged');
    url(`https://example.com/${'x'.repeat(481)}`).thenRefused(422, 'invalid_webhook_url');
    url('http://example.com').thenTypes('AlertsChanged');
    url('https://me@example.com/').thenRefused(422, 'invalid_webhook_url');
    url('https://:secret@example.com/').thenRefused(422, 'invalid_webhook_url');
    url('xhttps://example.com').thenRefused(422, 'invalid_webhook_url');
    url('httpss://example.com').thenRefused(422, 'invalid_webhook_url');
  });

  it('is on where something is sent anywhere', () => {
    expect(isAnyChannelOn(NO_ALERTS)).toBe(false);
    expect(isAnyChannelOn({ mail: 'daily', webhookUrl: null })).toBe(true);
    expect(isAnyChannelOn({ mail: 'off', webhookUrl: 'https://example.com' })).toBe(true);
  });

  it('is new from when it was turned on, and tells of bands where nothing was said of them', () => {
    const changed = (over: object) => ({
      type: 'AlertsChanged',
      data: { userId: 'u1', ...NO_ALERTS, ...over },
    });
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
    const off = { onHoldings: false, onFailure: false, onBand: false };
    expect(
      folded(alertSettingsProjection, changed({ ...off, mail: 'each' }), changed({ mail: 'off' })),
    ).toMatchObject({
      id: 'u1',
      isOn: false,
      since: { mail: at(1), holdings: at(2), failure: at(2), band: at(2), near: '', webhook: '' },
    });
    const { onBand: _, ...before } = changed({}).data as { onBand?: boolean };
    expect(folded(alertSettingsProjection, { type: 'AlertsChanged', data: before })).toMatchObject({
      settings: { onBand: true },
      secretNumber: 0,
    });
    const renewed = { type: 'WebhookSecretRenewed', data: { userId: 'u1' } };
    expect(folded(alertSettingsProjection, renewed)).toMatchObject({
      secretNumber: 1,
      settings: NO_ALERTS,
      isOn: false,
    });
  });
});

describe('what is told', () => {
  const decision = {
    strategyId: 's',
    day: '2026-11-20',
    isSimulated: false,
    weights: { SPY: 100 },
    closes: { SPY: 100 },
    conditions: [
      { id: 'a', lhs: 100, rhs: 97, holds: true },
      { id: 'b', lhs: 100, rhs: 99, holds: true },
      { id: 'c', lhs: 100, rhs: 98, holds: true },
    ],
  } as unknown as Decided;

  it('is the nearest of several conditions', () => {
    const alerts = alertsOf(
      'Calm',
      decision,
      { weights: { SPY: 100 } },
      { onHoldings: true, nearPercent: 5 },
    );
    expect(alerts).toEqual([
      {
        kind: 'near',
        strategyId: 's',
        name: 'Calm',
        day: '2026-11-20',
        isLate: false,
        text:
          'Calm, at the close of 2026-11-20: a condition is close to flipping (100.000 against ' +
          '99.0000, 1% apart), and 2 more.',
      },
    ]);
    expect(
      alertsOf('Calm', decision, { weights: { SPY: 100 } }, { onHoldings: true, nearPercent: null }),
    ).toEqual([]);
    expect(alertsOf('Calm', decision, null, { onHoldings: true, nearPercent: null })[0]?.kind).toBe(
      'holdings',
    );
  });

  it('measures by the price at which a condition flips, where there is one', () => {
    const flip = { ticker: 'SPY', price: 110, side: 'above' } as const;
    expect(distancePercent({ lhs: 1, rhs: 1, flip }, { SPY: 100 })).toBeCloseTo(10, 9);
    expect(distancePercent({ lhs: 2, rhs: 1, flip }, {})).toBe(50);
    expect(distancePercent({ lhs: 2, rhs: 1, flip }, { SPY: 0 })).toBe(50);
    expect(distancePercent({ lhs: 2, rhs: 1, flip: null }, { SPY: 100 })).toBe(50);
  });

  it('is a record above its band, a failure and an end', () => {
    const left = { day: '2026-11-20', side: 'above', value: 1.25, edge: 1.2 } as const;
    expect(bandAlert('Calm', 's', left, '2026-03-02')).toMatchObject({
      kind: 'band',
      strategyId: 's',
      name: 'Calm',
      day: '2026-11-20',
      isLate: false,
      text: expect.stringMatching(
        /^Calm left its band at the close of 2026-11-20: \+25% since 2026-03-02, above the upper edge of \+20%\. /,
      ),
    });
    expect(
      failureAlert('Calm', 's', { day: '2026-11-20', code: 'unknown_ticker', tickers: ['X'] } as never),
    ).toMatchObject({
      kind: 'failed',
      name: 'Calm',
      day: '2026-11-20',
      text: expect.stringMatching(/^Calm could not be evaluated at the close of 2026-11-20/),
    });
    expect(endedAlert('s', '2026-01-02', '2026-11-20')).toEqual({
      kind: 'ended',
      strategyId: 's',
      name: 'A strategy that you followed',
      day: '2026-11-20',
      isLate: false,
      text:
        'A strategy that you have followed since 2026-01-02 was deleted or made private. Nothing ' +
        'more is decided or told of it. You can stop following it on the page Tomorrow.',
    });
  });
});
