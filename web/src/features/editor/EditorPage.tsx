import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useActorRef, useSelector } from '@xstate/react';
import { useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { fromPromise } from 'xstate';
import { useSession } from '../../lib/auth/session.ts';
import { newNodeId } from '../../lib/new-id.ts';
import { useTitle } from '../../lib/title.ts';
import { ErrorState } from '../../ui/feedback.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { NotFoundView } from '../../ui/views.tsx';
import { EditorWorkspace } from './EditorWorkspace.tsx';
import { editorMachine } from './machines/editor.machine.ts';
import { documentOf, loadBot, saveBot } from './model/editor-api.ts';
import { type EditorDocument, EditorStore, type StrategyOrigin } from './model/editor-store.ts';
import { draftKey, dropDraft } from './model/local-draft.ts';

function newDocument(): EditorDocument {
  const algorithm = newAlgorithm(newNodeId);
  return { name: algorithm.name, isPublic: false, algorithm };
}

/** `/editor/{id}`: loads the strategy and keeps its modes; another id is another editor. */
export default function EditorPage() {
  const { id = 'new' } = useParams();
  const { key, state } = useLocation();
  const given = state as { imported?: Algorithm; origin?: StrategyOrigin } | null;
  const imported = given?.imported ?? null;
  // Which address an editor was taken over to: a strategy that was just saved keeps its editor under its new
  // id, an import keeps it when a tab is chosen. `from` is the place in the browser's history that it was
  // taken over at: the address follows later. `count` makes every other editor a new one.
  const [adopted, setAdopted] = useState({ id: '', from: '', editor: '', count: 0 });
  const importEditor = imported ? `import-${key}` : null;
  if (importEditor && adopted.editor !== importEditor)
    setAdopted({ id: 'new', from: key, editor: importEditor, count: adopted.count + 1 });
  const isAdopted = adopted.id === id || adopted.from === key;
  const editor = importEditor ?? (isAdopted ? adopted.editor : `${id}-${adopted.count}`);
  return (
    <LoadedEditor
      key={editor}
      id={id}
      imported={imported}
      origin={given?.origin ?? null}
      onNewId={(savedId) => setAdopted({ id: savedId, from: key, editor, count: adopted.count + 1 })}
    />
  );
}

function LoadedEditor({
  id,
  imported: importedNow,
  origin: originNow,
  onNewId,
}: {
  id: string;
  imported: Algorithm | null;
  origin: StrategyOrigin | null;
  onNewId: (id: string) => void;
}) {
  // The address loses the import when a tab is chosen or the strategy is saved; the editor that was opened
  // with it does not.
  const [imported] = useState(importedNow);
  const [origin] = useState(originNow);
  const navigate = useNavigate();
  const store = useMemo(
    () =>
      imported
        ? new EditorStore(
            { name: imported.name, isPublic: false, algorithm: imported, ...(origin && { origin }) },
            true,
          )
        : new EditorStore(newDocument()),
    [imported, origin],
  );
  const userId = useSession().user?.id ?? '';
  const latest = useRef({ navigate, id, onNewId, userId });
  latest.current = { navigate, id, onNewId, userId };
  const actor = useActorRef(
    editorMachine.provide({
      actors: {
        // Without the signal: where React mounts effects anew, the actor is started again, and would take the
        // abort of its first attempt for an answer.
        load: fromPromise(({ input }) => loadBot(input.id)),
        save: fromPromise(({ input }) => saveBot(input)),
      },
      actions: {
        openDocument: ({ context }) => {
          if (context.bot) store.open(documentOf(context.bot));
        },
        documentSaved: ({ context }) => {
          if (!context.bot || !context.saving) return;
          store.markSaved(context.saving, context.bot.algorithm.version);
          if (context.bot.id !== latest.current.id) {
            // Kept as a copy: what was unsaved of the other strategy is in the copy now.
            dropDraft(draftKey(latest.current.userId, latest.current.id));
            latest.current.onNewId(context.bot.id);
            void latest.current.navigate(`/editor/${context.bot.id}`, {
              replace: latest.current.id === 'new',
            });
          }
        },
      },
    }),
    { input: { id } },
  );
  const snapshot = useSelector(actor, (state) => state);
  const { bot, error } = snapshot.context;
  useTitle(bot?.name ?? (id === 'new' ? 'New Trading Bot' : null));

  if (snapshot.matches('loading')) return <LoadingPane label="Loading strategy" />;
  if (snapshot.matches('missing'))
    return <NotFoundView title="Not found" message="The resource you are looking for cannot be found." />;
  if (snapshot.matches('failed'))
    return (
      <ErrorState
        title="The strategy could not be loaded"
        error={error}
        onRetry={() => actor.send({ type: 'user.retry' })}
      />
    );
  return <EditorWorkspace actor={actor} store={store} />;
}
