import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BookOpen, Eye, EyeOff, KeyRound, Lock, RefreshCw, ScrollText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import { useFeature } from '../../lib/auth/session.ts';
import { formatCount, formatDate, formatDateTime } from '../../lib/format.ts';
import { Button, ButtonLink, buttonClass, IconButton } from '../../ui/Button.tsx';
import { CodeBlock, CopyButton } from '../../ui/CodeBlock.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, Skeleton } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import {
  deleteClient,
  loadClients,
  type NamedClient,
  replaceClient,
  SCOPES,
  secretOf,
} from './api-client-list.ts';
import { NewApiClient } from './NewApiClient.tsx';

/** Where the Developer Docs are served. */
const DOCS = '/developers';
const KEY = ['api-clients'];
const HIDDEN = '•'.repeat(32);

/** The machine clients of the user: ids, secrets, what each may do, until when, and what it has used. */
export default function ApiClientsPage() {
  const isAllowed = useFeature('web.settings.api-clients.view');
  return (
    <AccountFrame
      title="API Clients"
      description="Run backtests from your own programs with the same API that this site uses."
    >
      {isAllowed ? (
        <Clients />
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

function Clients() {
  const queries = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const { data, isPending } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => loadClients(signal) });
  const reload = () => queries.invalidateQueries({ queryKey: KEY });
  if (isPending)
    return (
      <Panel>
        <Skeleton className="w-2/3" />
      </Panel>
    );
  const clients = data?.clients ?? [];
  const actions = (
    <>
      <Button variant="primary" onClick={() => setCreating(true)}>
        Create API Client
      </Button>
      <a href={DOCS} className={buttonClass()}>
        <BookOpen size={15} aria-hidden />
        Developer Docs
      </a>
    </>
  );
  const example = clients.find(({ isReplaced }) => !isReplaced);
  return (
    <>
      {clients.length === 0 ? (
        <Panel>
          <EmptyState icon={KeyRound} title="No API client" action={actions}>
            A client id and a secret let a program act for you.
          </EmptyState>
        </Panel>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          {actions}
          {data?.perMinute !== null && (
            <p className="text-muted">
              Limit: <span className="num text-ink">{formatCount(data?.perMinute)}</span> requests a minute,
              all clients together
            </p>
          )}
        </div>
      )}
      {clients.map((client) => (
        <Client key={client.id} client={client} reload={reload} />
      ))}
      {example && (
        <Panel title="Get a token">
          <CodeBlock
            label="Token request"
            code={
              `curl ${window.location.origin}/oauth/token \\\n  -d grant_type=client_credentials ` +
              `\\\n  -d client_id=${example.id} \\\n  -d client_secret=$QUANTLOOM_SECRET \\\n  -d ` +
              'scope=api:backtester'
            }
          />
        </Panel>
      )}
      <NewApiClient open={isCreating} onOpenChange={setCreating} onCreated={reload} />
    </>
  );
}

function Client({ client, reload }: { client: NamedClient; reload: () => Promise<unknown> }) {
  const [asked, setAsked] = useState<'replace' | 'delete' | null>(null);
  const { id, name } = client;
  const allowed = SCOPES.filter(({ value }) => client.scopes.includes(value)).map(({ label }) => label);
  const close = () => setAsked(null);
  return (
    <Panel
      title={name}
      actions={
        <div className="flex flex-wrap gap-2">
          {!client.isReplaced && (
            <Button icon={RefreshCw} aria-label={`Replace ${name}`} onClick={() => setAsked('replace')}>
              Replace
            </Button>
          )}
          <Button icon={Trash2} aria-label={`Delete ${name}`} onClick={() => setAsked('delete')}>
            Delete
          </Button>
        </div>
      }
    >
      <dl className="flex flex-col gap-3">
        <Line label="Client ID" value={id} />
        <Secret id={id} />
      </dl>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-1 border-t border-line pt-3 text-muted">
        <Fact label="May" value={allowed.join(', ')} />
        <Fact label="Created" value={formatDate(client.createdAt)} />
        <Fact
          label="Last used"
          value={client.lastUsedAt === null ? 'never' : formatDateTime(client.lastUsedAt)}
        />
        {client.endsAt !== null && (
          <Fact
            label={client.isReplaced ? 'Replaced, works until' : 'Works until'}
            value={formatDateTime(client.endsAt)}
          />
        )}
        {client.thisMonth !== null && (
          <Fact label="Requests this month" value={formatCount(client.thisMonth)} />
        )}
      </dl>
      <p className="mt-3">
        <ButtonLink to={`/account/history?search=${encodeURIComponent(id)}`} size="sm" icon={ScrollText}>
          What {name} did
        </ButtonLink>
      </p>
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={close}
        onConfirm={async () => {
          await deleteClient(id);
          await reload();
        }}
      >
        Programs that use this client stop working at once. A new client gets a new id and secret.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'replace'}
        onOpenChange={close}
        title={`Replace ${name}`}
        confirmLabel="Replace"
        isDangerous={false}
        onConfirm={async () => {
          await replaceClient(id);
          await reload();
        }}
      >
        A new client of the same kind gets a new id and secret. The old ones work for a day more, so that you
        can change your programs.
      </ConfirmDialog>
    </Panel>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="inline">{label}: </dt>
      <dd className="num inline text-ink">{value}</dd>
    </div>
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

/** The secret is not on the page before somebody asks for it. */
function Secret({ id }: { id: string }) {
  const [secret, setSecret] = useState<string | null>(null);
  const toggle = async () => {
    if (secret !== null) return setSecret(null);
    try {
      setSecret(await secretOf(id));
    } catch (error) {
      toast.error('The secret could not be loaded', { description: messageOf(error) });
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <dt className="w-28 text-muted">Secret</dt>
      <dd className="flex min-w-0 flex-1 basis-56 items-center gap-1">
        <code className="min-w-0 truncate font-mono text-sm">
          {secret ?? <span aria-hidden>{HIDDEN}</span>}
          {secret === null && <span className="sr-only">Hidden</span>}
        </code>
        <IconButton
          icon={secret === null ? Eye : EyeOff}
          label={secret === null ? 'Show secret' : 'Hide secret'}
          onClick={() => void toggle()}
        />
        {secret !== null && <CopyButton text={secret} label="Copy secret" isIconOnly />}
      </dd>
    </div>
  );
}
