import { isBrokerFailure, type NewOrder, type PaperBroker } from '@quantloom/domain/ports/paper-broker';
import { describe, expect, it } from 'vitest';

/** What the suite needs around an adapter. SPY and TLT are known; the account begins with $10,000. */
export interface PaperBrokerRig {
  readonly broker: PaperBroker;
  /** The day whose close decided. */
  readonly day: string;
  /** The next close comes. */
  close(prices: { readonly SPY: number; readonly TLT: number }): Promise<void>;
}

/** What every broker of paper money must do. */
export function paperBrokerContract(name: string, rig: () => Promise<PaperBrokerRig>): void {
  describe(`paper broker: ${name}`, () => {
    const order = (day: string, fields: Partial<NewOrder> = {}): NewOrder => ({
      orderId: 'order-1',
      ticker: 'SPY',
      side: 'buy',
      quantity: 10,
      day,
      ...fields,
    });
    const account = async (broker: PaperBroker) => {
      const found = await broker.account();
      if (isBrokerFailure(found)) throw new Error(found.reason);
      return {
        cash: found.cash,
        positions: [...found.positions].sort((a, b) => (a.ticker < b.ticker ? -1 : 1)),
      };
    };

    it('begins with money and nothing held', async () => {
      const { broker } = await rig();
      expect(await account(broker)).toEqual({ cash: 10_000, positions: [] });
      expect(await broker.find('order-1')).toBeNull();
    });

    it('takes an order once, however often it is sent, and trades it at the next close', async () => {
      const { broker, day, close } = await rig();
      const placed = await broker.place(order(day));
      expect(placed).toMatchObject({ kind: 'taken', order: { status: 'open', quantity: 0 } });
      const again = await Promise.all([broker.place(order(day)), broker.place(order(day))]);
      expect(again).toEqual([placed, placed]);
      expect(await broker.find('order-1')).toEqual(placed.kind === 'taken' && placed.order);
      expect((await account(broker)).positions).toEqual([]);
      await close({ SPY: 100, TLT: 50 });
      const traded = { status: 'ended', quantity: 10, price: 100, reason: null };
      expect(await broker.find('order-1')).toMatchObject(traded);
      expect(await broker.place(order(day))).toMatchObject({ kind: 'taken', order: traded });
      expect(await account(broker)).toEqual({ cash: 9_000, positions: [{ ticker: 'SPY', quantity: 10 }] });
    });

    it('sells what is held and buys with the money', async () => {
      const { broker, day, close } = await rig();
      await broker.place(order(day));
      await close({ SPY: 100, TLT: 50 });
      expect(await broker.find('order-1')).toMatchObject({ status: 'ended' });
      const next = { ...order('2026-11-23'), day: '2026-11-23' };
      await broker.place({ ...next, orderId: 'order-2', side: 'sell' });
      await broker.place({ ...next, orderId: 'order-3', ticker: 'TLT', quantity: 4 });
      await close({ SPY: 110, TLT: 50 });
      expect(await broker.find('order-2')).toMatchObject({ status: 'ended', quantity: 10, price: 110 });
      expect(await broker.find('order-3')).toMatchObject({ status: 'ended', quantity: 4, price: 50 });
      expect(await account(broker)).toEqual({ cash: 9_900, positions: [{ ticker: 'TLT', quantity: 4 }] });
    });

    it.each([
      ['a ticker that it does not know', { ticker: 'NOSUCH' }],
      ['no shares', { quantity: 0 }],
    ])('refuses an order for %s, in words', async (_, fields) => {
      const { broker, day } = await rig();
      const placed = await broker.place(order(day, fields));
      expect(placed).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^[A-Z].*[a-z]$/) });
      expect(await broker.find('order-1')).toBeNull();
    });
  });
}
