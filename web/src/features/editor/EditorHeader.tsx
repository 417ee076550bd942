import { useSelector } from '@xstate/react';
import { Copy, Link2, Save } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { messageOf } from '../../lib/api.ts';
import { useCommands } from '../../lib/commands.ts';
import { VisibilityBadge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCopied } from '../../ui/use-copied.ts';
import type { EditorActor } from './machines/actors.ts';
import { cloneBot } from './model/editor-api.ts';
import { type EditorStore, isUnsaved, RENAMING, useEditorState } from './model/editor-store.ts';

const FollowButton = lazy(() => import('../forward-test/FollowButton.tsx'));

/** Name, visibility, Follow, Clone, Copy link and the save button. */
export function EditorHeader({
  actor,
  store,
  isEditable,
}: {
  actor: EditorActor;
  store: EditorStore;
  /** False for somebody else's strategy: it can be cloned, not saved. */
  isEditable: boolean;
}) {
  const id = useSelector(actor, ({ context }) => context.id);
  const error = useSelector(actor, ({ context, value }) => (value === 'editing' ? context.error : null));
  const isSaving = useSelector(actor, (state) => state.matches('saving'));
  const name = useEditorState(store, ({ history }) => history.present.name);
  const isPublic = useEditorState(store, ({ history }) => history.present.isPublic);
  const hasChanges = useEditorState(store, isUnsaved);
  const [isCopied, copy] = useCopied();
  const canSave = isEditable && (hasChanges || id === 'new') && !isSaving;
  const save = () => {
    if (canSave) actor.send({ type: 'user.save', document: store.document });
  };
  const clone = async () => {
    // Opened at once, while the click still allows it; the address follows.
    const tab = window.open('about:blank', '_blank');
    try {
      const bot = await cloneBot(id);
      if (tab) tab.location.href = `/editor/${bot.id}`;
      else
        toast.success(`Cloned as ${bot.name}`, {
          action: { label: 'Open', onSelect: () => window.location.assign(`/editor/${bot.id}`) },
        });
    } catch (failure) {
      tab?.close();
      toast.error(messageOf(failure));
    }
  };
  useCommands([
    {
      id: 'editor.save',
      label: 'Save changes',
      group: 'Editor',
      shortcut: 'Mod+S',
      worksInFields: true,
      isDisabled: !canSave,
      run: save,
    },
  ]);
  return (
    <header className="flex flex-col gap-2 px-4 pb-2 pt-3">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="sr-only">{name}</h1>
        <input
          aria-label="Strategy name"
          placeholder="Name"
          value={name}
          maxLength={200}
          readOnly={!isEditable}
          title={isEditable ? 'Enter keeps the name, Escape leaves it as it was' : undefined}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            if (event.key === 'Escape') store.cancelGesture(RENAMING);
            event.currentTarget.blur();
          }}
          onChange={(event) => store.rename(event.target.value)}
          onPaste={({ currentTarget, clipboardData }) => {
            const { value, selectionStart, selectionEnd, maxLength } = currentTarget;
            const kept = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0));
            if (kept + clipboardData.getData('text').length > maxLength)
              toast.info(`A name has at most ${maxLength} characters: the rest was left out`);
          }}
          onBlur={() => store.endGesture()}
          className="h-8 min-w-40 max-w-160 flex-1 truncate rounded bg-transparent px-1 [field-sizing:content] sm:flex-none text-lg font-semibold outline-none hover:bg-hover focus:bg-raised focus:outline-2 focus:outline-focus"
        />
        <VisibilityBadge isPublic={isPublic} />
        {!isEditable && <span className="text-sm text-muted">Clone it to change it</span>}
        <div className="ml-auto flex flex-wrap gap-2">
          {id !== 'new' && (
            <>
              <Suspense>
                <FollowButton strategy={{ id, name }} />
              </Suspense>
              <Button onClick={() => void clone()}>
                <Copy size={15} aria-hidden /> Clone
              </Button>
              <Button onClick={() => void copy(window.location.href)}>
                <Link2 size={15} aria-hidden /> {isCopied ? 'Copied' : 'Copy link'}
              </Button>
            </>
          )}
          {isEditable && (
            <Button variant="primary" disabled={!canSave} isBusy={isSaving} onClick={save}>
              <Save size={15} aria-hidden /> {canSave || isSaving ? 'Save changes' : 'Saved'}
            </Button>
          )}
        </div>
      </div>
      {error !== null && error !== undefined && (
        <Notice
          kind="danger"
          action={
            <Button size="sm" onClick={save}>
              Try again
            </Button>
          }
        >
          Not saved: {messageOf(error)} Your changes are kept here.
        </Notice>
      )}
    </header>
  );
}
