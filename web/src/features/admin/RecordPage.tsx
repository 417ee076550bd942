import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import { downloadText } from '../../lib/csv.ts';
import { plural } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { PageHeader } from '../../ui/Page.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/toast.tsx';

interface RecordPageProps<Row extends RowData, Query extends object> {
  readonly title: string;
  /** Of the table, for readers of the screen. */
  readonly label: string;
  readonly description: string;
  /** Of one row, and of many where an `s` does not do. */
  readonly counted: readonly [one: string, many?: string];
  /** What could not be loaded, as the subject of a sentence: `The acts`. */
  readonly subject: string;
  /** Name of the file, without its ending. */
  readonly file: string;
  readonly pageSize: number;
  readonly filters: ReactNode;
  /** What the filters say; another one begins at its first page. */
  readonly query: Query;
  readonly load: (
    query: Query & { readonly skip: number; readonly limit: number },
    signal: AbortSignal,
  ) => Promise<{ readonly total: number; readonly rows: readonly Row[] }>;
  /** The whole record as CSV. */
  readonly open: (query: Query & { readonly format: 'csv' }) => Promise<Response>;
  readonly rowId: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly empty: ReactNode;
}

/**
 * A record that only grows, for administrators: filters above it, a page at a time, newest first, and the
 * whole as a file.
 */
export function RecordPage<Row extends RowData, Query extends object>({
  title,
  label,
  description,
  counted: [one, many],
  subject,
  file,
  pageSize,
  filters,
  query,
  load,
  open,
  rowId,
  columns,
  empty,
}: RecordPageProps<Row, Query>) {
  const asked = JSON.stringify(query);
  const [page, setPage] = useState({ asked, skip: 0 });
  if (page.asked !== asked) setPage({ asked, skip: 0 });
  const { skip } = page;
  const goTo = (next: number) => setPage({ asked, skip: Math.max(0, next) });
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', file, query, skip],
    queryFn: ({ signal }) => load({ ...query, skip, limit: pageSize }, signal),
    placeholderData: keepPreviousData,
  });
  const save = useMutation({
    mutationFn: async () =>
      downloadText(`${file}.csv`, 'text/csv', await (await open({ ...query, format: 'csv' })).blob()),
    onError: (reason) => toast.error('The list could not be saved', { description: messageOf(reason) }),
  });
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={title} description={description} />
      <div className="flex flex-wrap items-center gap-2">
        {filters}
        <Button icon={Download} isBusy={save.isPending} onClick={() => save.mutate()}>
          Download CSV
        </Button>
        <p role="status" className="num ml-auto text-sm text-muted">
          {data && plural(data.total, one, many)}
        </p>
      </div>
      {error && !data ? (
        <ErrorState title={`${subject} could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Table label={label} rows={data.rows} rowId={rowId} columns={columns} empty={empty} />
      ) : (
        <div className="rounded border border-line">
          <SkeletonRows columns={columns.length} />
        </div>
      )}
      {data && data.total > pageSize && (
        <div className="flex items-center justify-end gap-2">
          <Button disabled={skip === 0} onClick={() => goTo(skip - pageSize)}>
            Newer
          </Button>
          <Button disabled={skip + pageSize >= data.total} onClick={() => goTo(skip + pageSize)}>
            Older
          </Button>
        </div>
      )}
    </div>
  );
}
