import { combinationValues } from '@quantloom/domain/batch/variable-values';
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { tellFailure } from '../../../ui/tell-failure.ts';
import { Textarea } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { saveNote } from '../model/pins.ts';
import { PinLine } from './PinLine.tsx';

/** The note on the batch and its pinned rows; the owner changes them, everybody else reads them. */
export function Notes({ batch }: { batch: BatchDetail }) {
  const [note, setNote] = useState(batch.note);
  const variables = batch.variable_names.map((name) => ({ name, values: batch.variables[name] ?? [] }));
  if (!batch.is_owner && batch.note === '' && batch.pins.length === 0) return null;
  return (
    <Panel title="Notes and pins" className="flex flex-col gap-3">
      {batch.is_owner ? (
        <div className="flex flex-col gap-2">
          <Textarea label="Note on this batch" value={note} onChange={setNote} maxLength={10_000} />
          {note !== batch.note && (
            <Button
              size="sm"
              className="self-start"
              onClick={() =>
                void saveNote(batch.id, note)
                  .then(() => toast.success('Note saved'))
                  .catch(tellFailure)
              }
            >
              Save note
            </Button>
          )}
        </div>
      ) : (
        <p className="whitespace-pre-wrap">{batch.note}</p>
      )}
      {batch.pins.length === 0 ? (
        <p className="text-sm text-muted">No pinned rows. Pin them in the results.</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {batch.pins.map((pin) => (
            <PinLine
              key={`${pin.combination}:${pin.note}`}
              batch={batch}
              pin={pin}
              label={Object.values(combinationValues(variables, pin.combination)).join(' / ')}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
