import {
  getCertificate,
  listSharedResults,
  shareResult,
  withdrawSharedResult,
} from '@quantloom/domain/contracts/http/calls';
import type { SharedResult } from '@quantloom/domain/contracts/http/shared-results';
import { useQuery } from '@tanstack/react-query';
import { Download, ExternalLink, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, queryClient } from '../../lib/api.ts';
import { downloadText } from '../../lib/csv.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import type { DraftRow } from '../../lib/resources.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CodeBlock.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.tsx';
import { lastRunWords } from '../terms/last-run-words.ts';

const keyOf = (id: string) => ['shared-results', id];
const absolute = (path: string) => new URL(path, window.location.origin).href;

/** Shares what a strategy came to: links to exactly one result, the page of a public strategy, and a certificate. */
export default function ShareDialog({
  draft,
  open,
  onOpenChange,
  isInEditor = false,
}: {
  draft: DraftRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** It stands over the strategy's editor. */
  isInEditor?: boolean;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Share ${draft.name}`} size="lg">
      <div className="flex flex-col gap-5">
        <ResultLinks draft={draft} isInEditor={isInEditor} />
        <PublicPage draft={draft} />
        {draft.lastRun && <Certificate draft={draft} />}
      </div>
    </Dialog>
  );
}

function ResultLinks({ draft, isInEditor }: { draft: DraftRow; isInEditor: boolean }) {
  const [showsStrategy, setShowsStrategy] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { data: links = [], error } = useQuery({
    queryKey: keyOf(draft.id),
    queryFn: async ({ signal }) => await api().call(listSharedResults, { params: { id: draft.id }, signal }),
  });
  const run = draft.lastRun;
  const create = async () => {
    setBusy(true);
    try {
      await api().call(shareResult, {
        params: { id: draft.id },
        body: { run_id: run?.id ?? 'last', shows_strategy: showsStrategy },
      });
      await queryClient.invalidateQueries({ queryKey: keyOf(draft.id) });
    } catch (reason) {
      tellFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-label="Links to a result" className="flex flex-col gap-3">
      <h3 className="font-semibold">A link to its last result</h3>
      {run ? (
        <>
          <p className="text-muted">
            Whoever has the link sees exactly this run, whatever you change later. Nobody can guess it, and
            you can withdraw it.
          </p>
          <p className="text-sm text-muted">{lastRunWords(run)}</p>
          <Switch
            label="Show the strategy too"
            hint="Otherwise the page shows its result only."
            checked={showsStrategy}
            onChange={setShowsStrategy}
          />
          <div>
            <Button variant="primary" icon={Link2} isBusy={isBusy} onClick={() => void create()}>
              Create link
            </Button>
          </div>
        </>
      ) : (
        <Notice action={!isInEditor && <Link to={`/editor/${draft.id}`}>Open it</Link>}>
          {draft.type === 'template'
            ? 'A template has no single result.'
            : 'Run the strategy as it is saved; then its result can be shared.'}
        </Notice>
      )}
      {error && <Notice kind="danger">The links could not be loaded. They go on working.</Notice>}
      {links.length > 0 && (
        <ul aria-label="Links that work" className="divide-y divide-line rounded border border-line">
          {links.map((link) => (
            <SharedLink key={link.id} link={link} strategyId={draft.id} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SharedLink({ link, strategyId }: { link: SharedResult; strategyId: string }) {
  const [isBusy, setBusy] = useState(false);
  const withdraw = async () => {
    setBusy(true);
    try {
      await api().call(withdrawSharedResult, { params: { id: link.id } });
      toast.success('The link was withdrawn');
      // It has gone whether or not the others can be asked for again.
      queryClient.setQueryData<readonly SharedResult[]>(keyOf(strategyId), (links) =>
        links?.filter(({ id }) => id !== link.id),
      );
      await queryClient.invalidateQueries({ queryKey: keyOf(strategyId) });
    } catch (reason) {
      tellFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  const made = formatDateTime(link.created_at);
  return (
    <li className="flex flex-wrap items-center gap-2 px-3 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <a href={link.url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
          Result to {formatDate(link.last_day)}
        </a>
        <p className="text-sm text-muted">
          Made {made}, revision {link.revision}, {link.shows_strategy ? 'with the strategy' : 'result only'}
        </p>
      </div>
      <CopyButton text={absolute(link.url)} label="Copy link" />
      <Button isBusy={isBusy} onClick={() => void withdraw()} aria-label={`Withdraw the link made ${made}`}>
        Withdraw
      </Button>
    </li>
  );
}

function PublicPage({ draft }: { draft: DraftRow }) {
  const path = `/strategies/${draft.id}`;
  return (
    <section aria-label="Public page" className="flex flex-col gap-2">
      <h3 className="font-semibold">Its public page</h3>
      {draft.is_public ? (
        <>
          <p className="text-muted">
            Everybody can see and copy this strategy, with what it came to since it was published.
          </p>
          <div className="flex flex-wrap gap-2">
            <a href={path} target="_blank" rel="noreferrer" className={buttonClass()}>
              <ExternalLink size={15} aria-hidden />
              Open the page
            </a>
            <CopyButton text={absolute(path)} label="Copy address" />
          </div>
        </>
      ) : (
        <p className="text-muted">
          The strategy is private: it has none. Its visibility is changed in the editor.
        </p>
      )}
    </section>
  );
}

function Certificate({ draft }: { draft: DraftRow }) {
  const download = async (strategy: 'with' | 'without') => {
    try {
      const certificate = await api().call(getCertificate, {
        params: { id: draft.id, run: draft.lastRun?.id ?? 'last' },
        query: { strategy },
      });
      downloadText(
        `${draft.name} certificate.json`,
        'application/json',
        JSON.stringify(certificate, null, 2),
      );
    } catch (reason) {
      tellFailure(reason);
    }
  };
  return (
    <section aria-label="Certificate" className="flex flex-col gap-2">
      <h3 className="font-semibold">A certificate</h3>
      <p className="text-muted">
        A file with which others can compute the result again and see that it is true:{' '}
        <Link to="/verify" className="text-accent underline">
          check one
        </Link>
        , or <code>quantloom verify FILE</code>.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={Download} onClick={() => void download('with')}>
          With the strategy
        </Button>
        <Button icon={Download} onClick={() => void download('without')}>
          Without it
        </Button>
      </div>
    </section>
  );
}
