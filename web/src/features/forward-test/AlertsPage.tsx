import {
  changeAlerts,
  getAlerts,
  listSentAlerts,
  renewWebhookSecret,
  testWebhook,
} from '@quantloom/domain/contracts/http/calls';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf, queryClient } from '../../lib/api.ts';
import { entryFault, readNumber } from '../../lib/number-entry.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CodeBlock.tsx';
import { ErrorState, Notice } from '../../ui/feedback.tsx';
import { Page, Panel } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/text-inputs.tsx';
import { toast } from '../../ui/toast.tsx';
import { FeedPanel } from './FeedPanel.tsx';
import { SentAlerts } from './SentAlerts.tsx';

const KEY = ['alerts'];
const NEAR = { min: 0.01, max: 50 };
const MAILS = [
  { value: 'off', label: 'No mails' },
  { value: 'each', label: 'One for each strategy with news' },
  { value: 'daily', label: 'One a day for all of them' },
] as const;

type Settings = Awaited<ReturnType<typeof loadAlerts>>;

const loadAlerts = (signal?: AbortSignal) => api().call(getAlerts, signal ? { signal } : {});

/** What the user is told of the strategies that he follows, and how. */
export default function AlertsPage() {
  const settings = useQuery({ queryKey: KEY, queryFn: ({ signal }) => loadAlerts(signal) });
  const sent = useQuery({
    queryKey: [...KEY, 'sent'],
    queryFn: ({ signal }) => api().call(listSentAlerts, { signal }),
  });
  if (settings.error && !settings.data)
    return (
      <Page title="Alerts">
        <ErrorState
          title="Your alerts could not be loaded"
          error={settings.error}
          onRetry={() => void settings.refetch()}
        >
          Nothing was changed.
        </ErrorState>
      </Page>
    );
  if (!settings.data) return <LoadingPane />;
  return (
    <Page
      title="Alerts"
      description="News of the strategies that you follow. Nothing is sent until you ask for it here."
      actions={<ButtonLink to="/tomorrow">Tomorrow</ButtonLink>}
    >
      <Form
        // What was saved elsewhere begins anew; a new secret changes nothing of what is typed.
        key={JSON.stringify({ ...settings.data, webhook_secret: null })}
        settings={settings.data}
      />
      {settings.data.webhook_secret !== null && <Webhook secret={settings.data.webhook_secret} />}
      <FeedPanel />
      <Panel title="What was sent">
        {sent.error ? (
          <Notice kind="warning">The list could not be loaded: {messageOf(sent.error)}</Notice>
        ) : (
          <SentAlerts sent={sent.data ?? []} />
        )}
      </Panel>
    </Page>
  );
}

function Form({ settings }: { settings: Settings }) {
  const [mail, setMail] = useState<Settings['mail']>(settings.mail);
  const [url, setUrl] = useState(settings.webhook_url ?? '');
  const [isOnHoldings, setOnHoldings] = useState(settings.on_holdings);
  const [isOnFailure, setOnFailure] = useState(settings.on_failure);
  const [isOnBand, setOnBand] = useState(settings.on_band);
  const [near, setNear] = useState(settings.near_percent === null ? '' : String(settings.near_percent));
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const entry = readNumber(near, NEAR);
  const nearFault = near.trim() === '' ? null : entryFault(entry);
  const save = async () => {
    setBusy(true);
    setFault(null);
    try {
      await api().call(changeAlerts, {
        body: {
          mail,
          webhook_url: url.trim() === '' ? null : url.trim(),
          on_holdings: isOnHoldings,
          on_failure: isOnFailure,
          on_band: isOnBand,
          near_percent: near.trim() !== '' && entry.isRead ? entry.value : null,
        },
        idempotencyKey: crypto.randomUUID(),
      });
      await queryClient.invalidateQueries({ queryKey: KEY });
      toast.success('Your alerts are saved');
    } catch (error) {
      setFault(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <Panel title="What you are told, and how">
      <form
        className="flex max-w-xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (nearFault === null) void save();
        }}
      >
        <Switch
          label="A strategy changes what it holds"
          hint="The trades of the next day, in percent."
          checked={isOnHoldings}
          onChange={setOnHoldings}
        />
        <Switch
          label="A strategy could not be evaluated"
          hint="For instance when a ticker has no prices any more."
          checked={isOnFailure}
          onChange={setOnFailure}
        />
        <Switch
          label="A strategy leaves its band"
          hint="The first day on which the record is outside of what its backtest made probable; once a year at most."
          checked={isOnBand}
          onChange={setOnBand}
        />
        <TextField
          label="A condition is close to flipping: within (%)"
          hint="How far the price at which it flips is from the last close. Where no single price flips it: both sides, in percent of the larger one. Empty: not told."
          inputMode="decimal"
          autoComplete="off"
          value={near}
          onChange={setNear}
          error={nearFault}
          className="w-full sm:w-80"
        />
        <Select label="Mails" options={MAILS} value={mail} onChange={setMail} className="w-full sm:w-80" />
        <TextField
          label="Webhook"
          hint="Where news is posted as JSON, signed: an address on the public internet that begins with https://. Empty: nowhere."
          type="url"
          autoComplete="off"
          value={url}
          onChange={setUrl}
        />
        {fault !== null && <Notice kind="danger">{fault}</Notice>}
        <Button
          type="submit"
          variant="primary"
          isBusy={isBusy}
          disabled={isBusy || nearFault !== null}
          className="self-start"
        >
          Save alerts
        </Button>
      </form>
    </Panel>
  );
}

function Webhook({ secret }: { secret: string }) {
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState<{ readonly isGood: boolean; readonly text: string } | null>(null);
  const act = async (work: () => Promise<{ readonly isGood: boolean; readonly text: string }>) => {
    setBusy(true);
    setTold(null);
    try {
      setTold(await work());
    } catch (error) {
      setTold({ isGood: false, text: messageOf(error) });
    }
    setBusy(false);
  };
  const test = () =>
    act(async () => {
      const { is_delivered, status, reason } = await api().call(testWebhook, {
        idempotencyKey: crypto.randomUUID(),
      });
      return { isGood: is_delivered, text: is_delivered ? `It was taken with ${status}.` : `${reason}.` };
    });
  const renew = () =>
    act(async () => {
      await api().call(renewWebhookSecret, { idempotencyKey: crypto.randomUUID() });
      await queryClient.invalidateQueries({ queryKey: KEY });
      return { isGood: true, text: 'Messages are signed with the new secret from now on.' };
    });
  return (
    <Panel title="The webhook">
      <div className="flex max-w-xl flex-col gap-3 text-sm">
        <p className="text-muted">
          Each message has a header <code className="break-all">quantloom-signature: t=SECONDS,v1=HEX</code>:
          the HMAC-SHA-256 of <code>SECONDS.BODY</code> under this secret. Refuse what does not match or is
          older than some minutes.
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 break-all">{secret}</code>
          <CopyButton text={secret} label="Copy the secret" />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button isBusy={isBusy} disabled={isBusy} onClick={() => void test()}>
            Send a test
          </Button>
          <Button disabled={isBusy} onClick={() => void renew()}>
            New secret
          </Button>
        </div>
        <div role="status">
          {told && <Notice kind={told.isGood ? 'success' : 'warning'}>{told.text}</Notice>}
        </div>
      </div>
    </Panel>
  );
}
