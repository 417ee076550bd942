import { type LivedRecord, livedRecord } from '../forward-test/lived.ts';
import type { DecisionDocument } from '../forward-test/projections.ts';
import type { PriceSeries } from '../ports/market-data.ts';
import type { PaperAccount, PaperTerms } from './account.ts';
import type { BasketDocument } from './basket.ts';
import { lastCloseOn } from './closes.ts';
import { sharedWeights } from './proposal.ts';

/** What an account held from the close of a day on. */
export interface PaperDay extends Pick<PaperAccount, 'cash' | 'positions'> {
  readonly day: string;
}

export interface PaperRecord {
  readonly days: readonly string[];
  /** Dollars at the close of each day. */
  readonly account: readonly number[];
  readonly as_lived: readonly number[];
  readonly gap: number | null;
  readonly reasons: readonly string[];
}

type Decided = Pick<DecisionDocument, 'day' | 'decidedAt' | 'decision'>;

interface Parts {
  readonly terms: PaperTerms;
  readonly costs: number;
  /** By day, the first one that of the opening. */
  readonly held: readonly PaperDay[];
  /** Of all strategies of the account, in any order. */
  readonly decisions: readonly Decided[];
  readonly baskets: readonly Pick<BasketDocument, 'day' | 'orders'>[];
  readonly series: ReadonlyMap<string, PriceSeries>;
}

/** Smaller gaps are none. */
const CENT = 0.01;
const SAME_PERCENT = 1e-9;

/** The value of an account by day beside what the same money would have become as lived, on the prices of today. */
export function paperRecord(parts: Parts): PaperRecord {
  const { terms, held, series } = parts;
  const combined = combinedDecisions(parts);
  const lived = livedOf(combined, terms, series);
  const start = held[0]?.day ?? terms.startDay;
  const days = lived.days.filter((day) => day >= start);
  const account = days.map((day) => valueOn(held, day, series));
  const from = lived.days.indexOf(days[0] ?? '');
  const base = lived.values[from] ?? 1;
  const asLived = days.map((_, i) => (terms.cash * (lived.values[from + i] ?? base)) / base);
  const gap = days.length === 0 ? null : (account.at(-1) ?? 0) - (asLived.at(-1) ?? 0);
  const reasons = gap !== null && Math.abs(gap) >= CENT ? reasonsOf(parts, combined, account) : [];
  return { days, account, as_lived: asLived, gap, reasons };
}

interface CombinedDay {
  readonly day: string;
  readonly weights: Record<string, number>;
  /** Something was decided that is not what is held already, with what has drifted. */
  readonly isTraded: boolean;
}

/** Of each day what all strategies together had decided in time, as percent of the whole. */
function combinedDecisions({ decisions, terms }: Parts): CombinedDay[] {
  const days = [...new Set(decisions.map(({ day }) => day))].sort();
  const inTime = decisions
    .filter(({ decision }) => !decision.isLate)
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.decidedAt < b.decidedAt ? 1 : -1));
  const last = new Map<string, Decided['decision']>();
  let next = 0;
  return days.map((day) => {
    let isTraded = false;
    for (let one = inTime[next]; one && one.day <= day; one = inTime[++next]) {
      const { decision } = one;
      const before = last.get(decision.strategyId);
      const isQuiet = decision.turnover === 0 && before?.revision === decision.revision;
      isTraded ||= !isQuiet && isChange(before?.weights ?? {}, decision.weights);
      last.set(decision.strategyId, decision);
    }
    const weights = sharedWeights(terms.strategyIds.map((id) => last.get(id)?.weights ?? {}));
    return { day, weights, isTraded };
  });
}

function livedOf(
  combined: readonly CombinedDay[],
  { slippageBps }: PaperTerms,
  series: ReadonlyMap<string, PriceSeries>,
): LivedRecord {
  const documents = combined.map(({ day, weights }) => ({
    day,
    decidedAt: day,
    decision: { weights, isLate: false, revision: 0 } as unknown as DecisionDocument['decision'],
    correction: null,
  }));
  return livedRecord(documents, (ticker, day) => lastCloseOn(series.get(ticker), day), slippageBps / 10_000);
}

function valueOn(held: readonly PaperDay[], day: string, series: ReadonlyMap<string, PriceSeries>): number {
  const now = held.findLast((one) => one.day <= day) ?? held[0];
  if (!now) return 0;
  return Object.entries(now.positions).reduce((sum, [ticker, { quantity, day: counted, close }]) => {
    const then = lastCloseOn(series.get(ticker), counted)?.close;
    const today = lastCloseOn(series.get(ticker), day)?.close;
    // By what it has earned since: closes are adjusted for splits and dividends.
    return sum + quantity * close * (then === undefined || today === undefined ? 1 : today / then);
  }, now.cash);
}

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;
const many = (count: number, one: string, more: string): string => (count === 1 ? one : `${count} ${more}`);

function reasonsOf(
  { terms, costs, baskets, held }: Parts,
  combined: readonly CombinedDay[],
  account: readonly number[],
): string[] {
  const orders = baskets.flatMap((basket) => basket.orders);
  const filled = orders.filter(({ traded }) => traded > 0).length;
  const short = orders.filter(
    ({ status, traded, quantity }) => status === 'ended' && traded < quantity,
  ).length;
  const refused = orders.filter(({ status }) => status === 'refused').length;
  const approved = new Set(baskets.map(({ day }) => day));
  const missed = combined.filter(
    ({ day, isTraded }, i) =>
      day >= terms.startDay && i < combined.length - 1 && !approved.has(day) && isTraded,
  );
  const idle = (held.at(-1)?.cash ?? 0) / Math.max(account.at(-1) ?? 1, CENT);
  return [
    filled > 0 &&
      'Orders are filled at the close after the one that decided; as lived trades at the deciding close itself.',
    missed.length > 0 &&
      `${many(missed.length, 'One night with trades was', 'nights with trades were')} not ` +
        `approved${missed.length <= 3 ? `: ${missed.map(({ day }) => day).join(', ')}` : ''}.`,
    short > 0 && `${many(short, 'One order was', 'orders were')} not traded whole.`,
    refused > 0 && `${many(refused, 'One order was', 'orders were')} refused.`,
    costs > 0 &&
      `${dollars(costs)} of slippage was paid, also for the first purchase, which as lived is not charged.`,
    !terms.isFractional &&
      idle > 0 &&
      `Whole shares leave ${(idle * 100).toFixed(1)}% of the account in cash.`,
  ].filter((reason) => typeof reason === 'string');
}

function isChange(before: Readonly<Record<string, number>>, now: Readonly<Record<string, number>>): boolean {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].some(
    (ticker) => Math.abs((before[ticker] ?? 0) - (now[ticker] ?? 0)) > SAME_PERCENT,
  );
}
