import type { RebalanceRule } from '@quantloom/domain/strategy/tree';

/** Whether day `t` of the whole calendar is a trading day of a rule, the first day of a run apart. */
export function isTradingDay(
  calendar: readonly number[],
  t: number,
  rule: RebalanceRule,
  on: 'first' | 'last',
): boolean {
  if (rule === 'daily' || rule === 'corridor') return true;
  if (rule === 'never') return false;
  const day = calendar[t] as number;
  const before = calendar[t - 1];
  if (on === 'first') return before === undefined || periodOf(before, rule) !== periodOf(day, rule);
  return periodOf(calendar[t + 1] ?? nextWeekday(day), rule) !== periodOf(day, rule);
}

function periodOf(day: number, rule: RebalanceRule): string {
  // 1970-01-01 was a Thursday.
  if (rule === 'weekly') return String(Math.floor((day + 3) / 7));
  const date = new Date(day * 86_400_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (rule === 'yearly') return String(year);
  return rule === 'quarterly' ? `${year} ${Math.floor(month / 3)}` : `${year} ${month}`;
}

function nextWeekday(day: number): number {
  const next = day + 1;
  return [0, 6].includes(new Date(next * 86_400_000).getUTCDay()) ? nextWeekday(next) : next;
}
