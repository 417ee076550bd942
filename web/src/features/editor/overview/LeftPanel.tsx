import type { Problem } from '@quantloom/domain/kernel/refusal';
import { languageVersion } from '@quantloom/domain/strategy/language-version';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useSelector } from '@xstate/react';
import { Download, FileCheck, FileOutput, Files, FileUp, Play, Redo2, Undo2, Variable } from 'lucide-react';
import { memo, useState } from 'react';
import { useCommands } from '../../../lib/commands.ts';
import { formatTime } from '../../../lib/format.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { Button, ButtonLink, IconButton } from '../../../ui/Button.tsx';
import { FetchedWindow, fetchedPart } from '../../../ui/fetched.tsx';
import { Shortcut } from '../../../ui/Kbd.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { useCopied } from '../../../ui/use-copied.ts';
import { HistoryButton } from '../history/HistoryButton.tsx';
import { download } from '../import/download.ts';
import type { EditorActor, RunActor } from '../machines/actors.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { type EditorStore, isUnsaved, useEditorState, useUndoLabels } from '../model/editor-store.ts';
import type { RunSettings } from '../model/run-settings.ts';
import { useRunBefore } from '../use-run-before.ts';
import { HoldOutButton } from './HoldOutButton.tsx';
import { ImportWindow } from './ImportWindow.tsx';
import { MetricsList } from './MetricsList.tsx';
import { ProblemList } from './ProblemList.tsx';
import { SampleRun } from './SampleRun.tsx';

/**
 * Run, metrics, visibility, undo and redo, import and export, history; for a template, its variables and the
 * way to a batch.
 */
export const LeftPanel = memo(function LeftPanel({
  actor,
  run,
  store,
  settings,
  problems,
  isLive,
  onLive,
  onRun,
  onRunSample,
}: {
  actor: EditorActor;
  run: RunActor;
  store: EditorStore;
  settings: RunSettings;
  problems: readonly Problem[];
  isLive: boolean;
  onLive: (isLive: boolean) => void;
  onRun: () => void;
  /** Runs a template with values in place of its variables. */
  onRunSample: (algorithm: Algorithm, label: string) => void;
}) {
  const { variables, isEditable } = useEditorTools();
  const id = useSelector(actor, ({ context }) => context.id);
  const mode = useSelector(run, ({ value }) => value);
  const answer = useSelector(run, ({ context }) => context.answer);
  const before = useRunBefore(run);
  const finishedAt = useSelector(run, ({ context }) => context.finishedAt);
  const isPublic = useEditorState(store, ({ history }) => history.present.isPublic);
  const isTemplate = variables.length > 0;
  return (
    <aside
      aria-label="Strategy"
      className="relative flex w-full shrink-0 flex-col gap-4 border-line p-4 max-md:contents md:w-76 md:overflow-y-auto md:border-r"
    >
      <div className="flex flex-col gap-3 max-md:order-1 max-md:px-4 max-md:pt-3">
        {isTemplate ? (
          <>
            <TemplateLink id={id} store={store} variables={variables} />
            <SampleRun onRun={onRunSample} />
          </>
        ) : (
          <>
            <Button
              variant="primary"
              isBusy={mode === 'running'}
              disabled={mode === 'running'}
              onClick={onRun}
            >
              <Play size={15} aria-hidden /> Run Backtest{' '}
              <span className="flex max-md:hidden">
                <Shortcut keys="Mod+Enter" />
              </span>
            </Button>
            <div className="flex items-center justify-between gap-2 text-sm text-muted">
              <Switch label="Run on every change" checked={isLive} onChange={onLive} />
              {finishedAt !== null && (
                <span className="text-xs" title="Last run">
                  {formatTime(finishedAt)}
                </span>
              )}
            </div>
          </>
        )}
        <ProblemList problems={problems} store={store} />
      </div>
      <div className="flex flex-col gap-4 max-md:order-3 max-md:px-4 max-md:pb-8">
        {(!isTemplate || answer) && <MetricsList answer={answer} before={before} />}
        {isEditable && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Switch
              label={`Visibility: ${isPublic ? 'Public' : 'Private'}`}
              checked={isPublic}
              onChange={(next) => store.setVisibility(next)}
            />
            <UndoRedo store={store} />
          </div>
        )}
        <Exchange id={id} actor={actor} store={store} isOwn={isEditable} />
        {id !== 'new' && isEditable && (
          <HistoryButton actor={actor} run={run} store={store} settings={settings} />
        )}
        {/* Only templates have batches. */}
        {id !== 'new' && isEditable && isTemplate && <HoldOutButton id={id} actor={actor} />}
      </div>
    </aside>
  );
});

