import { useRef } from 'react';
import { formatCount, plural } from '../lib/format.ts';

/**
 * "5,005 strategies", or "12 of 5,005 strategies" where a search or a filter leaves some out. Told to screen
 * readers when it changes.
 */
export function ListCount({
  found,
  all,
  isFiltered,
  isStale,
  isCatchingUp,
  one,
  many,
}: {
  found: number | null;
  all: number | null;
  isFiltered: boolean;
  /** The number of the present question is on the way: the one before stays. */
  isStale: boolean;
  /** The server has more than it can list yet. */
  isCatchingUp: boolean;
  one: string;
  many: string;
}) {
  const told = useRef('');
  const total = isFiltered ? all : found;
  if (!isStale && total !== null && found !== null)
    told.current = isFiltered
      ? `${formatCount(found)} of ${plural(total, one, many)}`
      : plural(total, one, many);
  return (
    <p aria-live="polite" className="num ml-auto text-sm text-muted">
      {told.current}
      {isCatchingUp && ' so far: the list is catching up'}
    </p>
  );
}
