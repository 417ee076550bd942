import { useQuery } from '@tanstack/react-query';
import { Wallet } from 'lucide-react';
import { useState } from 'react';
import { formatDate, plural } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, Notice } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { followed } from './follows.ts';
import { PaperNights } from './PaperNights.tsx';
import { PaperOpening } from './PaperOpening.tsx';
import { PaperRecord } from './PaperRecord.tsx';
import { formatDollars, PaperHoldings, PaperTonight } from './PaperTonight.tsx';
import { closePaper, type PaperAccount, paperAccount } from './paper.ts';

const TITLE = 'Paper account';

/** An account of paper money that trades what followed strategies decide, after a press each night. */
export default function PaperPage() {
  const answer = useQuery(paperAccount);
  const follows = useQuery(followed);
  const error = answer.error ?? follows.error;
  if (error && !(answer.data && follows.data))
    return (
      <Page title={TITLE}>
        <ErrorState
          title="The paper account could not be loaded"
          error={error}
          onRetry={() => {
            void answer.refetch();
            void follows.refetch();
          }}
        >
          It is safe on the server.
        </ErrorState>
      </Page>
    );
  if (!answer.data || !follows.data) return <LoadingPane />;
  const { account, has_alpaca: hasAlpaca } = answer.data;
  if (account) return <Open account={account} />;
  return (
    <Page
      title={TITLE}
      description="Trade what your strategies decide, with paper money: nothing is traded for real."
      actions={<ButtonLink to="/tomorrow">Tomorrow</ButtonLink>}
    >
      {follows.data.some(({ name }) => name !== null) ? (
        <PaperOpening follows={follows.data} hasAlpaca={hasAlpaca} />
      ) : (
        <div className="rounded border border-line">
          <EmptyState
            icon={Wallet}
            title="You follow no strategy yet"
            action={
              <ButtonLink to="/drafts" variant="primary">
                Choose from drafts
              </ButtonLink>
            }
          >
            A paper account trades what followed strategies decide each night.
          </EmptyState>
        </div>
      )}
    </Page>
  );
}

function Open({ account }: { account: PaperAccount }) {
  const [isClosing, setClosing] = useState(false);
  const { tonight, record, broker_fault: fault } = account;
  const names = account.strategies.map(({ name }) => name ?? 'a strategy that is gone');
  return (
    <Page
      title={TITLE}
      description={
        <span className="break-words">
          {account.broker === 'own'
            ? `${formatDollars(account.start_cash)} of paper money since ${formatDate(account.start_day)}`
            : `Your paper account at Alpaca (key …${account.key_hint}) since ${formatDate(account.start_day)}`}
          , {account.is_fractional ? 'fractions of shares' : 'whole shares'}
          {account.broker === 'own' && `, ${account.slippage_bps} bps of slippage`}, shared by{' '}
          {names.length > 3 ? plural(names.length, 'strategy', 'strategies') : names.join(', ')}.
        </span>
      }
      actions={
        <>
          <ButtonLink to="/tomorrow">Tomorrow</ButtonLink>
          <Button onClick={() => setClosing(true)}>Close account…</Button>
        </>
      }
    >
      {fault !== null && <Notice kind="warning">{fault}</Notice>}
      {tonight && <PaperTonight tonight={tonight} broker={account.broker} />}
      {tonight && <PaperHoldings tonight={tonight} />}
      {record && <PaperRecord record={record} />}
      <PaperNights account={account} />
      <ConfirmDialog
        open={isClosing}
        onOpenChange={setClosing}
        title="Close the paper account"
        confirmLabel="Close account"
        cancelLabel="Keep it"
        onConfirm={closePaper}
      >
        Positions and curve are gone from this page, and orders that wait are not traded. You can open another
        one at any time.{' '}
        {account.broker === 'alpaca' &&
          'Orders that Alpaca has taken stay there; revoke the key there if you do not need it any more.'}
      </ConfirmDialog>
    </Page>
  );
}
