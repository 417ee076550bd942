import type { DecisionAnswer } from '@quantloom/domain/contracts/http/forward-tests';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { decisionsOf } from './follows.ts';
import { holdingsInWords } from './holdings.ts';

const COLUMNS: readonly Column<DecisionAnswer>[] = [
  {
    id: 'day',
    header: 'Closes of',
    className: 'whitespace-nowrap',
    cell: ({ day, decided_at }) => (
      <span title={`Decided ${formatDateTime(decided_at)}`}>{formatDate(day)}</span>
    ),
  },
  {
    id: 'holdings',
    header: 'Holdings',
    cell: ({ weights, correction }) => (
      <>
        {holdingsInWords(weights)}
        {correction && (
          <span className="block text-sm text-muted">
            With corrected prices: {holdingsInWords(correction.weights)}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'marks',
    header: 'Marks',
    cell: ({ is_late, is_simulated }) => <Marks isLate={is_late} isSimulated={is_simulated} />,
  },
  { id: 'revision', header: 'Revision', isNumeric: true, cell: ({ revision }) => revision },
];

/** What must be known of a decision before it is believed. */
export function Marks({ isLate, isSimulated }: { isLate: boolean; isSimulated: boolean }) {
  return (
    <span className="flex flex-wrap gap-1">
      {isLate && <Badge color="orange">late</Badge>}
      {isSimulated && <Badge color="yellow">simulated prices</Badge>}
    </span>
  );
}

/** Every decision of a strategy as it was made. */
export function PastDecisions({ id, name }: { id: string; name: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    decisionsOf(id),
  );
  if (error && !data)
    return (
      <ErrorState title="The decisions could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <SkeletonRows rows={3} columns={3} />;
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <Table
          label={`Past decisions of ${name}`}
          columns={COLUMNS}
          rows={data.pages.flatMap(({ rows }) => rows)}
          rowId={({ day, revision }) => `${day}-${revision}`}
        />
      </div>
      {hasNextPage && (
        <Button size="sm" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier ones
        </Button>
      )}
    </div>
  );
}
