import { type AlertSettings, NO_ALERTS } from '@quantloom/domain/alerts/settings';
import { bandId, bandStream, bandsId } from '@quantloom/domain/forward-test/band';
import { BAND_CHECKS } from '@quantloom/domain/forward-test/band-projection';
import { evaluationOf, evaluationStream } from '@quantloom/domain/forward-test/failure';
import { type DecisionDocument, decisionsProjection } from '@quantloom/domain/forward-test/projections';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AlertStack, openAlertStack } from '../../testing/alert-stack.ts';

const ON: AlertSettings = { ...NO_ALERTS, webhookUrl: 'https://example.com/hook' };
const checkedOn = (id: string, day: string) => ({
  id,
  day,
  version: 'v',
  missing: null,
  _revision: 0,
  _position: '0',
});

let stack: AlertStack;
beforeEach(async () => {
  stack = await openAlertStack();
});
afterEach(() => stack.close());

describe('alerts by mail', () => {
  it('go to no address that nobody has confirmed since it was changed, and come once somebody has', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'each' });
    stack.world.isConfirmed = false;
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.mails).toEqual([]);
    stack.world.isConfirmed = true;
    stack.world.time += 60 * 60_000;
    await stack.passed(one);
    expect(stack.world.mails).toHaveLength(1);
  });

  it('go to no address whose account the identity provider does not know any more', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'each' });
    stack.world.isKnown = false;
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.mails).toEqual([]);
  });

  it('come once they can be sent, where they could not be at first', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'each' });
    stack.world.takesMails = false;
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    stack.world.takesMails = true;
    stack.world.time += 60 * 60_000;
    await stack.passed(one);
    expect(stack.world.mails).toHaveLength(1);
  });

  it('come as one mail a day, when all strategies are decided', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'daily' });
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.mails).toEqual([]);
    await stack.decide('s2', '2026-11-20', { BIL: 100 });
    await stack.passed(one);
    await stack.passed(one);
    expect(stack.world.mails).toHaveLength(1);
    expect(stack.world.mails[0]).toMatchObject({
      to: 'ann@example.org',
      subject: 'News of 2 strategies, 2026-11-20',
    });
    expect(stack.world.mails[0]?.text).toContain(
      'Name of s1, at the close of 2026-11-20: buy SPY (0% to 100%).',
    );
    expect(stack.world.mails[0]?.html).toContain('https://quantloom.example/tomorrow');
  });

  it('come as one mail a day, also where the decision of one strategy cannot be read yet', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'daily' });
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.decide('s2', '2026-11-20', { BIL: 100 });
    const { name } = decisionsProjection.collection;
    const find = stack.readModels.find.bind(stack.readModels);
    const behind = vi
      .spyOn(stack.readModels, 'find')
      .mockImplementation(async (collection, query) =>
        (await find(collection, query as never)).filter(
          (found) => collection !== name || (found as unknown as DecisionDocument).strategyId !== 's2',
        ),
      );
    await stack.passed(one);
    expect(stack.world.mails).toEqual([]);
    behind.mockRestore();
    await stack.passed(one);
    expect(stack.world.mails.map(({ subject }) => subject)).toEqual(['News of 2 strategies, 2026-11-20']);
  });

  it('come day by day, the oldest first, whichever strategy has news of which day', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'each' });
    // The strategy that is looked at first has no news of the first day.
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.decide('s2', '2026-11-19', { BIL: 100 });
    await stack.decide('s2', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.mails.map(({ subject }) => subject)).toEqual([
      'Name of s2: news of 2026-11-19',
      'Name of s1: news of 2026-11-20',
      'Name of s2: news of 2026-11-20',
    ]);
  });

  it('come as one mail a day, too, where the night is worked through in the morning', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'daily' });
    stack.world.time = Date.parse('2026-11-21T06:00:00Z');
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    stack.world.time += 59 * 60_000;
    await stack.passed(one);
    expect(stack.world.mails).toEqual([]);
    await stack.decide('s2', '2026-11-20', { BIL: 100 });
    await stack.passed(one);
    expect(stack.world.mails.map(({ subject }) => subject)).toEqual(['News of 2 strategies, 2026-11-20']);
  });

  it('come once by mail, whichever way was chosen meanwhile', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'daily' });
    await stack.decide('s1', '2026-11-19', { SPY: 100 });
    await stack.decide('s2', '2026-11-19', { BIL: 100 });
    await stack.passed(one);
    expect(stack.world.mails).toHaveLength(1);
    stack.world.time += 60_000;
    await stack.wants({ ...NO_ALERTS, mail: 'each' });
    await stack.passed(one);
    expect(stack.world.mails).toHaveLength(1);
    await stack.decide('s1', '2026-11-20', { BIL: 100 });
    await stack.decide('s2', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.mails).toHaveLength(3);
    stack.world.time += 60_000;
    await stack.wants({ ...NO_ALERTS, mail: 'daily' });
    await stack.passed(one);
    await stack.passed(await stack.sender());
    expect(stack.world.mails).toHaveLength(3);
  });

  it('do not wait for ever for a strategy that is not decided; it is told when it comes', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'daily' });
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    stack.world.time = Date.parse('2026-11-20T23:00:00.000Z');
    await stack.passed(one);
    expect(stack.world.mails).toEqual([]);
    stack.world.time += 1;
    await stack.passed(one);
    expect(stack.world.mails.map(({ subject }) => subject)).toEqual(['Name of s1: news of 2026-11-20']);
    await stack.decide('s2', '2026-11-20', { BIL: 100 });
    await stack.passed(one);
    await stack.passed(one);
    expect(stack.world.mails.map(({ subject }) => subject)).toEqual([
      'Name of s1: news of 2026-11-20',
      'Name of s2: news of 2026-11-20',
    ]);
  });

  it('wait an hour from the first news on, however late the others come', async () => {
    await stack.create('s3');
    await stack.follow('s3');
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'daily' });
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    stack.world.time += 30 * 60_000;
    await stack.decide('s3', '2026-11-20', { BIL: 100 });
    stack.world.time += 30 * 60_000 + 1;
    await stack.passed(one);
    expect(stack.world.mails.map(({ subject }) => subject)).toEqual(['News of 2 strategies, 2026-11-20']);
  });

  it('tell of a strategy that could not be evaluated, and of its decision when that follows', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'each' });
    const failed = {
      strategyId: 's1',
      revision: 0,
      day: '2026-11-20',
      dataVersion: 'v',
      code: 'unknown_tickers',
    };
    await stack.act(evaluationStream, evaluationOf(failed), { type: 'RecordFailure', failed });
    await stack.passed(one);
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.passed(one);
    expect(stack.world.mails.map(({ text }) => text.split('\n\n')[1])).toEqual([
      'Name of s1 could not be evaluated at the close of 2026-11-20 (unknown_tickers). A backtest of it says why.',
      'Name of s1, at the close of 2026-11-20: buy SPY (0% to 100%).',
    ]);
  });

  it('tell once that a record has left its band, beside the decision of that day, which may have gone before', async () => {
    const one = await stack.sender();
    await stack.wants({ ...ON, mail: 'daily' });
    const key = { strategyId: 's1', startDay: '2026-11-01', number: 1 };
    await stack.fixBand(key);
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.decide('s2', '2026-11-20', { BIL: 100 });
    await stack.passed(one);
    // The digest waits until it is known whether the band was left.
    expect([stack.idsPosted().sort(), stack.world.mails]).toEqual([
      ['ann-webhook-s1-2026-11-20', 'ann-webhook-s2-2026-11-20'],
      [],
    ]);
    const left = {
      ...key,
      day: '2026-11-20',
      seenDay: '2026-11-20',
      side: 'below',
      value: 0.9,
      edge: 0.95,
    } as const;
    await stack.act(bandStream, bandId(key), { type: 'LeaveBand', left });
    await stack.readModels.put(BAND_CHECKS.name, checkedOn(bandsId(key), '2026-11-20'));
    await stack.passed(one);
    await stack.passed(one);
    await stack.passed(await stack.sender());
    expect(stack.idsPosted().at(-1)).toBe('ann-webhook-s1-2026-11-20-band');
    expect(stack.world.posted).toHaveLength(3);
    const told =
      'Name of s1 left its band at the close of 2026-11-20: −10% since 2026-11-01, below the lower edge of −5%.';
    expect(stack.world.posted.at(-1)?.body.alerts).toMatchObject([
      { kind: 'band', text: expect.stringContaining(told) },
    ]);
    expect(stack.world.mails).toHaveLength(1);
    expect(stack.world.mails[0]?.text).toContain(told);
    // The nights after say nothing of it.
    await stack.decide('s1', '2026-11-21', { SPY: 100 });
    await stack.decide('s2', '2026-11-21', { SPY: 100 });
    await stack.readModels.put(BAND_CHECKS.name, checkedOn(bandsId(key), '2026-11-21'));
    await stack.passed(one);
    expect(stack.idsPosted().filter((id) => id.endsWith('-band'))).toHaveLength(1);
    expect(stack.world.mails.filter(({ text }) => text.includes('left its band'))).toHaveLength(1);
  });

  it('tell of a band in a mail of its own where the digest of the day is gone', async () => {
    const one = await stack.sender();
    await stack.wants({ ...NO_ALERTS, mail: 'daily' });
    await stack.decide('s1', '2026-11-20', { SPY: 100 });
    await stack.decide('s2', '2026-11-20', { BIL: 100 });
    await stack.passed(one);
    expect(stack.world.mails).toHaveLength(1);
    stack.world.time += 60_000;
    const key = { strategyId: 's1', startDay: '2026-11-01', number: 1 };
    await stack.fixBand(key);
    const left = {
      ...key,
      day: '2026-11-20',
      seenDay: '2026-11-20',
      side: 'above',
      value: 1.1,
      edge: 1.05,
    } as const;
    await stack.act(bandStream, bandId(key), { type: 'LeaveBand', left });
    await stack.readModels.put(BAND_CHECKS.name, checkedOn(bandsId(key), '2026-11-20'));
    await stack.passed(one);
    await stack.passed(one);
    expect(stack.world.mails).toHaveLength(2);
    expect(stack.world.mails[1]?.text).toContain('+10% since 2026-11-01, above the upper edge of +5%.');
  });

  it('say nothing of a band to whoever does not want to be told', async () => {
    const one = await stack.sender();
    await stack.wants({ ...ON, onBand: false });
    const key = { strategyId: 's1', startDay: '2026-11-01', number: 1 };
    await stack.fixBand(key);
    const left = {
      ...key,
      day: '2026-11-20',
      seenDay: '2026-11-20',
      side: 'above',
      value: 1.1,
      edge: 1.05,
    } as const;
    await stack.act(bandStream, bandId(key), { type: 'LeaveBand', left });
    await stack.passed(one);
    expect(stack.world.posted).toEqual([]);
  });
});
