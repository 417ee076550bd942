import { X } from 'lucide-react';
import { IconButton } from '../../../ui/Button.tsx';
import type { Desk } from './use-desk.ts';

/** Says what of a view or a link this batch cannot show. */
export function LeftOutLine({ desk: { leftOut, forgetLeftOut } }: { desk: Desk }) {
  return (
    leftOut && (
      <div
        role="status"
        className="mb-2 flex items-start justify-between gap-2 rounded bg-selected px-3 py-1.5 text-sm"
      >
        <p className="min-w-0 break-words">
          {leftOut.of === null ? 'The link' : `The view “${leftOut.of}”`} asks for more than this batch has.
          Left out: {leftOut.what.join(', ')}.
        </p>
        <IconButton icon={X} size="sm" label="Hide this note" onClick={forgetLeftOut} />
      </div>
    )
  );
}
