import {
  ADMINISTRATOR_ACTS,
  type AdministratorActType,
} from '@quantloom/domain/administrator-acts/projection';
import { listAdministratorActs } from '@quantloom/domain/contracts/http/calls';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import { api, messageOf } from '../../lib/api.ts';
import { downloadText } from '../../lib/csv.ts';
import { formatDateTime, plural } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { PageHeader } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/toast.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';

const PAGE = 100;
const WORDS: Readonly<Record<AdministratorActType, string>> = {
  UserFeatureGranted: 'Feature granted',
  UserFeatureRevoked: 'Feature taken away',
  UserPlanChanged: 'Plan changed',
  AccountDisabled: 'Account disabled',
  AccountEnabled: 'Account enabled',
  AccountSignedOut: 'Signed out',
  PasswordResetSent: 'Password link sent',
  AccountUnlocked: 'Account unlocked',
  SecondFactorsRemoved: 'Passkeys and codes removed',
  AccountDeletionRequested: 'Deletion asked for',
  AccountDeletionUndone: 'Deletion undone',
};
const ACTS: readonly { readonly value: AdministratorActType | 'all'; readonly label: string }[] = [
  { value: 'all', label: 'Every act' },
  ...ADMINISTRATOR_ACTS.map((value) => ({ value, label: WORDS[value] })),
];

/** What administrators did to accounts: who, what, to whom, when and why. */
export default function ActsPage() {
  const [act, setAct] = useState<AdministratorActType | 'all'>('all');
  const [actor, setActor] = useState('');
  const [person, setPerson] = useState('');
  const [skip, setSkip] = useState(0);
  const chosen = useDeferredValue({ act, actor, person });
  const query = {
    ...(chosen.act !== 'all' && { act: chosen.act }),
    ...(chosen.actor.trim() !== '' && { actor: chosen.actor.trim() }),
    ...(chosen.person.trim() !== '' && { person: chosen.person.trim() }),
  };
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'acts', query, skip],
    queryFn: ({ signal }) =>
      api().call(listAdministratorActs, { signal, query: { ...query, skip, limit: PAGE } }),
    placeholderData: keepPreviousData,
  });
  const save = useMutation({
    mutationFn: async () => {
      const response = await api().open(listAdministratorActs, { query: { ...query, format: 'csv' } });
      downloadText('administrator-acts.csv', 'text/csv', await response.blob());
    },
    onError: (reason) => toast.error('The list could not be saved', { description: messageOf(reason) }),
  });
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Audit" description="What administrators did to accounts, and why." />
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label="Act"
          isLabelHidden
          className="w-full sm:w-48"
          options={ACTS}
          value={act}
          onChange={(value) => {
            setAct(value);
            setSkip(0);
          }}
        />
        <SearchField
          label="Done by"
          placeholder="By: e-mail or user id"
          value={actor}
          onChange={(text) => {
            setActor(text);
            setSkip(0);
          }}
          className="w-full sm:w-56"
        />
        <SearchField
          label="Done to"
          placeholder="To: e-mail or user id"
          value={person}
          onChange={(text) => {
            setPerson(text);
            setSkip(0);
          }}
          className="w-full sm:w-56"
        />
        <Button icon={Download} isBusy={save.isPending} onClick={() => save.mutate()}>
          Download CSV
        </Button>
        <p role="status" className="num ml-auto text-sm text-muted">
          {data && plural(data.total, 'act')}
        </p>
      </div>
      {error && !data ? (
        <ErrorState title="The acts could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Table
          label="Acts of administrators"
          rows={data.acts}
          rowId={(row) => row.id}
          columns={[
            {
              id: 'text',
              header: 'What and why',
              className: 'w-full min-w-48 whitespace-normal',
              cell: (row) => <span className="break-words">{row.text}</span>,
            },
            {
              id: 'person',
              header: 'To whom',
              className: 'whitespace-nowrap',
              cell: (row) => (
                <Link to={`/admin/users/${row.person.id}`} className="hover:underline">
                  {row.person.name}
                </Link>
              ),
            },
            { id: 'actor', header: 'Who', className: 'whitespace-nowrap', cell: (row) => row.actor.name },
            {
              id: 'at',
              header: 'When',
              className: 'num whitespace-nowrap',
              cell: (row) => formatDateTime(row.at),
            },
          ]}
          empty={<EmptyState title="Nothing found">No act fits what you chose.</EmptyState>}
        />
      ) : (
        <div className="rounded border border-line">
          <SkeletonRows columns={3} />
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
