import type { BatchHoldOut } from '@quantloom/domain/batch/hold-out';
import { formatDate } from '../../../lib/format.ts';

/** One sentence on which date a batch keeps under its strategy's hold-out, and why. */
export function holdOutText({ date, holds }: BatchHoldOut, ownDate: string | null): string {
  const from = formatDate(date);
  switch (holds) {
    case 'strategy':
      return `The strategy holds out the days from ${from} on: that is the out-of-sample date.`;
    case 'batch':
      return (
        `The batch's own date ${ownDate === null ? '' : `${formatDate(ownDate)} `}holds: it is ` +
        `earlier than ${from}, from which on the strategy holds its days out.`
      );
    case 'not_reached':
      return `The period ends before ${from}, from which on the strategy holds its days out.`;
    default:
      return holds satisfies never;
  }
}
