import { History } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Fetched, fetchedPart } from '../../../ui/fetched.tsx';
import type { HistoryProps } from './Revision.tsx';

const dialog = fetchedPart(async () => (await import('./HistoryDialog.tsx')).HistoryDialog);

/** Opens the history of a saved strategy; it is fetched when the pointer or the focus comes near. */
export function HistoryButton(props: HistoryProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => dialog.whenFetched(() => setOpen(true));
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <Button
        variant="ghost"
        className="-mt-3 justify-start!"
        onPointerEnter={dialog.fetch}
        onFocus={dialog.fetch}
        onClick={open}
      >
        <History size={15} aria-hidden /> History
      </Button>
      {isOpen && (
        <Suspense>
          <Fetched part={dialog} props={{ ...props, onClose: close }} />
        </Suspense>
      )}
    </>
  );
}
