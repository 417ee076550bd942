import type { SavedStrategy } from '@quantloom/domain/strategy/strategy-block';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { type KnownVariables, variableNames } from '@quantloom/domain/strategy/variables';
import { useActorRef, useSelector } from '@xstate/react';
import { useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { fromPromise } from 'xstate';
import { useCurrentUser, useFeature } from '../../lib/auth/session.ts';
import { formatDateTime } from '../../lib/format.ts';
import { newNodeId } from '../../lib/new-id.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { FetchedInPlace, FetchedWindow, fetchedPart } from '../../ui/fetched.tsx';
import { holdKeys } from '../../ui/held-keys.ts';
import { LinkTabs } from '../../ui/LinkTabs.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toast.tsx';
import { EditorHeader } from './EditorHeader.tsx';
import type { EditorActor } from './machines/actors.ts';
import { runMachine } from './machines/run.machine.ts';
import { readCopied, writeCopied } from './model/clipboard.ts';
import { backtest } from './model/editor-api.ts';
import {
  type AssetPickerRequest,
  type EditorTools,
  EditorToolsContext,
  type TypeBlocksRequest,
} from './model/editor-context.ts';
import { type EditorStore, useEditorState } from './model/editor-store.ts';
import { isReopened } from './model/reopened.ts';
import { requestOf } from './model/run-settings.ts';
import { removalWords, removeTogether } from './model/several.ts';
import { blockWords } from './model/words.ts';
import { focusTree, Overview } from './overview/Overview.tsx';
import { AssetPicker } from './tree/AssetPicker.tsx';
import { useLeaveGuard } from './use-leave-guard.tsx';
import { useLocalDraft } from './use-local-draft.tsx';
import { useRunBeforeSave } from './use-run-before-save.ts';
import { useRunSettings } from './use-run-settings.ts';

// Fetched when there is a conflict, which is seldom.
const conflictDialog = fetchedPart(async () => (await import('./ConflictDialog.tsx')).ConflictDialog);
const strategyPicker = fetchedPart(async () => (await import('./tree/StrategyPicker.tsx')).StrategyPicker);
const typeBlocks = fetchedPart(async () => (await import('./import/TypeBlocks.tsx')).TypeBlocks);

// Each tab of results comes with its first visit.
const allocationHistory = fetchedPart(
  async () => (await import('./results/AllocationHistory.tsx')).AllocationHistory,
);
const indicatorHistory = fetchedPart(
  async () => (await import('./results/IndicatorHistory.tsx')).IndicatorHistory,
);
const metricsTab = fetchedPart(async () => (await import('./results/MetricsTab.tsx')).MetricsTab);

const TABS = [
  { path: '', label: 'Overview' },
  { path: '/allocation-history', label: 'Allocation History' },
  { path: '/indicator-history', label: 'Indicator History' },
  { path: '/metrics', label: 'Metrics' },
] as const;

/**
 * The variables of the tree; the same list as long as the names are the same, so that an edit elsewhere
 * re-renders nothing.
 */
function useVariables(store: EditorStore): readonly string[] {
  const kept = useRef<{ of: Algorithm | null; names: readonly string[]; known: KnownVariables }>({
    of: null,
    names: [],
    known: new WeakMap(),
  });
  return useEditorState(store, ({ history }) => {
    const { algorithm } = history.present;
    if (kept.current.of === algorithm) return kept.current.names;
    const { known } = kept.current;
    const found = variableNames(algorithm, known);
    const isSame = kept.current.names.join('\n') === found.join('\n');
    kept.current = { of: algorithm, names: isSame ? kept.current.names : found, known };
    return kept.current.names;
  });
}

/** The editor of a loaded (or new) strategy: header, tabs, and what they share. */
export function EditorWorkspace({ actor, store }: { actor: EditorActor; store: EditorStore }) {
  const user = useCurrentUser();
  const navigate = useNavigate();
  const id = useSelector(actor, ({ context }) => context.id);
  const isConflict = useSelector(actor, (state) => state.matches('conflict'));
  const ownerId = useSelector(actor, ({ context }) => context.bot?.user_id ?? null);
  const { pathname } = useLocation();
  const base = `/editor/${id}`;
  const chosen = useRunSettings();
  const { settings } = chosen;
  const [picker, setPicker] = useState<AssetPickerRequest | null>(null);
  const [typing, setTyping] = useState<TypeBlocksRequest | null>(null);
  const [taking, setTaking] = useState<{ readonly onPick: (strategy: SavedStrategy) => void } | null>(null);
  const [removal, setRemoval] = useState<readonly BlockNode[] | null>(null);
  /** The day whose reasons are shown, as an index into the answer's days. */
  const [pinnedDay, setPinnedDay] = useState<number | null>(null);
  const canUseVariables = useFeature('web.batch-backtests.create');
  const canUseZScore = useFeature('web.z-score.view');
  const isEditable = ownerId === null || ownerId === user.id;
  const run = useActorRef(
    runMachine.provide({
      actors: {
        run: fromPromise(async ({ input, signal }) => {
          const strategyId = actor.getSnapshot().context.id;
          const isSaved = strategyId !== 'new';
          const answer = await backtest(input, isSaved && !isReopened(input) ? strategyId : null, signal);
          setPinnedDay(null);
          return answer;
        }),
      },
    }),
  );
  useRunBeforeSave(actor, run, store);
  const variables = useVariables(store);
  const latestSettings = useRef(settings);
  latestSettings.current = settings;
  const tools = useMemo<EditorTools>(
    () => ({
      store,
      newId: newNodeId,
      isEditable,
      canUseVariables,
      canUseZScore,
      variables,
      openAssetPicker: (request) => {
        holdKeys();
        setPicker(request);
      },
      strategyId: () => actor.getSnapshot().context.id,
      runRequest: () => requestOf(latestSettings.current, store.document.algorithm),
      openStrategyPicker: setTaking,
      openTypeBlocks: setTyping,
      requestRemoval: (node) => {
        store.select(node.id);
        setRemoval([node]);
      },
      requestRemovalOf: setRemoval,
      removeAtOnce: (node) => store.remove(`Delete ${blockWords(node)}`, node.id, newNodeId),
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
    [store, actor, isEditable, canUseVariables, canUseZScore, variables],
  );
  const leaveQuestion = useLeaveGuard(store, isEditable);
  const restored = useLocalDraft(store, actor, user.id, isEditable);
  const answer = useSelector(run, ({ context }) => context.answer);
  const answered = useSelector(run, ({ context }) => context.answered);
  const finishedAt = useSelector(run, ({ context }) => context.finishedAt);
  const tab = TABS.find(({ path }) => path !== '' && pathname.endsWith(path))?.path ?? '';
  const explain = (day: number) => {
    setPinnedDay(day);
    void navigate(base);
  };
  return (
    <EditorToolsContext value={tools}>
      <div className="relative flex min-h-0 flex-1 flex-col max-md:overflow-y-auto">
        {tab === '' && (
          <button
            type="button"
            onClick={focusTree}
            className="sr-only focus:not-sr-only focus:absolute focus:left-4 focus:top-2 focus:z-40 focus:rounded focus:border focus:border-line focus:bg-raised focus:px-3 focus:py-1.5 focus:text-sm"
          >
            Go to the strategy tree (T)
          </button>
        )}
        <EditorHeader actor={actor} store={store} isEditable={isEditable} />
        {restored && (
          <div className="px-4 pb-2">
            <Notice
              action={
                <span className="flex gap-2">
                  <Button size="sm" onClick={restored.discard}>
                    Discard them
                  </Button>
                  <Button size="sm" onClick={restored.dismiss}>
                    Keep
                  </Button>
                </span>
              }
            >
              Your unsaved changes of {formatDateTime(restored.at)} were restored.
            </Notice>
          </div>
        )}
        <div className="shrink-0 px-4">
          <LinkTabs
            label="Editor"
            tabs={TABS.map(({ path, label }) => ({ to: base + path, label }))}
            current={base + tab}
          />
        </div>
        {tab === '' ? (
          <Overview
            actor={actor}
            run={run}
            store={store}
            chosen={chosen}
            pinnedDay={pinnedDay}
            onPinDay={setPinnedDay}
          />
        ) : (
          <div className="relative flex flex-col md:min-h-0 md:flex-1 md:overflow-y-auto">
            {tab === '/allocation-history' && (
              <FetchedInPlace
                part={allocationHistory}
                props={{ answer, answered, onExplain: explain }}
                what="The allocation history"
                fallback={<LoadingPane />}
              />
            )}
            {tab === '/indicator-history' && (
              <FetchedInPlace
                part={indicatorHistory}
                props={{ answer, onExplain: explain }}
                what="The indicator history"
                fallback={<LoadingPane />}
              />
            )}
            {tab === '/metrics' && (
              <FetchedInPlace
                part={metricsTab}
                props={{ answer, answered, finishedAt, onExplain: explain }}
                what="The report"
                fallback={<LoadingPane />}
              />
            )}
          </div>
        )}
      </div>
      {picker && (
        <AssetPicker
          request={picker}
          onClose={() => {
            setPicker(null);
            if (picker.purpose === 'asset') store.refocus();
          }}
        />
      )}
      {taking && (
        <FetchedWindow
          part={strategyPicker}
          props={{ ownId: id, onPick: taking.onPick, onClose: () => setTaking(null) }}
          onFailure={() => setTaking(null)}
        />
      )}
      {typing && (
        <FetchedWindow
          part={typeBlocks}
          props={{ begun: typing.begun ?? '', onAdd: typing.onAdd, onClose: () => setTyping(null) }}
          onFailure={() => setTyping(null)}
        />
      )}
      <ConfirmDialog
        open={removal !== null}
        onOpenChange={(open) => {
          if (open) return;
          setRemoval(null);
          store.refocus();
        }}
        returnsFocus={() => false}
        onConfirm={() => {
          const [only, ...further] = removal ?? [];
          if (only && further.length === 0) tools.removeAtOnce(only);
          else if (removal) removeTogether(store, removal);
        }}
      >
        {removal ? `Delete ${removalWords(removal)}? You can undo this.` : ''}
      </ConfirmDialog>
      {leaveQuestion}
      {isConflict && (
        <FetchedWindow
          part={conflictDialog}
          props={{ actor, store }}
          onFailure={() => actor.send({ type: 'user.dismiss' })}
        />
      )}
    </EditorToolsContext>
  );
}
