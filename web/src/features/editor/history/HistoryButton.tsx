import { History } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import type { HistoryProps } from './Revision.tsx';

const load = () => import('./HistoryDialog.tsx');
const HistoryDialog = lazy(async () => ({ default: (await load()).HistoryDialog }));

/** Opens the history of a saved strategy; it is fetched when the pointer or the focus comes near. */
export function HistoryButton(props: HistoryProps) {
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <Button
        variant="ghost"
        className="-mt-3 justify-start!"
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen(true)}
      >
        <History size={15} aria-hidden /> History
      </Button>
      {isOpen && (
        <Suspense>
          <HistoryDialog {...props} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