function TemplateLink({
  id,
  store,
  variables,
}: {
  id: string;
  store: EditorStore;
  variables: readonly string[];
}) {
  const hasChanges = useEditorState(store, isUnsaved);
  const obstacle =
    id === 'new'
      ? 'Save template before creating a batch backtest'
      : hasChanges
        ? 'Save changes before creating a batch backtest'
        : null;
  return (
    <div className="flex flex-col gap-3">
      {obstacle ? (
        <>
          <Button variant="primary" disabled>
            Create Batch Backtest
          </Button>
          <p className="text-sm text-muted">{obstacle}</p>
        </>
      ) : (
        <ButtonLink variant="primary" to={`/batch-backtests/new?template_id=${encodeURIComponent(id)}`}>
          Create Batch Backtest
        </ButtonLink>
      )}
      <div>
        <h2 className="mb-1 text-sm font-medium">Template variables</h2>
        <ul className="flex flex-wrap gap-1">
          {variables.map((name) => (
            <li key={name}>
              <TickerChip ticker={name} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function UndoRedo({ store }: { store: EditorStore }) {
  const labels = useUndoLabels(store);
  const undo = { label: labels.undo ? `Undo: ${labels.undo}` : 'Undo', isDisabled: labels.undo === null };
  const redo = { label: labels.redo ? `Redo: ${labels.redo}` : 'Redo', isDisabled: labels.redo === null };
  useCommands([
    {
      id: 'editor.undo',
      ...undo,
      group: 'Editor',
      shortcut: 'Mod+Z',
      worksInFields: false,
      run: () => store.undo(),
    },
    {
      id: 'editor.redo',
      ...redo,
      group: 'Editor',
      shortcut: 'Mod+Shift+Z',
      worksInFields: false,
      run: () => store.redo(),
    },
  ]);
  return (
    <div className="flex gap-1">
      <IconButton
        icon={Undo2}
        label={undo.label}
        shortcut="Mod+Z"
        disabled={undo.isDisabled}
        onClick={() => store.undo()}
      />
      <IconButton
        icon={Redo2}
        label={redo.label}
        shortcut="Mod+Shift+Z"
        disabled={redo.isDisabled}
        onClick={() => store.redo()}
      />
    </div>
  );
}

const exportDialog = fetchedPart(async () => (await import('../import/ExportDialog.tsx')).ExportDialog);
const valuesDialog = fetchedPart(async () => (await import('../values/ValuesDialog.tsx')).ValuesDialog);
const originDialog = fetchedPart(async () => (await import('../import/OriginDialog.tsx')).OriginDialog);

function Exchange({
  id,
  actor,
  store,
  isOwn,
}: {
  id: string;
  actor: EditorActor;
  store: EditorStore;
  isOwn: boolean;
}) {
  const [isCopied, copy] = useCopied();
  const [shown, setShown] = useState<'import' | 'export' | 'origin' | 'values' | null>(null);
  const close = () => setShown(null);
  const json = () => {
    const { algorithm } = store.document;
    // The version follows from what the tree uses; the server works it out at a save, a file has to say it by itself.
    return JSON.stringify({ ...algorithm, version: languageVersion(algorithm) }, null, 2);
  };
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3">
      {isOwn && (
        <Button variant="ghost" className="justify-start!" onClick={() => setShown('values')}>
          <Variable size={15} aria-hidden /> Numbers and tickers
        </Button>
      )}
      <Button variant="ghost" className="justify-start!" onClick={() => void copy(json())}>
        <Files size={15} aria-hidden /> {isCopied ? 'Copied' : 'Copy JSON'}
      </Button>
      <Button
        variant="ghost"
        className="justify-start!"
        onClick={() => download(`${id}.json`, json(), 'application/json')}
      >
        <Download size={15} aria-hidden /> Download JSON
      </Button>
      <Button variant="ghost" className="justify-start!" onClick={() => setShown('export')}>
        <FileOutput size={15} aria-hidden /> Export as text or for Composer
      </Button>
      <Button variant="ghost" className="justify-start!" onClick={() => setShown('import')}>
        <FileUp size={15} aria-hidden /> Import
      </Button>
      {id !== 'new' && isOwn && (
        <Button variant="ghost" className="justify-start!" onClick={() => setShown('origin')}>
          <FileCheck size={15} aria-hidden /> Import report
        </Button>
      )}
      {shown === 'import' && <ImportWindow onClose={close} />}
      {shown === 'export' && (
        <FetchedWindow
          part={exportDialog}
          props={{ algorithm: store.document.algorithm, store, onClose: close }}
          onFailure={close}
        />
      )}
      {shown === 'values' && (
        <FetchedWindow part={valuesDialog} props={{ actor, store, onClose: close }} onFailure={close} />
      )}
      {shown === 'origin' && (
        <FetchedWindow part={originDialog} props={{ id, store, onClose: close }} onFailure={close} />
      )}
    </div>
  );
}
