import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import { toDay } from './format.ts';

/** Today as everything counts it, `YYYY-MM-DD`: the day at the exchange. */
export function today(now: Date = new Date()): string {
  return exchangeDay(now);
}

/** The last day that can be picked or typed: today, or the person's own day where that is the next one already. */
export function lastDayToPick(now: Date = new Date()): string {
  const [exchange, own] = [exchangeDay(now), toDay(now)];
  const isOwnLater = own > exchange;
  return isOwnLater ? own : exchange;
}
