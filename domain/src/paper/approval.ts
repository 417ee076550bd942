import type { EvaluationFailureDocument } from '../forward-test/failure.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Tonight } from './tonight.ts';

/**
 * Why a night's orders cannot be approved; null: they can.
 *
 * @param openDay an earlier night whose orders are not finished: what is held then is not known yet
 * @param failures of strategies that are behind; such a strategy is not waited for
 */
export function whyNotApproved(
  { orders, behind, day }: Pick<Tonight, 'orders' | 'behind' | 'day'>,
  {
    failures,
    openDay,
  }: { readonly failures: readonly EvaluationFailureDocument[]; readonly openDay: string | null },
): Refusal | null {
  if (openDay !== null)
    return refuse(
      409,
      'orders_open',
      `The orders of ${openDay} are not finished yet. Until then nobody knows what is held.`,
    );
  const failed = new Set(failures.filter((failure) => failure.day >= day).map(({ id }) => id));
  if (behind.some((id) => !failed.has(id)))
    return refuse(
      409,
      'not_decided_yet',
      'The decisions for tonight are being made. They are there in a moment.',
    );
  if (orders.length === 0) return refuse(409, 'no_orders', 'There is nothing to trade tonight.');
  return null;
}
