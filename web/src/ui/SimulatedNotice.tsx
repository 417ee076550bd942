import { useState } from 'react';
import { config } from '../lib/config.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { Dialog } from './Dialog.tsx';

/** One quiet line wherever results are shown while the data set is simulated, with the way to real prices. */
export function SimulatedNotice({ isSimulated = config().isDataSimulated }: { isSimulated?: boolean }) {
  const [open, setOpen] = useState(false);
  if (!isSimulated) return null;
  return (
    <aside
      aria-label="About the data"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2 border-b border-line bg-warning-soft px-4 py-1 text-sm text-warning"
    >
      <span>Simulated prices: results show how the product works, not how any market behaved.</span>
      <button
        type="button"
        className="font-medium underline underline-offset-2"
        onClick={() => setOpen(true)}
      >
        Use real prices
      </button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Use real prices"
        description="This installation came with a demo data set of simulated prices. Whoever runs it can load real ones; all strategies stay as they are."
      >
        <div className="flex flex-col gap-3">
          <p>From files (CSV or Parquet with date, ticker and adjusted close):</p>
          <CodeBlock label="Import command" code="npm run data -- import prices.csv" />
          <p>From a provider, with your own key:</p>
          <CodeBlock label="Fetch command" code="npm run data -- fetch --provider tiingo" />
        </div>
      </Dialog>
    </aside>
  );
}
