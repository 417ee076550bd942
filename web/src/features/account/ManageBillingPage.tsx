import { changePlan, getBilling, getCurrentUser } from '@quantloom/domain/contracts/http/calls';
import type { PlanId } from '@quantloom/domain/identity/plans';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, CreditCard } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../lib/api.ts';
import { parseUser } from '../../lib/auth/identity.ts';
import { useSession } from '../../lib/auth/session.ts';
import { formatCents, formatCount, formatDate } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, Notice } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/toast.tsx';
import { AccountFrame } from './AccountFrame.tsx';

const KEY = ['billing'];

/** Plan, payment methods and invoices of installations that manage plans themselves. */
export default function ManageBillingPage() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api().call(getBilling, { signal }),
  });
  const queries = useQueryClient();
  const { userChanged } = useSession();
  const [chosen, setChosen] = useState<{ id: string; name: string; cents: number } | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const change = useMutation({
    mutationFn: async (planId: string) => {
      await api().call(changePlan, { body: { plan_id: planId as PlanId } });
      userChanged(parseUser(await api().call(getCurrentUser)));
    },
    onSuccess: () => {
      toast.success('Plan changed');
      void queries.invalidateQueries({ queryKey: KEY });
      void queries.invalidateQueries({ queryKey: ['subscription'] });
    },
  });
  if (error && !data)
    return (
      <AccountFrame title="Manage billing">
        <ErrorState title="Billing could not be loaded" error={error} onRetry={() => void refetch()} />
      </AccountFrame>
    );
  if (!data)
    return (
      <AccountFrame title="Manage billing">
        <LoadingPane />
      </AccountFrame>
    );
  return (
    <AccountFrame title="Manage billing">
      <Link
        to="/account/billing"
        className="inline-flex items-center gap-1 self-start text-muted hover:text-ink"
      >
        <ArrowLeft size={14} aria-hidden /> Billing
      </Link>
      {data.notice && <Notice kind="warning">{data.notice}</Notice>}
      <Panel title="Plan" className="p-0!">
        <ul className="divide-y divide-line">
          {data.plans.map((plan) => (
            <li key={plan.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {plan.name}
                  {!plan.is_available && <Badge color="yellow">Coming Soon</Badge>}
                </p>
                <p className="num text-sm text-muted">
                  {plan.monthly_backtests > 0
                    ? `${formatCount(plan.monthly_backtests)} batch backtests a month, ` +
                      `${formatCount(plan.requests_per_minute)} API requests a minute.`
                    : 'Unlimited trading bots.'}
                </p>
              </div>
              <span className="num font-medium">{formatCents(plan.unit_amount)}</span>
              {plan.id === data.plan_id ? (
                <Badge color="green">Your plan</Badge>
              ) : (
                data.is_self_service && (
                  <Button
                    size="sm"
                    disabled={!plan.is_available || change.isPending}
                    aria-label={`Choose ${plan.name}`}
                    onClick={() => {
                      setChosen({ id: plan.id, name: plan.name, cents: plan.unit_amount });
                      setConfirming(true);
                    }}
                  >
                    Choose
                  </Button>
                )
              )}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Payment methods">
        {data.payment_methods.length === 0 ? (
          <p className="text-muted">No payment method.</p>
        ) : (
          <ul className="flex flex-col gap-2">
            {data.payment_methods.map((method) => (
              <li key={method.id} className="flex items-center gap-3">
                <CreditCard size={16} aria-hidden className="shrink-0 text-muted" />
                <span className="num min-w-0">
                  {method.brand} ending in {method.last4}, expires {method.expires}
                </span>
                {method.is_demo && <Badge color="yellow">demo</Badge>}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <h2 className="font-semibold">Invoices</h2>
      <Table
        label="Invoices"
        rows={data.invoices}
        rowId={(invoice) => invoice.id}
        columns={[
          {
            id: 'date',
            header: 'Date',
            className: 'whitespace-nowrap',
            cell: (invoice) => formatDate(invoice.date),
          },
          {
            id: 'description',
            header: 'Description',
            className: 'w-full',
            cell: (invoice) => invoice.description,
          },
          {
            id: 'status',
            header: 'Status',
            cell: (invoice) => (
              <Badge color={invoice.status === 'demo' ? 'yellow' : 'gray'}>{invoice.status}</Badge>
            ),
          },
          { id: 'amount', header: 'Amount', isNumeric: true, cell: (invoice) => formatCents(invoice.amount) },
        ]}
        empty={<EmptyState title="No invoices">Invoices of paid plans appear here each month.</EmptyState>}
      />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Change to ${chosen?.name ?? ''}`}
        confirmLabel="Change plan"
        cancelLabel="Keep my plan"
        isDangerous={false}
        onConfirm={async () => {
          if (chosen) await change.mutateAsync(chosen.id);
        }}
      >
        {formatCents(chosen?.cents)} a month. The plan takes effect at once.{' '}
        {data.is_demo && 'Nothing is charged.'}
      </ConfirmDialog>
    </AccountFrame>
  );
}
