import {
  ADMINISTRATOR_ACTS,
  type AdministratorActType,
} from '@quantloom/domain/administrator-acts/projection';
import { listAdministratorActs } from '@quantloom/domain/contracts/http/calls';
import { useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { EmptyState } from '../../ui/feedback.tsx';
import { Select } from '../../ui/Select.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';
import { RecordPage } from './RecordPage.tsx';

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
  const chosen = useDeferredValue({ act, actor, person });
  const query = {
    ...(chosen.act !== 'all' && { act: chosen.act }),
    ...(chosen.actor.trim() !== '' && { actor: chosen.actor.trim() }),
    ...(chosen.person.trim() !== '' && { person: chosen.person.trim() }),
  };
  return (
    <RecordPage
      title="Audit"
      label="Acts of administrators"
      description="What administrators did to accounts, and why."
      counted={['act']}
      subject="The acts"
      file="administrator-acts"
      pageSize={100}
      query={query}
      load={async (page, signal) => {
        const { acts, total } = await api().call(listAdministratorActs, { signal, query: page });
        return { total, rows: acts };
      }}
      open={(all) => api().open(listAdministratorActs, { query: all })}
      filters={
        <>
          <Select
            label="Act"
            isLabelHidden
            className="w-full sm:w-48"
            options={ACTS}
            value={act}
            onChange={setAct}
          />
          <SearchField
            label="Done by"
            placeholder="By: e-mail or user id"
            value={actor}
            onChange={setActor}
            className="w-full sm:w-56"
          />
          <SearchField
            label="Done to"
            placeholder="To: e-mail or user id"
            value={person}
            onChange={setPerson}
            className="w-full sm:w-56"
          />
        </>
      }
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
  );
}
