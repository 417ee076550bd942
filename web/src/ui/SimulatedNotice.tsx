import { lazy, Suspense, useState } from 'react';
import { config } from '../lib/config.ts';

const RealPricesDialog = lazy(() => import('./RealPricesDialog.tsx'));

/** One quiet line wherever results are shown while the data set is simulated, with the way to real prices. */
export function SimulatedNotice({ isSimulated = config().isDataSimulated }: { isSimulated?: boolean }) {
  const [open, setOpen] = useState<boolean | null>(null);
  if (!isSimulated) return null;
  return (
    <aside
      aria-label="About the data"
      className="shrink-0 border-b border-line bg-warning-soft px-4 py-1 text-center text-sm text-warning"
    >
      <span>Simulated prices: results show how the product works, not how any market behaved.</span>{' '}
      <button
        type="button"
        className="font-medium underline underline-offset-2"
        onClick={() => setOpen(true)}
      >
        Use real prices
      </button>
      {open !== null && (
        <Suspense>
          <RealPricesDialog open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </aside>
  );
}
