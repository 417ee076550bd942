import { listWaitlist } from '@quantloom/domain/contracts/http/calls';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { api, messageOf } from '../../lib/api.ts';
import { downloadText } from '../../lib/csv.ts';
import { formatDateTime, plural } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { PageHeader } from '../../ui/Page.tsx';
import { Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/toast.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';

const PAGE = 50;

/** Who wants to hear of it when more is open, with the file for whoever writes to them. */
export default function WaitlistPage() {
  const [email, setEmail] = useState('');
  const [skip, setSkip] = useState(0);
  const wanted = useDeferredValue(email.trim());
  const query = wanted === '' ? {} : { email: wanted };
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'waitlist', query, skip],
    queryFn: ({ signal }) => api().call(listWaitlist, { signal, query: { ...query, skip, limit: PAGE } }),
    placeholderData: keepPreviousData,
  });
  const save = useMutation({
    mutationFn: async () => {
      const response = await api().open(listWaitlist, { query: { ...query, format: 'csv' } });
      downloadText('waitlist.csv', 'text/csv', await response.blob());
    },
    onError: (reason) => toast.error('The list could not be saved', { description: messageOf(reason) }),
  });
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Waitlist" description="Addresses that were left to hear of news." />
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Address"
          placeholder="A whole address"
          value={email}
          onChange={(text) => {
            setEmail(text);
            setSkip(0);
          }}
          className="w-full sm:w-72"
        />
        <Button icon={Download} isBusy={save.isPending} onClick={() => save.mutate()}>
          Download CSV
        </Button>
        <p role="status" className="num ml-auto text-sm text-muted">
          {data && plural(data.total, 'address', 'addresses')}
        </p>
      </div>
      {error && !data ? (
        <ErrorState title="The waitlist could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Table
          label="Waitlist"
          rows={data.entries}
          rowId={(row) => `${row.email} ${row.at}`}
          columns={[
            {
              id: 'email',
              header: 'Address',
              className: 'w-full min-w-48 whitespace-normal',
              cell: (row) => <span className="break-all">{row.email}</span>,
            },
            {
              id: 'at',
              header: 'Since',
              className: 'num whitespace-nowrap',
              cell: (row) => formatDateTime(row.at),
            },
          ]}
          empty={
            <EmptyState title="Nobody is there">No address fits, or nobody has left one yet.</EmptyState>
          }
        />
      ) : (
        <div className="rounded border border-line">
          <SkeletonRows columns={2} />
        </div>
      )}
      {data && data.total > PAGE && (
        <div className="flex items-center justify-end gap-2">
          <Button disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - PAGE))}>
            Newer
          </Button>
          <Button disabled={skip + PAGE >= data.total} onClick={() => setSkip(skip + PAGE)}>
            Older
          </Button>
        </div>
      )}
    </div>
  );
}
