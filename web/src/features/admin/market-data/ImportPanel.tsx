import { useMarketDataVersion as useVersion } from '@quantloom/domain/contracts/http/calls';
import type { UploadAnswer } from '@quantloom/domain/contracts/http/market-data-imports';
import { useQueryClient } from '@tanstack/react-query';
import { FolderUp, Upload } from 'lucide-react';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { api, messageOf } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Notice, Progress } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { ChangedResultsView } from './ChangedResultsView.tsx';
import { ImportReportView } from './ImportReportView.tsx';
import { type ChosenFile, filesOfDrop, type ImportChoices, runImport, sendFiles } from './import-files.ts';
import { withoutFlags } from './without-flags.ts';

type Step =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'busy'; readonly label: string; readonly done: number | null }
  | {
      readonly kind: 'answered';
      readonly id: string;
      readonly answer: UploadAnswer;
      /** What was current before the import; by the time of an undo, `before` has become the imported version. */
      readonly base: string;
      readonly isUndone: boolean;
    }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Drop files or folders, look at what would change, import, and go back. `before` is the version that is
 * current now.
 */
export function ImportPanel({ before }: { before: string }) {
  const [step, setStep] = useState<Step>({ kind: 'waiting' });
  const [choices, setChoices] = useState<ImportChoices>({});
  const [isOver, setIsOver] = useState(false);
  const stop = useRef(new AbortController());
  /** The toast that offers to undo. */
  const offer = useRef<string | null>(null);
  const filesId = useId();
  const folderId = useId();
  const client = useQueryClient();
  useEffect(() => () => stop.current.abort(), []);

  const work = async (id: string, publish: boolean, next: ImportChoices) => {
    setChoices(next);
    const label = publish ? 'Importing' : 'Comparing with what is there';
    setStep({ kind: 'busy', label, done: null });
    try {
      const answer = await runImport(
        id,
        publish,
        next,
        ({ done }) => setStep({ kind: 'busy', label, done: done * 100 }),
        stop.current.signal,
      );
      setStep({ kind: 'answered', id, answer, base: before, isUndone: false });
      if (answer.state === 'published') {
        await client.invalidateQueries();
        offer.current = toast.success('The new market data are current', {
          action: { label: 'Undo', onSelect: () => void undo(before) },
          timeout: 0,
        });
      }
    } catch (error) {
      if (!stop.current.signal.aborted) setStep({ kind: 'failed', message: messageOf(error) });
    }
  };

  const undo = async (base: string) => {
    try {
      await api().call(useVersion, { body: { version: base } });
      if (offer.current !== null) toast.close(offer.current);
      setStep((now) => (now.kind === 'answered' ? { ...now, isUndone: true } : now));
      await client.invalidateQueries();
      toast.success(`Version ${base} is current again`);
    } catch (error) {
      toast.error(messageOf(error));
    }
  };

  const begin = async (files: readonly ChosenFile[]) => {
    if (files.length === 0) return;
    const label = `Sending ${plural(files.length, 'file')}`;
    setStep({ kind: 'busy', label, done: 0 });
    try {
      const id = await sendFiles(
        files,
        (done) => setStep({ kind: 'busy', label, done: done * 100 }),
        stop.current.signal,
      );
      await work(id, false, {});
    } catch (error) {
      if (!stop.current.signal.aborted) setStep({ kind: 'failed', message: messageOf(error) });
    }
  };

  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    // The list is only there while the event is.
    const files = filesOfDrop(event.dataTransfer.items);
    await begin(await files);
  };

  const picked = (list: FileList | null) =>
    void begin([...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })));

  return (
    <Panel title="Import prices">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what it takes, the buttons in it take too */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => void drop(event)}
        className={cx(
          'flex flex-col gap-3 rounded border border-dashed p-4',
          isOver ? 'border-brand bg-hover' : 'border-line-strong',
        )}
      >
        {step.kind === 'busy' ? (
          <div className="flex flex-col gap-2" aria-live="polite">
            <span>{step.label} …</span>
            <Progress value={step.done} label={step.label} />
          </div>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            <p className="min-w-0 flex-1 basis-64 text-muted">
              Drop files, folders or ZIP archives here: CSV, Parquet or Arrow. Nothing is changed before you
              have seen what would change.
            </p>
            <input
              id={filesId}
              type="file"
              multiple
              hidden
              onChange={(event) => picked(event.target.files)}
            />
            <input
              id={folderId}
              type="file"
              multiple
              hidden
              onChange={(event) => picked(event.target.files)}
              {...{ webkitdirectory: '' }}
            />
            <Button icon={Upload} onClick={() => document.getElementById(filesId)?.click()}>
              Choose files
            </Button>
            <Button icon={FolderUp} onClick={() => document.getElementById(folderId)?.click()}>
              Choose a folder
            </Button>
          </div>
        )}
        {step.kind === 'failed' && <Notice kind="danger">{step.message}</Notice>}
        {step.kind === 'answered' && (
          <Answered
            id={step.id}
            answer={step.answer}
            isUndone={step.isUndone}
            choices={choices}
            onRun={(publish, next) => void work(step.id, publish, next)}
            onUndo={() => void undo(step.base)}
          />
        )}
      </div>
    </Panel>
  );
}

