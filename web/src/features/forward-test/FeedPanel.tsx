import { getFeed, removeFeed, renewFeed } from '@quantloom/domain/contracts/http/calls';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf, queryClient } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CodeBlock.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';

const KEY = ['feed'];

interface Addresses {
  readonly atom: string;
  readonly calendar: string;
}

/** The secret addresses under which programs read what followed strategies decide: made, made anew, turned off. */
export function FeedPanel() {
  const feed = useQuery({ queryKey: KEY, queryFn: ({ signal }) => api().call(getFeed, { signal }) });
  const [made, setMade] = useState<Addresses | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState<{ readonly isGood: boolean; readonly text: string } | null>(null);
  const act = async (work: () => Promise<string>) => {
    setBusy(true);
    setTold(null);
    try {
      setTold({ isGood: true, text: await work() });
      await queryClient.invalidateQueries({ queryKey: KEY });
    } catch (error) {
      setTold({ isGood: false, text: messageOf(error) });
    }
    setBusy(false);
  };
  const renew = () =>
    act(async () => {
      const answer = await api().call(renewFeed, { idempotencyKey: crypto.randomUUID() });
      const whole = (path: string) => new URL(path, window.location.origin).href;
      setMade({ atom: whole(answer.atom_url), calendar: whole(answer.calendar_url) });
      return 'Copy the addresses now: they are not shown again.';
    });
  const remove = () =>
    act(async () => {
      await api().call(removeFeed, { idempotencyKey: crypto.randomUUID() });
      setMade(null);
      return 'The feed and the calendar are off: their addresses open nothing any more.';
    });
  const createdAt = feed.data?.created_at ?? null;
  return (
    <Panel title="Feed and calendar">
      <div className="flex max-w-xl flex-col gap-3 text-sm">
        <p className="text-muted">
          Changes of holdings, nights that failed, and bands that were left, for a feed reader or a calendar.
          Both read them under a secret address, without signing in: whoever knows it reads them, too.
        </p>
        {feed.error && (
          <Notice
            kind="warning"
            action={
              <Button size="sm" onClick={() => void feed.refetch()}>
                Try again
              </Button>
            }
          >
            Whether you have addresses could not be loaded: {messageOf(feed.error)}
          </Notice>
        )}
        {feed.data && (
          <>
            <p>
              {createdAt === null
                ? 'You have no addresses: nothing can be read.'
                : `Your addresses were made on ${formatDateTime(createdAt)}.`}
            </p>
            {made && (
              <dl className="flex flex-col gap-3">
                <Address name="Feed (Atom)" address={made.atom} />
                <Address name="Calendar (.ics)" address={made.calendar} />
              </dl>
            )}
            <div className="flex flex-wrap gap-2">
              <Button isBusy={isBusy} disabled={isBusy} onClick={() => void renew()}>
                {createdAt === null ? 'Create secret addresses' : 'New addresses'}
              </Button>
              {createdAt !== null && (
                <Button disabled={isBusy} onClick={() => void remove()}>
                  Turn off
                </Button>
              )}
            </div>
            {createdAt !== null && made === null && (
              <p className="text-muted">
                Lost them? New addresses take their place, and the earlier ones open nothing any more.
              </p>
            )}
          </>
        )}
        <div role="status">
          {told && <Notice kind={told.isGood ? 'success' : 'warning'}>{told.text}</Notice>}
        </div>
      </div>
    </Panel>
  );
}

function Address({ name, address }: { name: string; address: string }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 break-all">{address}</code>
        <CopyButton text={address} label={`Copy the address of the ${name.split(' ')[0]?.toLowerCase()}`} />
      </dd>
    </div>
  );
}
