import { useSelector } from '@xstate/react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { EditorActor } from './EditorWorkspace.tsx';
import type { EditorStore } from './model/editor-store.ts';

/** A save that met somebody else's change: nothing is lost, and the user decides. */
export function ConflictDialog({ actor, store }: { actor: EditorActor; store: EditorStore }) {
  const isConflict = useSelector(actor, (state) => state.matches('conflict'));
  const serverRevision = useSelector(actor, ({ context }) => context.serverRevision);
  return (
    <Dialog
      open={isConflict}
      onOpenChange={(open) => !open && actor.send({ type: 'user.dismiss' })}
      title="This strategy was changed elsewhere"
      description="Somebody (perhaps you, in another tab) saved it since you opened it. Both versions are safe."
      footer={
        <>
          <Button onClick={() => actor.send({ type: 'user.reload' })}>Reload, drop my changes</Button>
          {serverRevision !== null && (
            <Button onClick={() => actor.send({ type: 'user.overwrite', document: store.document })}>
              Save mine over it
            </Button>
          )}
          <Button
            variant="primary"
            onClick={() =>
              actor.send({
                type: 'user.saveCopy',
                document: {
                  ...store.document,
                  name: `Copy of ${store.document.name}`,
                  isPublic: false,
                  algorithm: { ...store.document.algorithm, name: `Copy of ${store.document.name}` },
                },
              })
            }
          >
            Keep mine as a copy
          </Button>
        </>
      }
    />
  );
}
