import { Button } from '../../../ui/Button.tsx';
import { FetchedPopup, fetchedPart, onFirstUse } from '../../../ui/fetched.tsx';
import type { SlippagePopoverProps } from './SlippagePopover.tsx';

const popover = fetchedPart(async () => (await import('./SlippagePopover.tsx')).SlippagePopover);
onFirstUse(popover.fetch);

/** Slippage in basis points; its choices open below it. */
export function SlippageDropdown(props: Omit<SlippagePopoverProps, 'trigger'>) {
  return (
    <FetchedPopup
      part={popover}
      props={{
        ...props,
        trigger: (
          <Button className="num" aria-label={`Slippage ${props.value} bps`}>
            <span className="font-normal text-muted">Slippage</span> {props.value} bps
          </Button>
        ),
      }}
    />
  );
}
