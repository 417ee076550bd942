import { importStrategy } from '@quantloom/domain/contracts/http/calls';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import type { importStrategy as importRoute } from '@quantloom/domain/contracts/http/strategies';
import type { Comparison } from '@quantloom/domain/exchange/answer-comparison';
import { withComparisons } from '@quantloom/domain/exchange/compared-report';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { FileUp } from 'lucide-react';
import { type DragEvent, Fragment, useRef, useState } from 'react';
import { ApiError, api, messageOf } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Textarea } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { saveBot } from '../model/editor-api.ts';
import type { StrategyOrigin } from '../model/editor-store.ts';
import { AnswerComparison } from './AnswerComparison.tsx';
import { FidelityList } from './FidelityList.tsx';
import { readFiles, type SourceFile } from './import-files.ts';
import { MissingTickers } from './MissingTickers.tsx';
import { Outline } from './Outline.tsx';
import { openedSettings } from './source-settings.ts';

interface Read {
  readonly fileName: string | null;
  readonly answer: Omit<AnswerOf<typeof importRoute>, 'further' | 'comparison'>;
  readonly comparison: Comparison | null;
}

/** Why a source was not read; an answer without a strategy is compared all the same. */
interface Fault {
  readonly text: string;
  readonly comparison: Comparison | null;
}

