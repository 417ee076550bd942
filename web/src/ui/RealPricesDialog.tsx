import { CodeBlock } from './CodeBlock.tsx';
import { Dialog } from './Dialog.tsx';

/** How whoever runs this installation loads real prices. */
export default function RealPricesDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
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
  );
}
