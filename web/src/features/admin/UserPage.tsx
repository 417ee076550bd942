import type { AdminUser } from '@quantloom/domain/contracts/http/admin-users';
import { getUser, setUserFeature, setUserPlan } from '@quantloom/domain/contracts/http/calls';
import { FEATURES, type Feature, PLANS, type PlanId } from '@quantloom/domain/identity/plans';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { api, statusOf } from '../../lib/api.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { useTitle } from '../../lib/title.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/feedback.tsx';
import { PageHeader, Panel } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { toast } from '../../ui/toast.tsx';
import { NotFoundView } from '../../ui/views.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { UserAccess } from './UserAccess.tsx';

/** Where a feature of a user comes from. */
function sourceOf(user: AdminUser, feature: Feature): string {
  if (user.revoked_features.includes(feature)) return 'Taken away';
  if (user.granted_features.includes(feature)) return 'Granted';
  return user.features.includes(feature) ? 'By plan' : '';
}

/** One user: plan, features, and everything that ever happened to the account. */
export default function UserPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'user', id],
    queryFn: ({ signal }) => api().call(getUser, { signal, params: { id } }),
  });
  useTitle(data?.user.email ?? 'User');
  if (error && statusOf(error) === 404)
    return (
      <NotFoundView>
        <ButtonLink to="/admin/users">Back to users</ButtonLink>
      </NotFoundView>
    );
  if (error && !data)
    return <ErrorState title="The user could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPane />;
  const { user, history } = data;
  return (
    <div className="flex flex-col gap-4">
      <Link to="/admin/users" className="inline-flex items-center gap-1 self-start text-muted hover:text-ink">
        <ArrowLeft size={14} aria-hidden /> Users
      </Link>
      <PageHeader title={user.email} description={`User since ${formatDate(user.created_at)}`} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Features user={user} />
        <Panel title="Account">
          <dl className="grid grid-cols-[7rem_1fr] items-center gap-y-2">
            <dt className="text-muted">User id</dt>
            <dd className="break-all font-mono text-sm">{user.id}</dd>
            <dt className="text-muted">Subject</dt>
            <dd className="break-all font-mono text-sm">{user.subject}</dd>
            <dt className="text-muted">API client</dt>
            <dd className="break-all font-mono text-sm">{user.api_client_id ?? 'None'}</dd>
            <dt className="text-muted">Access</dt>
            <dd>
              <UserAccess user={user} />
            </dd>
            <dt className="text-muted">Plan</dt>
            <dd>
              <PlanSelect user={user} />
            </dd>
          </dl>
        </Panel>
      </div>
      <Panel title="History" className="p-0!">
        <ol className="divide-y divide-line">
          {history.map((entry) => (
            <li
              key={`${entry.type}/${entry.revision}`}
              className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2"
            >
              <span className="num w-52 shrink-0 text-muted">{formatDateTime(entry.at)}</span>
              <span className="min-w-0 flex-1 basis-64">{entry.text}</span>
              <span className="text-sm text-muted">{entry.actor}</span>
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  );
}

function useRefresh() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['admin'] });
}

function PlanSelect({ user }: { user: AdminUser }) {
  const refresh = useRefresh();
  const [asked, setAsked] = useState<PlanId | null>(null);
  return (
    <>
      <Select
        label="Plan"
        isLabelHidden
        className="max-w-56"
        value={user.plan_id as PlanId}
        onChange={(plan) => plan !== user.plan_id && setAsked(plan)}
        options={Object.values(PLANS).map((plan) => ({ value: plan.id, label: plan.name }))}
      />
      {asked && (
        <ReasonDialog
          title={`Change the plan to ${PLANS[asked].name}?`}
          of={user.email}
          verb="Change plan"
          onClose={() => setAsked(null)}
          onConfirm={async (reason) => {
            await api().call(setUserPlan, { params: { id: user.id }, body: { plan_id: asked, reason } });
            toast.success('Plan changed');
            refresh();
          }}
        >
          It holds at once, with its features and limits.
        </ReasonDialog>
      )}
    </>
  );
}

function Features({ user }: { user: AdminUser }) {
  const refresh = useRefresh();
  const [asked, setAsked] = useState<{ feature: Feature; granted: boolean } | null>(null);
  return (
    <Panel title="Features">
      <ul className="flex flex-col gap-3">
        {FEATURES.map((feature) => (
          <li key={feature} className="flex items-center justify-between gap-3">
            <Switch
              label={<span className="font-mono text-sm">{feature}</span>}
              checked={user.features.includes(feature)}
              onChange={(granted) => setAsked({ feature, granted })}
            />
            {sourceOf(user, feature) && <Badge>{sourceOf(user, feature)}</Badge>}
          </li>
        ))}
      </ul>
      {asked && (
        <ReasonDialog
          title={asked.granted ? 'Grant a feature' : 'Take a feature away'}
          of={user.email}
          verb={asked.granted ? 'Grant' : 'Take away'}
          onClose={() => setAsked(null)}
          onConfirm={async (reason) => {
            await api().call(setUserFeature, { params: { id: user.id }, body: { ...asked, reason } });
            toast.success('Features changed');
            refresh();
          }}
        >
          <span className="font-mono text-sm">{asked.feature}</span>
        </ReasonDialog>
      )}
    </Panel>
  );
}
