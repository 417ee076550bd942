import { alertsProjection } from '@quantloom/domain/alerts/delivery';
import { alertSettingsProjection } from '@quantloom/domain/alerts/settings';
import { feedAddressesProjection } from '@quantloom/domain/feeds/feed-address';
import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { afterEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountAlertQueries } from './alerts.ts';

const SETTINGS = {
  ...{ mail: 'each', webhookUrl: 'https://hooks.example/a', onHoldings: false },
  ...{ onFailure: true, onBand: false, nearPercent: 0.5 },
};

describe('what a user is told', () => {
  let close = async () => {};
  afterEach(() => close());

  async function open(documents: Readonly<Record<string, object>> = {}, sent: readonly object[] = []) {
    const finds: [string, FindQuery][] = [];
    const server = await openReadServer(mountAlertQueries as never, {
      readModels: {
        get: async (collection: string, id: string) => documents[`${collection}/${id}`] ?? null,
        find: async (collection: string, query: FindQuery) => {
          finds.push([collection, query]);
          return sent;
        },
      },
      webhooks: { secretOf: (userId: string, number: number) => `secret ${number} of ${userId}` },
    });
    close = server.close;
    return { ...server, finds };
  }
  const settingsOf = (userId: string) => `${alertSettingsProjection.collection.name}/${userId}`;

  it('is as it was set and signed by the secret of today', async () => {
    const { get } = await open({ [settingsOf('ann')]: { settings: SETTINGS, secretNumber: 3 } });
    expect((await get('ann', '/alerts')).body).toEqual({
      ...{ mail: 'each', webhook_url: 'https://hooks.example/a', on_holdings: false },
      ...{ on_failure: true, on_band: false, near_percent: 0.5, webhook_secret: 'secret 3 of ann' },
    });
    // Nobody sees those of others.
    expect((await get('bob', '/alerts')).body).toMatchObject({ webhook_url: null, webhook_secret: null });
  });

  it('has no secret where there is no webhook', async () => {
    const settings = { ...SETTINGS, webhookUrl: null };
    const { get } = await open({ [settingsOf('ann')]: { settings, secretNumber: 3 } });
    expect((await get('ann', '/alerts')).body.webhook_secret).toBeNull();
  });

  it('tells when the address of the own feed was made, and never the address', async () => {
    const key = `${feedAddressesProjection.collection.name}/ann`;
    const { get } = await open({ [key]: { createdAt: '2026-03-01T00:00:00.000Z', tokenHash: 'hash' } });
    expect((await get('ann', '/alerts/feed')).body).toEqual({ created_at: '2026-03-01T00:00:00.000Z' });
    expect((await get('bob', '/alerts/feed')).body).toEqual({ created_at: null });
  });

  it('was sent in the states that people know, the newest first, of the own messages alone', async () => {
    const statuses = ['new', 'begun', 'waiting', 'delivered', 'given_up', 'lapsed'];
    const sent = statuses.map((status) => ({
      ...{ id: status, channel: 'mail', day: '2026-03-03', kinds: ['holdings'], status, attempts: 1 },
      ...{ at: '2026-03-03T22:00:00.000Z', lastStatus: null, lastReason: null, userId: 'ann' },
    }));
    const { get, finds } = await open({}, sent);
    const { body } = await get('ann', '/alerts/sent');
    expect(body.map(({ state }: { state: string }) => state)).toEqual([
      ...['sending', 'sending', 'waiting', 'delivered', 'given_up', 'lapsed'],
    ]);
    expect(finds).toEqual([
      [alertsProjection.collection.name, { where: { userId: 'ann' }, sort: [['at', 'desc']], limit: 100 }],
    ]);
  });
});
