import { useFeature } from '../lib/auth/session.ts';
import { ButtonLink } from './Button.tsx';
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
  const isAdmin = useFeature('web.admin.view');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Use real prices"
      description="This installation came with a demo data set of simulated prices. Whoever runs it can load real ones; all strategies stay as they are."
    >
      <div className="flex flex-col gap-3">
        {isAdmin ? (
          <>
            <p>From files, here in the browser; you see what they hold before anything changes:</p>
            <ButtonLink to="/admin/market-data" variant="primary" onClick={() => onOpenChange(false)}>
              Import files
            </ButtonLink>
          </>
        ) : (
          <p>Administrators import files on their Market Data page.</p>
        )}
        <p>From files on the server (CSV or Parquet with date, ticker and adjusted close):</p>
        <CodeBlock label="Import command" code="npm run data -- import prices.csv" />
        <p>From a provider, with your own key:</p>
        <CodeBlock label="Fetch command" code="npm run data -- fetch --provider tiingo" />
      </div>
    </Dialog>
  );
}
