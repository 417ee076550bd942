import { listUsers } from '@quantloom/domain/contracts/http/calls';
import { PLANS, type PlanId } from '@quantloom/domain/identity/plans';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api } from '../../lib/api.ts';
import { formatDate, plural } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { PageHeader } from '../../ui/Page.tsx';
import { Table } from '../../ui/Table.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';

const PAGE = 100;

/** What is granted beyond the plan, and what of it is taken away: `+2 −1`. */
const beyondThePlan = (granted: number, revoked: number): string =>
  [granted > 0 && `+${granted}`, revoked > 0 && `−${revoked}`].filter(Boolean).join(' ') || '--';

/** Finds a user by e-mail, user id, subject or client id. */
export default function UsersPage() {
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const skip = Number(params.get('skip') ?? 0) || 0;
  const navigate = useNavigate();
  const deferred = useDeferredValue(search);
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'users', deferred, skip],
    queryFn: ({ signal }) =>
      api().call(listUsers, { signal, query: { limit: PAGE, skip, ...(deferred && { search: deferred }) } }),
    placeholderData: keepPreviousData,
  });
  const show = (next: { search?: string; skip?: number }) => {
    const merged = { search, skip: 0, ...next };
    setParams(
      {
        ...(merged.search && { search: merged.search }),
        ...(merged.skip > 0 && { skip: String(merged.skip) }),
      },
      { replace: true },
    );
  };
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Users" />
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search users"
          placeholder="E-mail, user id, subject or client id"
          value={search}
          onChange={(text) => show({ search: text })}
          className="w-full sm:w-80"
        />
        <p className="num ml-auto text-sm text-muted">{data && plural(data.total, 'user')}</p>
      </div>
      {error && !data ? (
        <ErrorState title="Users could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Table
          label="Users"
          rows={data.users}
          rowId={(user) => user.id}
          onOpen={(user) => void navigate(`/admin/users/${user.id}`)}
          columns={[
            {
              id: 'email',
              header: 'E-mail',
              className: 'w-full max-w-0',
              cell: (user) => (
                <Link to={`/admin/users/${user.id}`} className="block truncate font-medium hover:underline">
                  {user.email}
                </Link>
              ),
            },
            {
              id: 'plan',
              header: 'Plan',
              className: 'whitespace-nowrap',
              cell: (user) => PLANS[user.plan_id as PlanId]?.name ?? user.plan_id,
            },
            {
              id: 'access',
              header: 'Access',
              className: 'whitespace-nowrap max-sm:hidden',
              cell: (user) => (user.disabled ? <Badge color="red">Disabled</Badge> : 'Enabled'),
            },
            {
              id: 'changes',
              header: 'Beyond the plan',
              isNumeric: true,
              className: 'whitespace-nowrap max-sm:hidden',
              cell: (user) => beyondThePlan(user.granted_features.length, user.revoked_features.length),
            },
            {
              id: 'created',
              header: 'Created',
              className: 'whitespace-nowrap max-sm:hidden',
              cell: (user) => formatDate(user.created_at),
            },
          ]}
          empty={<EmptyState title="Nobody found">No user has this e-mail address or id.</EmptyState>}
        />
      ) : (
        <div className="rounded border border-line">
          <SkeletonRows columns={3} />
        </div>
      )}
      {data && data.total > PAGE && (
        <div className="flex items-center justify-end gap-2">
          <Button disabled={skip === 0} onClick={() => show({ skip: Math.max(0, skip - PAGE) })}>
            Newer
          </Button>
          <Button disabled={skip + PAGE >= data.total} onClick={() => show({ skip: skip + PAGE })}>
            Older
          </Button>
        </div>
      )}
    </div>
  );
}
