import type { ReactElement } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FetchedPopup, fetchedPart, onFirstUse } from '../../ui/fetched.tsx';
import { type TradingTerms, termsWords } from './terms.ts';

interface TermsProps {
  readonly value: TradingTerms;
  readonly onChange: (terms: TradingTerms) => void;
  /** Whether further tickers can be compared with: a batch shows its own benchmark alone. */
  readonly hasBenchmarks?: boolean;
}

export interface TermsPopoverProps extends TermsProps {
  readonly trigger: ReactElement;
}

const popover = fetchedPart(async () => (await import('./TermsPopover.tsx')).TermsPopover);
onFirstUse(popover.fetch);

/** Fill, cash, what decisions read and further benchmarks on one button; they are chosen below it. */
export function TermsDropdown(props: TermsProps) {
  const words = termsWords(props.value);
  return (
    <FetchedPopup
      part={popover}
      props={{
        ...props,
        trigger: (
          <Button className="num max-w-full" aria-label={`Trading: ${words}`}>
            <span className="font-normal text-muted">Trading</span> <span className="truncate">{words}</span>
          </Button>
        ),
      }}
    />
  );
}
