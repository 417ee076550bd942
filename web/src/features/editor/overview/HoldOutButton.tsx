import { useSelector } from '@xstate/react';
import { Lock } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { formatDate } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Fetched, fetchedPart } from '../../../ui/fetched.tsx';
import type { EditorActor } from '../machines/actors.ts';

const dialog = fetchedPart(async () => (await import('./HoldOutDialog.tsx')).HoldOutDialog);

/** From which day on batches of the strategy rank nothing, and the way to change it. */
export function HoldOutButton({ id, actor }: { id: string; actor: EditorActor }) {
  const [isOpen, setOpen] = useState(false);
  const date = useSelector(actor, ({ context }) => context.bot?.hold_out?.date ?? null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <Button
        variant="ghost"
        className="-mt-3 justify-start!"
        onPointerEnter={dialog.fetch}
        onFocus={dialog.fetch}
        onClick={() => dialog.whenFetched(() => setOpen(true))}
      >
        <Lock size={15} aria-hidden />{' '}
        {date === null ? 'Hold-out: none' : `Held out from ${formatDate(date)}`}
      </Button>
      {isOpen && (
        <Suspense>
          <Fetched part={dialog} props={{ id, actor, onClose: close }} />
        </Suspense>
      )}
    </>
  );
}
