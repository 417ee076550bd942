import type { ReactElement } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { FetchedPopup, fetchedPart, onFirstUse } from '../../../ui/fetched.tsx';

interface SlippageProps {
  /** Basis points. */
  readonly value: number;
  readonly onPreset: (bps: number) => void;
  readonly onChange: (bps: number) => void;
}

export interface SlippagePopoverProps extends SlippageProps {
  readonly trigger: ReactElement;
}

const popover = fetchedPart(async () => (await import('./SlippagePopover.tsx')).SlippagePopover);
onFirstUse(popover.fetch);

/** Slippage in basis points; its choices open below it. */
export function SlippageDropdown(props: SlippageProps) {
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
