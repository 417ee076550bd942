import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { TreeCompare } from './history/TreeCompare.tsx';
import type { EditorActor } from './machines/actors.ts';
import { loadBot } from './model/editor-api.ts';
import type { EditorStore } from './model/editor-store.ts';

/** A save that met somebody else's change: nothing is lost, and the user decides. */
export function ConflictDialog({ actor, store }: { actor: EditorActor; store: EditorStore }) {
  const isConflict = useSelector(actor, (state) => state.matches('conflict'));
  const isComparing = useSelector(actor, (state) => state.matches({ conflict: 'comparing' }));
  const serverRevision = useSelector(actor, ({ context }) => context.serverRevision);
  const id = useSelector(actor, ({ context }) => context.id);
  const copyName = `Copy of ${store.document.name}`;
  return (
    <Dialog
      open={isConflict}
      onOpenChange={(open) => !open && actor.send({ type: 'user.dismiss' })}
      title="This strategy was changed elsewhere"
      description="Somebody (perhaps you, in another tab) saved it since you opened it. Both versions are safe."
      size={isComparing ? 'xl' : 'md'}
      footer={
        <>
          {!isComparing && <Button onClick={() => actor.send({ type: 'user.compare' })}>Compare</Button>}
          <Button onClick={() => actor.send({ type: 'user.reload' })}>Reload, drop my changes</Button>
          {serverRevision !== null && isComparing && (
            <Button onClick={() => actor.send({ type: 'user.overwrite', document: store.document })}>
              Save mine over it
            </Button>
          )}
          <Button
            variant="primary"
            onClick={() => {
              const copy = {
                ...store.document,
                name: copyName,
                isPublic: false,
                algorithm: { ...store.document.algorithm, name: copyName },
              };
              // The editor goes on with the copy: what is saved is what it shows.
              store.replace(copy, 'Keep as a copy');
              actor.send({ type: 'user.saveCopy', document: copy });
            }}
          >
            Keep mine as a copy
          </Button>
        </>
      }
    >
      {isComparing && <Comparison id={id} revision={serverRevision} store={store} />}
    </Dialog>
  );
}

const visibilityWords = (isPublic: boolean): string => (isPublic ? 'Public' : 'Private');

function Comparison({ id, revision, store }: { id: string; revision: number | null; store: EditorStore }) {
  const stored = useQuery({
    queryKey: ['trading-bots', id, 'conflict', revision],
    queryFn: async ({ signal }) => await loadBot(id, signal),
  });
  if (stored.isPending) return <SkeletonRows rows={6} columns={2} />;
  if (stored.isError)
    return (
      <ErrorState
        title="The stored version could not be loaded"
        error={stored.error}
        onRetry={() => void stored.refetch()}
      />
    );
  const { isPublic } = store.document;
  return (
    <>
      {stored.data.is_public !== isPublic && (
        <p className="mb-3 text-sm">
          Visibility: {visibilityWords(stored.data.is_public)} as it is stored, {visibilityWords(isPublic)} in
          mine
        </p>
      )}
      <TreeCompare
        before={stored.data.algorithm}
        after={store.document.algorithm}
        beforeLabel={`As it is stored: ${stored.data.name}`}
        afterLabel={`Mine: ${store.document.name}`}
      />
    </>
  );
}
