import { getTradingBotHistory } from '@quantloom/domain/contracts/http/calls';
import type { HistoryEntryAnswer } from '@quantloom/domain/contracts/http/history';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../../../lib/api.ts';
import { formatAgo, formatDateTime, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/feedback.tsx';
import { useEditorState } from '../model/editor-store.ts';
import { ChangeText, type Jump } from './ChangeText.tsx';
import { type HistoryProps, Revision } from './Revision.tsx';
import { RevisionMetrics } from './RevisionMetrics.tsx';

/**
 * Every revision with its changes, each a way to its block; any two can be compared, each can be opened,
 * backtested and restored.
 */
export function HistoryDialog({
  actor,
  run,
  store,
  settings,
  onClose,
}: HistoryProps & { onClose: () => void }) {
  const id = useSelector(actor, ({ context }) => context.id);
  const current = useSelector(actor, ({ context }) => context.bot?.revision ?? null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [showsMetrics, setShowsMetrics] = useState(false);
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
  const hasJumped = useRef(false);
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const jump = useMemo((): Jump => {
    const ids = new Set(Array.from(nodesOf(algorithm), ({ node }) => node.id));
    return (nodeId) =>
      ids.has(nodeId)
        ? () => {
            hasJumped.current = true;
            // The dialog, and the choices in it, give the focus back in microtasks after they are gone; the
            // line takes it after them.
            flushSync(onClose);
            queueMicrotask(() => store.reveal(nodeId));
          }
        : null;
  }, [algorithm, store, onClose]);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      returnsFocus={() => !hasJumped.current}
      title="History"
      description="Every saved revision. Nothing of it is ever lost."
      size="xl"
    >
      <div className="grid content-start gap-4 md:min-h-[58dvh] md:grid-cols-[20rem_1fr]">
        <div className="min-w-0">
          {pages.isPending && <SkeletonRows rows={5} columns={2} />}
          {pages.isError && (
            <ErrorState
              title="The history could not be loaded"
              error={pages.error}
              onRetry={() => void pages.refetch()}
            />
          )}
          <ol
            aria-label="Revisions"
            className="-m-0.5 flex max-h-[32dvh] flex-col gap-1 overflow-y-auto p-0.5 md:max-h-[60dvh]"
          >
            {entries.map((entry) => (
              <li key={entry.id}>
                <Entry
                  entry={entry}
                  isChosen={entry.revision === revision}
                  jump={jump}
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
        {revision !== null && showsMetrics && (
          <div className="flex min-w-0 flex-col gap-3">
            <Button size="sm" className="self-start" onClick={() => setShowsMetrics(false)}>
              Show the blocks of revision {revision}
            </Button>
            <RevisionMetrics {...{ id, entries, settings }} chosen={revision} onChoose={setChosen} />
          </div>
        )}
        {revision !== null && !showsMetrics && (
          <Revision
            key={revision}
            id={id}
            revision={revision}
            isCurrent={revision === current}
            others={entries.map((entry) => entry.revision).filter((other) => other !== revision)}
            jump={jump}
            onMetrics={() => setShowsMetrics(true)}
            {...{ actor, run, store, settings, onClose }}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Changes of an entry that are shown at once. */
const SHOWN = 4;

function Entry({
  entry,
  isChosen,
  jump,
  onChoose,
}: {
  entry: HistoryEntryAnswer;
  isChosen: boolean;
  jump: Jump;
  onChoose: () => void;
}) {
  const { revision, at, summary, actor, changes } = entry;
  return (
    <div
      className={cx(
        'rounded border text-sm',
        isChosen ? 'border-brand bg-selected' : 'border-line hover:bg-hover',
      )}
    >
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className="w-full rounded px-2.5 py-2 text-left"
      >
        <span className="flex items-baseline justify-between gap-2">
          <span className="font-medium">{summary}</span>
          <span className="num shrink-0 text-xs text-muted">revision {revision}</span>
        </span>
        <span className="block text-xs text-muted" title={formatDateTime(at)}>
          {actor.label}, {formatAgo(at)}
        </span>
      </button>
      {changes.length > 0 && (
        <ul className="flex flex-col gap-0.5 px-2.5 pb-2">
          {changes.slice(0, isChosen ? changes.length : SHOWN).map(({ text, node_id }) => (
            <li key={`${node_id} ${text}`}>
              <ChangeText text={text} onJump={node_id === undefined ? null : jump(node_id)} />
            </li>
          ))}
          {!isChosen && changes.length > SHOWN && (
            <li className="text-muted">and {plural(changes.length - SHOWN, 'more change')}</li>
          )}
        </ul>
      )}
    </div>
  );
}
