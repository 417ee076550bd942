import { getTradingBotRevision, restoreTradingBot } from '@quantloom/domain/contracts/http/calls';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf, queryClient } from '../../../lib/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/feedback.tsx';
import { Select } from '../../../ui/Select.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { EditorActor, RunActor } from '../machines/actors.ts';
import { documentOf } from '../model/editor-api.ts';
import { type EditorDocument, type EditorStore, isUnsaved, useEditorState } from '../model/editor-store.ts';
import { type RunSettings, requestOf } from '../model/run-settings.ts';
import type { Jump } from './ChangeText.tsx';
import { TreeCompare } from './TreeCompare.tsx';

export interface HistoryProps {
  readonly actor: EditorActor;
  readonly run: RunActor;
  readonly store: EditorStore;
  readonly settings: RunSettings;
}

interface ComparedRevision {
  readonly revision: number;
  readonly old: EditorDocument;
  readonly jump: Jump;
}

/** Stands for the strategy as it is in the editor, beside the numbers of revisions. */
const EDITOR = 'editor';

/** One revision: compared with the strategy as it stands or with another revision, opened, backtested, restored. */
export function Revision({
  id,
  revision,
  isCurrent,
  others,
  jump,
  actor,
  store,
  settings,
  onMetrics,
  onClose,
}: HistoryProps & {
  id: string;
  revision: number;
  isCurrent: boolean;
  /** Revisions that it can be compared with, the newest first. */
  others: readonly number[];
  jump: Jump;
  /** Shows the metrics of all revisions, this one marked. */
  onMetrics: () => void;
  onClose: () => void;
}) {
  const hasChanges = useEditorState(store, isUnsaved);
  const [isRestoring, setRestoring] = useState(false);
  // What the editor shows says nothing of itself: then the change that led here is what one wants to see.
  const [other, setOther] = useState<number | null>(() =>
    isCurrent && !hasChanges ? (others.find((one) => one < revision) ?? null) : null,
  );
  const query = useRevision(id, revision);
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
  if (query.isError) return <RevisionError query={query} />;
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
          title="Its metrics beside those of the other revisions"
          onClick={onMetrics}
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
        <Select
          label="Compare with"
          isLabelHidden
          className="w-64"
          value={other === null ? EDITOR : String(other)}
          onChange={(value) => setOther(value === EDITOR ? null : Number(value))}
          options={[
            { value: EDITOR, label: 'Compare with the editor' },
            ...others.map((one) => ({ value: String(one), label: `Compare with revision ${one}` })),
          ]}
        />
        {hasChanges && (
          <p className="self-center text-sm text-muted">To restore, save or undo your changes first.</p>
        )}
      </div>
      {other === null ? (
        <WithEditor {...{ store, jump, revision, old }} />
      ) : (
        <WithRevision {...{ id, jump, revision, old, other }} />
      )}
    </div>
  );
}

function WithEditor({ store, jump, revision, old }: ComparedRevision & { store: EditorStore }) {
  const document = useEditorState(store, ({ history }) => history.present);
  return (
    <TreeCompare
      before={old.algorithm}
      after={document.algorithm}
      beforeLabel={`Revision ${revision}: ${old.name}`}
      afterLabel="As it stands in the editor"
      jump={jump}
    />
  );
}

/** The earlier of the two on the left, whichever was chosen first. */
function WithRevision({ id, jump, revision, old, other }: ComparedRevision & { id: string; other: number }) {
  const query = useRevision(id, other);
  if (query.isPending) return <SkeletonRows rows={8} columns={2} />;
  if (query.isError) return <RevisionError query={query} />;
  const sides = [
    { number: revision, document: old },
    { number: other, document: documentOf(query.data) },
  ].sort((a, b) => a.number - b.number);
  const [before, after] = sides as [(typeof sides)[number], (typeof sides)[number]];
  const label = ({ number, document }: (typeof sides)[number]) => `Revision ${number}: ${document.name}`;
  return (
    <TreeCompare
      before={before.document.algorithm}
      after={after.document.algorithm}
      beforeLabel={label(before)}
      afterLabel={label(after)}
      jump={jump}
    />
  );
}

function useRevision(id: string, revision: number) {
  return useQuery({
    queryKey: ['trading-bots', id, 'revision', revision],
    queryFn: async ({ signal }) =>
      await api().call(getTradingBotRevision, { params: { id, revision: String(revision) }, signal }),
    // What was stored once never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function RevisionError({ query }: { query: { readonly error: unknown; readonly refetch: () => unknown } }) {
  return (
    <ErrorState
      title="The revision could not be loaded"
      error={query.error}
      onRetry={() => void query.refetch()}
    />
  );
}
