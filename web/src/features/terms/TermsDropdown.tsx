import { Button } from '../../ui/Button.tsx';
import { FetchedPopup, fetchedPart, onFirstUse } from '../../ui/fetched.tsx';
import type { TermsPopoverProps } from './TermsPopover.tsx';
import { termsWords } from './terms.ts';

const popover = fetchedPart(async () => (await import('./TermsPopover.tsx')).TermsPopover);
onFirstUse(popover.fetch);

/** Fill, cash, what decisions read and further benchmarks on one button; they are chosen below it. */
export function TermsDropdown(props: Omit<TermsPopoverProps, 'trigger'>) {
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
