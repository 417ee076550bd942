import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import type { importStrategy } from '@quantloom/domain/contracts/http/strategies';
import { useRef } from 'react';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { problemWords } from '../model/problems.ts';

export type ImportResult = AnswerOf<typeof importStrategy>;

/** What was read of an imported file, and what was not, before it becomes an unsaved draft. */
export function ImportReport({
  result,
  onOpen,
  onClose,
}: {
  result: ImportResult;
  onOpen: () => void;
  onClose: () => void;
}) {
  const { report } = result;
  const primary = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import"
      initialFocus={primary}
      description={`${plural(report.blocks, 'block')} read${report.notes.length === 0 ? ', all as they were' : ''}.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button ref={primary} variant="primary" onClick={onOpen}>
            Open as a new draft
          </Button>
        </>
      }
    >
      {report.notes.length > 0 && (
        <ul className="flex list-disc flex-col gap-1 pl-5">
          {report.notes.map((note) => (
            <li key={`${note.path} ${note.code}`}>
              {problemWords(note)} <span className="font-mono text-xs text-muted">{note.path}</span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
