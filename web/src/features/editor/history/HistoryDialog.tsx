import {
  getTradingBotHistory,
  getTradingBotRevision,
  type HistoryEntryAnswer,
  restoreTradingBot,
} from '@quantloom/domain/contracts/http/history';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { History } from 'lucide-react';
import { useState } from 'react';
import { api, messageOf, queryClient } from '../../../lib/api.ts';
import { formatAgo, formatDateTime, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/feedback.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { EditorActor, RunActor } from '../EditorWorkspace.tsx';
import { documentOf } from '../model/editor-api.ts';
import { type EditorStore, isUnsaved, useEditorState } from '../model/editor-store.ts';
import { type RunSettings, requestOf } from '../model/run-settings.ts';
import { TreeCompare } from './TreeCompare.tsx';

interface HistoryProps {
  readonly actor: EditorActor;
  readonly run: RunActor;
  readonly store: EditorStore;
  readonly settings: RunSettings;
}

/** Opens the history of a saved strategy. */
export function HistoryButton(props: HistoryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" className="-mt-3 justify-start!" onClick={() => setOpen(true)}>
        <History size={15} aria-hidden /> History
      </Button>
      {isOpen && <HistoryDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Every revision with its changes; each can be compared with the strategy as it stands, opened, backtested and restored. */
function HistoryDialog({ actor, run, store, settings, onClose }: HistoryProps & { onClose: () => void }) {
  const id = useSelector(actor, ({ context }) => context.id);
  const current = useSelector(actor, ({ context }) => context.bot?.revision ?? null);
  const [chosen, setChosen] = useState<number | null>(null);
  const pages = useInfiniteQuery({
    queryKey: ['trading-bots', id, 'history', current],
    queryFn: async ({ pageParam, signal }) =>
      await api().call(getTradingBotHistory, {
        params: { id },
        query: { limit: 50, ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const entries = pages.data?.pages.flatMap((page) => page.entries) ?? [];
  const revision = chosen ?? entries[0]?.revision ?? null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="History"
      description="Every saved revision. Nothing of it is ever lost."
      size="xl"
    >
      <div className="grid gap-4 md:grid-cols-[20rem_1fr]">
        <div className="min-w-0">
          {pages.isPending && <SkeletonRows rows={5} columns={2} />}
          {pages.isError && (
            <ErrorState
              title="The history could not be loaded"
              error={pages.error}
              onRetry={() => void pages.refetch()}
            />
          )}
          <ol aria-label="Revisions" className="flex max-h-[60dvh] flex-col gap-1 overflow-y-auto p-0.5">
            {entries.map((entry) => (
              <li key={entry.id}>
                <Entry
                  entry={entry}
                  isChosen={entry.revision === revision}
                  onChoose={() => setChosen(entry.revision)}
                />
              </li>
            ))}
          </ol>
          {pages.hasNextPage && (
            <Button
              className="mt-2"
              isBusy={pages.isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              Earlier revisions
            </Button>
          )}
        </div>
        {revision !== null && (
          <Revision
            key={revision}
            id={id}
            revision={revision}
            isCurrent={revision === current}
            {...{ actor, run, store, settings, onClose }}
          />
        )}
      </div>
    </Dialog>
  );
}

function Entry({
  entry,
  isChosen,
  onChoose,
}: {
  entry: HistoryEntryAnswer;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { revision, at, summary, actor, changes } = entry;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cx(
        'w-full rounded border px-2.5 py-2 text-left text-sm',
        isChosen ? 'border-brand bg-selected' : 'border-line hover:bg-hover',
      )}
    >
      <span className="flex items-baseline justify-between gap-2">
        <span className="font-medium">{summary}</span>
        <span className="num shrink-0 text-xs text-muted">revision {revision}</span>
      </span>
      <span className="block text-xs text-muted" title={formatDateTime(at)}>
        {actor.label}, {formatAgo(at)}
      </span>
      {changes.slice(0, 4).map(({ text }) => (
        <span key={text} className="mt-0.5 block">
          {text}
        </span>
      ))}
      {changes.length > 4 && (
        <span className="mt-0.5 block text-muted">and {plural(changes.length - 4, 'more change')}</span>
      )}
    </button>
  );
}

function Revision({
  id,
  revision,
  isCurrent,
  actor,
  run,
  store,
  settings,
  onClose,
}: HistoryProps & { id: string; revision: number; isCurrent: boolean; onClose: () => void }) {
  const document = useEditorState(store, ({ history }) => history.present);
  const hasChanges = useEditorState(store, isUnsaved);
  const [isRestoring, setRestoring] = useState(false);
  const query = useQuery({
    queryKey: ['trading-bots', id, 'revision', revision],
    queryFn: async ({ signal }) =>
      await api().call(getTradingBotRevision, { params: { id, revision: String(revision) }, signal }),
    // What was stored once never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const restore = async () => {
    setRestoring(true);
    try {
      const bot = await api().call(restoreTradingBot, {
        params: { id, revision: String(revision) },
        idempotencyKey: crypto.randomUUID(),
      });
      actor.send({ type: 'server.changed', bot });
      void queryClient.invalidateQueries({ queryKey: ['drafts'] });
      toast.success(`Restored revision ${revision}`);
      onClose();
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      setRestoring(false);
    }
  };
  if (query.isPending) return <SkeletonRows rows={8} columns={2} />;
  if (query.isError)
    return (
      <ErrorState
        title="The revision could not be loaded"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  const old = documentOf(query.data);
  const request = requestOf(settings, old.algorithm);
  const isTemplate = query.data.type === 'template';
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            store.replace(old, `Open revision ${revision}`);
            onClose();
          }}
        >
          Open in the editor
        </Button>
        <Button
          disabled={!request || isTemplate}
          onClick={() => {
            if (request) run.send({ type: 'user.run', request, label: `revision ${revision}` });
            onClose();
          }}
        >
          Backtest it
        </Button>
        <Button
          disabled={isCurrent || hasChanges}
          isBusy={isRestoring}
          title={hasChanges ? 'Save or undo your changes first' : undefined}
          onClick={() => void restore()}
        >
          Restore it
        </Button>
        {hasChanges && (
          <p className="self-center text-sm text-muted">To restore, save or undo your changes first.</p>
        )}
      </div>
      <TreeCompare
        before={old.algorithm}
        after={document.algorithm}
        beforeLabel={`Revision ${revision}: ${old.name}`}
        afterLabel="As it stands in the editor"
      />
    </div>
  );
}
