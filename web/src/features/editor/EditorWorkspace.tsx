import { removeNode } from '@quantloom/domain/strategy/edit';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { variableNames } from '@quantloom/domain/strategy/variables';
import { useActorRef, useSelector } from '@xstate/react';
import { useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { type ActorRefFrom, fromPromise } from 'xstate';
import { useFeature, useSession } from '../../lib/auth/session.ts';
import { newNodeId } from '../../lib/new-id.ts';
import { rememberBacktest } from '../../lib/personal.ts';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { LinkTabs } from '../../ui/Tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';
import { EditorHeader } from './EditorHeader.tsx';
import type { editorMachine } from './machines/editor.machine.ts';
import { runMachine } from './machines/run.machine.ts';
import { readCopied, writeCopied } from './model/clipboard.ts';
import { backtest } from './model/editor-api.ts';
import { type AssetPickerRequest, type EditorTools, EditorToolsContext } from './model/editor-context.ts';
import { type EditorStore, useEditorState } from './model/editor-store.ts';
import { defaultSettings, type RunSettings } from './model/run-settings.ts';
import { blockWords } from './model/words.ts';
import { Overview } from './overview/Overview.tsx';
import { AllocationHistory } from './results/AllocationHistory.tsx';
import { IndicatorHistory } from './results/IndicatorHistory.tsx';
import { MetricsTab } from './results/MetricsTab.tsx';
import { AssetPicker } from './tree/AssetPicker.tsx';
import { useLeaveGuard } from './use-leave-guard.tsx';

export type EditorActor = ActorRefFrom<typeof editorMachine>;
export type RunActor = ActorRefFrom<typeof runMachine>;

const TABS = [
  { path: '', label: 'Overview' },
  { path: '/allocation-history', label: 'Allocation History' },
  { path: '/indicator-history', label: 'Indicator History' },
  { path: '/metrics', label: 'Metrics' },
] as const;

/** The editor of a loaded (or new) strategy: header, tabs, and what they share. */
export function EditorWorkspace({ actor, store }: { actor: EditorActor; store: EditorStore }) {
  const { user } = useSession();
  const id = useSelector(actor, ({ context }) => context.id);
  const { pathname } = useLocation();
  const base = `/editor/${id}`;
  const [settings, setSettings] = useState<RunSettings>(() => defaultSettings(new Date()));
  const [picker, setPicker] = useState<AssetPickerRequest | null>(null);
  const [removal, setRemoval] = useState<BlockNode | null>(null);
  const canUseVariables = useFeature('web.batch-backtests.create');
  const canUseZScore = useFeature('web.z-score.view');
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const run = useActorRef(
    runMachine.provide({
      actors: {
        run: fromPromise(async ({ input, signal }) => {
          const strategyId = actor.getSnapshot().context.id;
          const answer = await backtest(input, strategyId === 'new' ? null : strategyId, signal);
          if (user && strategyId !== 'new') rememberBacktest(user.id, strategyId, answer);
          return answer;
        }),
      },
    }),
  );
  const variables = useMemo(() => variableNames(algorithm), [algorithm]);
  const tools = useMemo<EditorTools>(
    () => ({
      store,
      newId: newNodeId,
      isEditable: true,
      canUseVariables,
      canUseZScore,
      variables,
      openAssetPicker: setPicker,
      requestRemoval: setRemoval,
      copy: (node) => {
        try {
          writeCopied(node);
          toast.success(`Copied ${blockWords(node)}`);
        } catch {
          toast.error('The block is too large for the browser’s storage');
        }
      },
      readCopied: () => readCopied(),
    }),
    [store, canUseVariables, canUseZScore, variables],
  );
  useLeaveGuard(store);
  const answer = useSelector(run, ({ context }) => context.answer);
  const tab = TABS.find(({ path }) => path !== '' && pathname.endsWith(path))?.path ?? '';
  return (
    <EditorToolsContext value={tools}>
      <div className="flex min-h-0 flex-1 flex-col">
        <EditorHeader actor={actor} store={store} />
        <div className="border-b border-line px-4">
          <LinkTabs
            label="Editor"
            tabs={TABS.map(({ path, label }) => ({ to: base + path, label }))}
            current={base + tab}
          />
        </div>
        {tab === '' && (
          <Overview actor={actor} run={run} store={store} settings={settings} onSettings={setSettings} />
        )}
        {tab === '/allocation-history' && <AllocationHistory answer={answer} />}
        {tab === '/indicator-history' && <IndicatorHistory answer={answer} />}
        {tab === '/metrics' && <MetricsTab answer={answer} />}
      </div>
      {picker && <AssetPicker request={picker} onClose={() => setPicker(null)} />}
      <ConfirmDialog
        open={removal !== null}
        onOpenChange={(open) => !open && setRemoval(null)}
        onConfirm={() => {
          if (removal)
            store.edit(`Delete ${blockWords(removal)}`, (tree) => removeNode(tree, removal.id, newNodeId));
        }}
      >
        {removal ? `Delete ${blockWords(removal)} and everything in it? You can undo this.` : ''}
      </ConfirmDialog>
      <ConflictDialog actor={actor} store={store} />
    </EditorToolsContext>
  );
}
