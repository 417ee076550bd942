import { listWaitlist } from '@quantloom/domain/contracts/http/calls';
import { useDeferredValue, useState } from 'react';
import { api } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { EmptyState } from '../../ui/feedback.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';
import { RecordPage } from './RecordPage.tsx';

/** Who wants to hear of it when more is open, with the file for whoever writes to them. */
export default function WaitlistPage() {
  const [email, setEmail] = useState('');
  const wanted = useDeferredValue(email.trim());
  return (
    <RecordPage
      title="Waitlist"
      label="Waitlist"
      description="Addresses that were left to hear of news."
      counted={['address', 'addresses']}
      subject="The waitlist"
      file="waitlist"
      pageSize={50}
      query={wanted === '' ? {} : { email: wanted }}
      load={async (page, signal) => {
        const { entries, total } = await api().call(listWaitlist, { signal, query: page });
        return { total, rows: entries };
      }}
      open={(all) => api().open(listWaitlist, { query: all })}
      filters={
        <SearchField
          label="Address"
          placeholder="A whole address"
          value={email}
          onChange={setEmail}
          className="w-full sm:w-72"
        />
      }
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
      empty={<EmptyState title="Nobody is there">No address fits, or nobody has left one yet.</EmptyState>}
    />
  );
}
