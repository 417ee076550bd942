import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useActorRef, useSelector } from '@xstate/react';
import { useMemo, useRef } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { fromPromise } from 'xstate';
import { newNodeId } from '../../lib/new-id.ts';
import { useTitle } from '../../lib/title.ts';
import { ErrorState } from '../../ui/feedback.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { NotFoundView } from '../../ui/views.tsx';
import { EditorWorkspace } from './EditorWorkspace.tsx';
import { editorMachine } from './machines/editor.machine.ts';
import { documentOf, loadBot, saveBot } from './model/editor-api.ts';
import { type EditorDocument, EditorStore } from './model/editor-store.ts';

function newDocument(): EditorDocument {
  const algorithm = newAlgorithm(newNodeId);
  return { name: algorithm.name, isPublic: false, algorithm };
}

/** `/editor/{id}`: loads the strategy and keeps its modes; another id is another editor. */
export default function EditorPage() {
  const { id = 'new' } = useParams();
  const { key, state } = useLocation();
  const imported = (state as { imported?: Algorithm } | null)?.imported ?? null;
  // An import is a new editor each time; tabs of one strategy are the same one.
  return <LoadedEditor key={imported ? key : id} id={id} imported={imported} />;
}

function LoadedEditor({ id, imported }: { id: string; imported: Algorithm | null }) {
  const navigate = useNavigate();
  const store = useMemo(
    () =>
      imported
        ? new EditorStore({ name: imported.name, isPublic: false, algorithm: imported }, true)
        : new EditorStore(newDocument()),
    [imported],
  );
  const latest = useRef({ navigate, id });
  latest.current = { navigate, id };
  const actor = useActorRef(
    editorMachine.provide({
      actors: {
        load: fromPromise(({ input, signal }) => loadBot(input.id, signal)),
        save: fromPromise(({ input }) => saveBot(input)),
      },
      actions: {
        openDocument: ({ context }) => {
          if (context.bot) store.open(documentOf(context.bot));
        },
        documentSaved: ({ context }) => {
          if (!context.bot || !context.saving) return;
          store.markSaved(context.saving);
          if (context.bot.id !== latest.current.id)
            void latest.current.navigate(`/editor/${context.bot.id}`, {
              replace: latest.current.id === 'new',
            });
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
