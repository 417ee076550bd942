import { PLANS, type PlanId } from '../identity/plans.ts';

export interface Invoice {
  readonly id: string;
  /** First day of the month, `YYYY-MM-DD`. */
  readonly date: string;
  readonly description: string;
  /** In cents. */
  readonly amount: number;
}

const monthOf = (iso: string): string => iso.slice(0, 7);

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/**
 * What a user would have paid, the newest first: one line for each calendar month (UTC) with a paid plan, at
 * the price of the dearest plan of that month.
 *
 * @param history changes of plan in order of time, the first one included; times are ISO 8601
 */
export function invoicesOf(
  history: readonly { readonly planId: PlanId; readonly from: string }[],
  now: Date,
): Invoice[] {
  const first = history[0];
  if (!first) return [];
  const invoices: Invoice[] = [];
  const last = monthOf(now.toISOString());
  for (let month = monthOf(first.from); month <= last; month = nextMonth(month)) {
    const atStart = history.findLast(({ from }) => monthOf(from) < month);
    const during = history.filter(({ from }) => monthOf(from) === month);
    const plans = [...(atStart ? [atStart] : []), ...during].map(({ planId }) => PLANS[planId]);
    const dearest = plans.reduce(
      (best, plan) => (plan.priceCents > best.priceCents ? plan : best),
      PLANS.free,
    );
    if (dearest.priceCents > 0)
      invoices.unshift({
        id: `demo-${month}`,
        date: `${month}-01`,
        description: `${dearest.name}, ${month}`,
        amount: dearest.priceCents,
      });
  }
  return invoices;
}
