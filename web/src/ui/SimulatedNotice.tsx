import { Suspense, useState } from 'react';
import { config } from '../lib/config.ts';
import { Fetched, fetchedPart } from './fetched.tsx';

const dialog = fetchedPart(async () => (await import('./RealPricesDialog.tsx')).default);

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
        onClick={() => dialog.whenFetched(() => setOpen(true))}
      >
        Use real prices
      </button>
      {open !== null && (
        <Suspense>
          <Fetched part={dialog} props={{ open, onOpenChange: setOpen }} />
        </Suspense>
      )}
    </aside>
  );
}