/** For a file that holds no prices: its name as a series for conditions, and when its values are known. */
function SeriesChoice({
  choices,
  onChoose,
}: {
  choices: ImportChoices;
  /** `days`: null where they are to be found out. */
  onChoose: (name: string, days: number | null) => void;
}) {
  const [name, setName] = useState(choices.series ?? '');
  const [lag, setLag] = useState(choices.lag_days === undefined ? '' : String(choices.lag_days));
  const [error, setError] = useState<string | null>(null);
  return (
    <details open={choices.series !== undefined}>
      <summary className="cursor-default text-muted">
        Not prices, but a series for conditions (an interest rate, an index that cannot be bought)
      </summary>
      <form
        className="mt-2 flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return;
          const isRead = /^\d*$/.test(lag.trim());
          setError(isRead ? null : 'A whole number of days is needed, or nothing');
          if (isRead) onChoose(name.trim(), lag.trim() === '' ? null : Number(lag));
        }}
      >
        <TextField label="Name of the series" placeholder="@VIXCLS" value={name} onChange={setName} />
        <TextField
          label="Days until a value is known"
          placeholder="found out"
          value={lag}
          onChange={setLag}
          error={error}
        />
        <Button type="submit">Use it</Button>
      </form>
    </details>
  );
}

function Answered({
  id,
  answer,
  isUndone,
  choices,
  onRun,
  onUndo,
}: {
  id: string;
  answer: UploadAnswer;
  isUndone: boolean;
  choices: ImportChoices;
  onRun: (publish: boolean, choices: ImportChoices) => void;
  onUndo: () => void;
}) {
  const [ticker, setTicker] = useState(choices.ticker ?? '');
  const { report, error, question, state } = answer;
  const problems = report?.problems ?? [];
  const again = (next: ImportChoices) => onRun(false, { ...choices, ...next });
  return (
    <div className="flex flex-col gap-3">
      {error && (
        <Notice kind="danger">
          <span className="whitespace-pre-line">{withoutFlags(error)}</span>
        </Notice>
      )}
      {question === 'dates' && (
        <div className="flex flex-wrap items-center gap-2">
          <span>How are the dates written?</span>
          <Button onClick={() => again({ dates: 'day_first' })}>Day first</Button>
          <Button onClick={() => again({ dates: 'month_first' })}>Month first</Button>
        </div>
      )}
      {question === 'decimal' && (
        <div className="flex flex-wrap items-center gap-2">
          <span>What is the comma?</span>
          <Button onClick={() => again({ decimal: 'comma' })}>A decimal comma</Button>
          <Button onClick={() => again({ decimal: 'point' })}>Between thousands</Button>
        </div>
      )}
      {error?.includes('--ticker') && (
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (ticker.trim() !== '') again({ ticker: ticker.trim() });
          }}
        >
          <TextField label="Ticker of this file" value={ticker} onChange={setTicker} />
          <Button type="submit">Use it</Button>
        </form>
      )}
      {report && <ImportReportView report={report} />}
      {(state === 'published' || (state === 'previewed' && problems.length === 0)) && (
        <ChangedResultsView key={report?.createdAt} id={id} answer={answer} isUndone={isUndone} />
      )}
      {(state === 'previewed' || state === 'refused') && (report?.files.length ?? 1) <= 1 && (
        <SeriesChoice
          choices={choices}
          onChoose={(series, days) => {
            const { lag_days: _, ...others } = choices;
            onRun(false, { ...others, series, ...(days !== null && { lag_days: days }) });
          }}
        />
      )}
      {state === 'previewed' && (
        <div className="flex flex-col gap-3">
          {(problems.length > 0 || choices.replace || choices.keep_different || choices.allow_bad_rows) && (
            <div className="flex flex-col gap-2">
              <Switch
                label="Replace the stored series"
                hint="They become what these files hold, even where that is shorter."
                checked={choices.replace ?? false}
                onChange={(replace) => again({ replace, keep_different: false })}
              />
              <Switch
                label="Keep stored series that differ"
                hint="They stay as they are; the rest is imported."
                checked={choices.keep_different ?? false}
                onChange={(keep) => again({ keep_different: keep, replace: false })}
              />
              <Switch
                label="Import the good rows of files with many bad ones"
                checked={choices.allow_bad_rows ?? false}
                onChange={(allow) => again({ allow_bad_rows: allow })}
              />
            </div>
          )}
          <Button
            variant="primary"
            className="self-start"
            disabled={problems.length > 0}
            onClick={() => onRun(true, choices)}
          >
            Import
          </Button>
        </div>
      )}
      {state === 'published' && !isUndone && (
        <Notice kind="success" action={<Button onClick={onUndo}>Undo</Button>}>
          Imported. The version before stays, and can be made current again.
        </Notice>
      )}
    </div>
  );
}