/** Reads strategies of this and other tools, and shows what became of each before anything is saved. */
export function ImportDialog({
  onClose,
  onOpen,
}: {
  onClose: () => void;
  /** `search` holds what the source says of its run, for the address. */
  onOpen: (algorithm: Algorithm, origin: StrategyOrigin, search: string) => void;
}) {
  const [text, setText] = useState('');
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [read, setRead] = useState<readonly Read[]>([]);
  const [chosen, setChosen] = useState(0);
  const [marked, setMarked] = useState<{ readonly id: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const current = read[chosen];
  const opened = openedSettings(current?.answer.settings ?? {}, new Date());

  const readAll = async (sources: readonly SourceFile[], earlier: readonly string[] = []) => {
    setBusy(true);
    const done: Read[] = [];
    const wrong = earlier.map((fault): Fault => ({ text: fault, comparison: null }));
    for (const { name, text: json } of sources) {
      try {
        const answer = await api().call(importStrategy, {
          body: { json },
          idempotencyKey: crypto.randomUUID(),
        });
        const fileName = name === '' ? null : name;
        const { further, comparison, ...first } = answer;
        done.push({ fileName, answer: first, comparison });
        for (const one of further) done.push({ fileName, answer: one, comparison: null });
      } catch (error) {
        const sentence = messageOf(error);
        wrong.push({
          text: name === '' ? sentence : `${name}: ${sentence}`,
          comparison: comparisonIn(error),
        });
      }
    }
    setBusy(false);
    setFaults(wrong);
    setRead(done);
    setChosen(0);
    setMarked(null);
  };
  const take = async (files: readonly File[]) => {
    const { sources, faults: unread } = await readFiles(files);
    await readAll(sources, unread);
  };
  const change = (algorithm: Algorithm) =>
    setRead(
      read.map((one, index) => (index === chosen ? { ...one, answer: { ...one.answer, algorithm } } : one)),
    );
  const saveAll = async () => {
    setBusy(true);
    const left: Read[] = [];
    for (const one of read) {
      const { algorithm, name } = one.answer;
      try {
        await saveBot({
          id: 'new',
          revision: null,
          document: { name, isPublic: false, algorithm, origin: originOf(one) },
          base: null,
        });
      } catch (error) {
        left.push(one);
        toast.error(`${name}: ${messageOf(error)}`);
      }
    }
    setBusy(false);
    const saved = read.length - left.length;
    if (saved > 0) toast.success(`${plural(saved, 'strategy', 'strategies')} saved as private drafts`);
    if (left.length === 0) return onClose();
    // What could not be saved stays, to be tried again or opened: it is nowhere else.
    setRead(left);
    setChosen(0);
    setMarked(null);
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import a strategy"
      size="xl"
      description="From Composer (JSON, EDN or text), QuantMage (JSON) or this product. Nothing is saved yet."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {current && <Button onClick={() => setRead([])}>Back</Button>}
          {read.length > 1 && (
            <Button isBusy={isBusy} disabled={isBusy} onClick={() => void saveAll()}>
              Save all {read.length} as private drafts
            </Button>
          )}
          {current ? (
            <Button
              variant="primary"
              onClick={() => onOpen(current.answer.algorithm, originOf(current), opened.search)}
            >
              Open as a new draft
            </Button>
          ) : (
            <Button
              variant="primary"
              isBusy={isBusy}
              disabled={isBusy || text.trim() === ''}
              onClick={() => void readAll([{ name: '', text }])}
            >
              Read it
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {faults.map(({ text: fault, comparison }) => (
          <Fragment key={fault}>
            <Notice kind="danger">{fault}</Notice>
            {comparison && <AnswerComparison comparison={comparison} />}
          </Fragment>
        ))}
        {current ? (
          <>
            {read.length > 1 && (
              <Select
                label="Strategy"
                value={String(chosen)}
                options={read.map((one, index) => ({
                  value: String(index),
                  label: one.fileName === null ? one.answer.name : `${one.fileName}: ${one.answer.name}`,
                }))}
                onChange={(value) => {
                  setChosen(Number(value));
                  setMarked(null);
                }}
              />
            )}
            <p className="text-sm">
              <strong>{current.answer.name}</strong>: {plural(current.answer.report.blocks, 'block')},
              recognised as {current.answer.report.source}.
            </p>
            {opened.used.length > 0 && (
              <p className="text-sm">
                Opens with the settings of its run: {opened.used.join(', ')}.
                {read.length > 1 && ' Drafts that are saved at once keep none.'}
              </p>
            )}
            {opened.unused.length > 0 && <p className="text-sm">Not used: {opened.unused.join('; ')}.</p>}
            {current.answer.report.notes.length > 0 && (
              <Notice kind="warning">
                {current.answer.report.notes[0]?.message}
                {current.answer.report.notes.length > 1 &&
                  ` and ${current.answer.report.notes.length - 1} more`}
                : not part of your plan.
              </Notice>
            )}
            <MissingTickers algorithm={current.answer.algorithm} onChange={change} />
            <div className="grid gap-4 md:grid-cols-2">
              <div className="max-h-[50dvh] min-w-0 overflow-auto pr-1">
                <FidelityList
                  key={chosen}
                  report={current.answer.report}
                  onBlock={(id) => setMarked({ id })}
                />
              </div>
              <Outline algorithm={current.answer.algorithm} marked={marked} />
            </div>
            {current.comparison && <AnswerComparison comparison={current.comparison} />}
          </>
        ) : (
          <>
            <DropZone isBusy={isBusy} onFiles={(files) => void take(files)} />
            <Textarea
              label="Or paste it here"
              placeholder="if RSI(TQQQ, 10) > 79 then UVXY else TQQQ"
              isMono
              minHeight={160}
              maxHeight={320}
              value={text}
              onChange={setText}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** What a refusal says of the values in a source without a strategy. */
function comparisonIn(error: unknown): Comparison | null {
  const { comparison } = (error instanceof ApiError ? error.body : {}) as { comparison?: Comparison };
  return comparison ?? null;
}

function originOf({ fileName, answer, comparison }: Read): StrategyOrigin {
  const { source, counts, items } = withComparisons(answer.report, comparison ? [comparison] : []);
  return { file_name: fileName, report: { source, counts, items } };
}

function DropZone({ isBusy, onFiles }: { isBusy: boolean; onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same.
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'flex flex-col items-center gap-2 rounded border border-dashed p-6 text-sm',
        isOver ? 'border-accent bg-hover' : 'border-line',
      )}
    >
      <p className="text-muted">Drop files or a zip file here</p>
      <Button isBusy={isBusy} disabled={isBusy} onClick={() => input.current?.click()}>
        <FileUp size={15} aria-hidden /> Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept=".json,.edn,.clj,.txt,.zip"
        aria-label="Choose files to import"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </div>
  );
}
