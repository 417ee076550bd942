import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../../../ui/Button.tsx';
import { tellFailure } from '../../../ui/tell-failure.ts';
import { TextField } from '../../../ui/text-inputs.tsx';
import { pinRow, unpinRow } from '../model/pins.ts';

/** A pinned row and its note: the owner changes the note and unpins the row, everybody else reads. */
export function PinLine({
  batch,
  pin,
  label,
  children,
}: {
  batch: BatchDetail;
  pin: BatchDetail['pins'][number];
  /** The values of its variables. */
  label: string;
  /** What stands beside them. */
  children?: ReactNode;
}) {
  const [note, setNote] = useState(pin.note);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="num min-w-40 font-medium">{label}</span>
      {children}
      {batch.is_owner ? (
        <>
          <TextField
            label={`Note on ${label}`}
            isLabelHidden
            className="min-w-40 flex-1"
            placeholder="Note"
            value={note}
            onChange={setNote}
            onBlur={() =>
              note !== pin.note && void pinRow(batch.id, pin.combination, note).catch(tellFailure)
            }
          />
          <IconButton
            icon={Trash2}
            label={`Unpin ${label}`}
            size="sm"
            onClick={() => void unpinRow(batch.id, pin.combination).catch(tellFailure)}
          />
        </>
      ) : (
        <span className="text-muted">{pin.note}</span>
      )}
    </li>
  );
}
