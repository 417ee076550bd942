import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BookOpen, Eye, EyeOff, KeyRound, Lock, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { callPath, messageOf } from '../../lib/api.ts';
import { useFeature } from '../../lib/auth/session.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { Button, ButtonLink, buttonClass, IconButton } from '../../ui/Button.tsx';
import { CodeBlock, CopyButton } from '../../ui/CodeBlock.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, Skeleton } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.tsx';
import { AccountFrame } from './AccountFrame.tsx';

/** Where the Developer Docs are served. */
const DOCS = '/developers';
const KEY = ['api-client'];
const HIDDEN = '•'.repeat(32);

interface ApiClient {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: string | null;
  readonly perMinute: number | null;
  readonly thisMonth: number | null;
}

/** Shape check of the API client answer; null where there is none. */
export function parseApiClient(value: unknown): ApiClient | null {
  const raw = (value ?? {}) as Record<string, unknown>;
  if (typeof raw.id !== 'string' || raw.id === '' || typeof raw.secret !== 'string') return null;
  return {
    id: raw.id,
    secret: raw.secret,
    createdAt: typeof raw.created_at === 'string' ? raw.created_at : null,
    perMinute: typeof raw.requests_per_minute === 'number' ? raw.requests_per_minute : null,
    thisMonth: typeof raw.requests_this_month === 'number' ? raw.requests_this_month : null,
  };
}

/** The machine client of the user: id, secret, and what it has used. */
export default function ApiClientsPage() {
  const isAllowed = useFeature('web.settings.api-clients.view');
  return (
    <AccountFrame
      title="API Clients"
      description="Run backtests from your own programs with the same API that this site uses."
    >
      {isAllowed ? (
        <Client />
      ) : (
        <Panel>
          <EmptyState
            icon={Lock}
            title="The API is part of the paid plans"
            action={
              <ButtonLink to="/account/billing" variant="primary">
                Upgrade Plan
              </ButtonLink>
            }
          >
            Upgrade your plan to access the API.
          </EmptyState>
        </Panel>
      )}
    </AccountFrame>
  );
}

function Client() {
  const queries = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const { data: client, isPending } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      try {
        return parseApiClient(await callPath('GET', '/api/v1/oauth/clients', { signal }));
      } catch (error) {
        // A failure to load is not worth a message: the page then offers to create the client, which answers an existing one.
        console.error('The API client could not be loaded', error);
        return null;
      }
    },
  });
  const create = useMutation({
    mutationFn: async () =>
      parseApiClient(
        await callPath('POST', '/api/v1/oauth/clients', {
          body: { grants: ['client_credentials'], scopes: ['api:backtester'] },
        }),
      ),
    onSuccess: (made) => {
      queries.setQueryData(KEY, made);
      void queries.invalidateQueries({ queryKey: KEY });
    },
    onError: (error) => toast.error('The API client could not be created', { description: messageOf(error) }),
  });
  const remove = async () => {
    await callPath('DELETE', '/api/v1/oauth/clients');
    queries.setQueryData(KEY, null);
  };
  const docs = (
    <a href={DOCS} className={buttonClass()}>
      <BookOpen size={15} aria-hidden />
      Developer Docs
    </a>
  );
  if (isPending)
    return (
      <Panel>
        <Skeleton className="w-2/3" />
      </Panel>
    );
  if (!client)
    return (
      <Panel>
        <EmptyState
          icon={KeyRound}
          title="No API client"
          action={
            <>
              <Button variant="primary" isBusy={create.isPending} onClick={() => create.mutate()}>
                Create API Client
              </Button>
              {docs}
            </>
          }
        >
          A client id and a secret let a program act for you.
        </EmptyState>
      </Panel>
    );
  return (
    <>
      <Panel
        title="API client"
        actions={
          <div className="flex gap-2">
            {docs}
            <Button icon={Trash2} onClick={() => setConfirming(true)}>
              Delete
            </Button>
          </div>
        }
      >
        <dl className="flex flex-col gap-3">
          <Line label="Client ID" value={client.id} />
          <Secret secret={client.secret} />
          {client.thisMonth !== null && (
            <div className="flex flex-wrap gap-x-8 gap-y-1 border-t border-line pt-3 text-muted">
              <div>
                <dt className="inline">Requests this month: </dt>
                <dd className="num inline text-ink">{formatCount(client.thisMonth)}</dd>
              </div>
              <div>
                <dt className="inline">Limit: </dt>
                <dd className="num inline text-ink">{formatCount(client.perMinute)} a minute</dd>
              </div>
              <div>
                <dt className="inline">Created: </dt>
                <dd className="inline text-ink">{formatDate(client.createdAt)}</dd>
              </div>
            </div>
          )}
        </dl>
      </Panel>
      <Panel title="Get a token">
        <CodeBlock
          label="Token request"
          code={`curl ${window.location.origin}/oauth/token \\\n  -d grant_type=client_credentials \\\n  -d client_id=${client.id} \\\n  -d client_secret=$QUANTLOOM_SECRET \\\n  -d scope=api:backtester`}
        />
      </Panel>
      <ConfirmDialog open={isConfirming} onOpenChange={setConfirming} onConfirm={remove}>
        Programs that use this client stop working at once. A new client gets a new id and secret.
      </ConfirmDialog>
    </>
  );
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <dt className="w-28 text-muted">{label}</dt>
      <dd className="flex min-w-0 flex-1 basis-56 items-center gap-1">
        <code className="min-w-0 truncate font-mono text-sm">{value}</code>
        <CopyButton text={value} label={`Copy ${label}`} isIconOnly />
      </dd>
    </div>
  );
}

function Secret({ secret }: { secret: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <dt className="w-28 text-muted">Secret</dt>
      <dd className="flex min-w-0 flex-1 basis-56 items-center gap-1">
        <code className="min-w-0 truncate font-mono text-sm">
          {isShown ? secret : <span aria-hidden>{HIDDEN}</span>}
          {!isShown && <span className="sr-only">Hidden</span>}
        </code>
        <IconButton
          icon={isShown ? EyeOff : Eye}
          label={isShown ? 'Hide secret' : 'Show secret'}
          onClick={() => setShown(!isShown)}
        />
        <CopyButton text={secret} label="Copy secret" isIconOnly />
      </dd>
    </div>
  );
}
