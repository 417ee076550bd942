import type { Follow } from '@quantloom/domain/contracts/http/forward-tests';
import { useQuery } from '@tanstack/react-query';
import { Bell, CalendarClock, Download, Printer, Wallet } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { downloadText } from '../../lib/csv.ts';
import { formatCents, formatDate, formatDateTime } from '../../lib/format.ts';
import { entryFault } from '../../lib/number-entry.ts';
import { useListAddress, useTypedSearch } from '../../lib/paged-list.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, Notice } from '../../ui/feedback.tsx';
import { Page, Panel } from '../../ui/Page.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { TextField } from '../../ui/text-inputs.tsx';
import { readAmount } from './amount.ts';
import { FailureNotice } from './FailureNotice.tsx';
import FollowButton from './FollowButton.tsx';
import { followed, preferAmount, preferredAmount, tomorrow, unfollow } from './follows.ts';
import { holdingsCsv } from './holdings.ts';
import { TomorrowPanel } from './TomorrowPanel.tsx';
import { TotalsPanel } from './TotalsPanel.tsx';

/** What every followed strategy holds next. */
export default function TomorrowPage() {
  const address = useListAddress();
  const typed = address.value('amount');
  const isFilled = useRef(typed !== '');
  const [text, setText] = useTypedSearch(typed, (next) => {
    isFilled.current = true;
    address.set({ amount: next });
    // An address that somebody was given changes nothing; what is typed here is kept.
    const read = readAmount(next);
    if (next === '') preferAmount(null).catch(tellFailure);
    else if (read.isRead) preferAmount(read.value).catch(tellFailure);
  });
  const preferred = useQuery(preferredAmount).data;
  useEffect(() => {
    if (isFilled.current || preferred === undefined) return;
    isFilled.current = true;
    if (preferred !== null) address.set({ amount: String(preferred) });
  }, [preferred, address]);
  const entry = readAmount(typed);
  const amount = entry.isRead ? entry.value : null;
  const follows = useQuery(followed);
  const answer = useQuery(tomorrow(amount, follows.data ?? []));
  const error = follows.error ?? answer.error;
  if (error && !(follows.data && answer.data))
    return (
      <Page title="Tomorrow">
        <ErrorState
          title="The decisions could not be loaded"
          error={error}
          onRetry={() => {
            void follows.refetch();
            void answer.refetch();
          }}
        >
          They are safe on the server.
        </ErrorState>
      </Page>
    );
  if (!follows.data || !answer.data) return <LoadingPane />;
  const rows = new Map(answer.data.map((row) => [row.strategy_id, row]));
  const shown = answer.data;
  if (follows.data.length === 0)
    return (
      <Page title="Tomorrow">
        <div className="rounded border border-line">
          <EmptyState
            icon={CalendarClock}
            title="You follow no strategy yet"
            action={
              <ButtonLink to="/drafts" variant="primary">
                Choose from drafts
              </ButtonLink>
            }
          >
            Choose Follow in the menu of a strategy in Drafts, or in the editor. What it decides each night
            appears here.
          </EmptyState>
        </div>
      </Page>
    );
  const fault = text.trim() === '' ? null : entryFault(readAmount(text));
  return (
    <Page
      title="Tomorrow"
      isPrinted
      description={
        <>
          What the strategies that you follow hold on the next trading day.
          <span className="hidden print:inline">
            {amount !== null && ` Amount in each strategy: ${formatCents(amount * 100)}.`} Printed{' '}
            {formatDateTime(new Date().toISOString())}.
          </span>
        </>
      }
      actions={
        <>
          <ButtonLink to="/tomorrow/alerts" icon={Bell}>
            Alerts
          </ButtonLink>
          <ButtonLink to="/tomorrow/paper" icon={Wallet}>
            Paper account
          </ButtonLink>
          {shown.length > 0 && (
            <Button
              icon={Download}
              onClick={() => downloadText('Tomorrow.csv', 'text/csv', holdingsCsv(shown))}
            >
              CSV of all
            </Button>
          )}
          {shown.length > 0 && (
            <Button icon={Printer} onClick={() => window.print()}>
              Print
            </Button>
          )}
        </>
      }
    >
      <TextField
        label="Amount in each strategy ($)"
        hint="For money and shares. Your account keeps it for every device."
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={setText}
        error={fault ?? undefined}
        className="w-full sm:w-80 print:hidden"
      />
      <TotalsPanel rows={shown} amount={amount} />
      {follows.data.map((follow) => {
        const row = rows.get(follow.strategy_id);
        return row ? (
          <TomorrowPanel key={row.strategy_id} row={row} hasAmount={amount !== null} />
        ) : (
          <Undecided key={follow.strategy_id} follow={follow} />
        );
      })}
    </Page>
  );
}

/** A followed strategy of which there is nothing to show: not yet, or not any more. */
function Undecided({ follow: { strategy_id: id, name, followed_at, failure } }: { follow: Follow }) {
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      await unfollow(id);
    } catch (reason) {
      tellFailure(reason);
      setBusy(false);
    }
  };
  if (name === null)
    return (
      <Notice
        action={
          <Button size="sm" isBusy={isBusy} onClick={() => void leave()}>
            Stop following
          </Button>
        }
      >
        A strategy that you have followed since {formatDate(followed_at)} was deleted or made private. Its
        decisions are not shown any more.
      </Notice>
    );
  return (
    <Panel
      title={
        <Link to={`/editor/${id}`} className="break-words hover:underline">
          {name}
        </Link>
      }
      actions={<FollowButton strategy={{ id, name }} size="sm" />}
    >
      {failure ? (
        <FailureNotice failure={failure} />
      ) : (
        <p role="status" className="text-muted">
          Its first decision is being made. It appears here by itself.
        </p>
      )}
    </Panel>
  );
}
