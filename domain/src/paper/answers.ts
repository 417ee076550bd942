import type { PaperNight } from '../contracts/http/paper.ts';
import type { Basket } from './basket.ts';

/** A night's orders as the API shows them. @param approvedAt ISO 8601 */
export function nightOf({ day, decisions, orders }: Basket, approvedAt: string): PaperNight {
  return {
    day,
    approved_at: approvedAt,
    decisions: decisions.map(({ strategyId, revision, day: decided }) => ({
      strategy_id: strategyId,
      revision,
      day: decided,
    })),
    orders: orders.map(({ id, ticker, side, quantity, close, status, traded, price, reason }) => ({
      id,
      ticker,
      side,
      quantity,
      close,
      status,
      traded,
      price,
      reason,
    })),
  };
}
