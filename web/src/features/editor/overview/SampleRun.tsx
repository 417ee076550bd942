import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { Play } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { FetchedPopup, fetchedPart } from '../../../ui/fetched.tsx';

interface SampleRunProps {
  /** Runs the template with values in place of its variables; the label says which. */
  readonly onRun: (algorithm: Algorithm, label: string) => void;
}

export interface SampleRunPopoverProps extends SampleRunProps {
  readonly trigger: ReactElement;
}

const popover = fetchedPart(async () => (await import('./SampleRunPopover.tsx')).SampleRunPopover);

/** A look at what a template does, before the batch of all its values: one run, with one value for each variable. */
export function SampleRun({ onRun }: SampleRunProps) {
  return (
    <FetchedPopup
      part={popover}
      props={{
        onRun,
        trigger: (
          <Button>
            <Play size={15} aria-hidden /> Run with sample values
          </Button>
        ),
      }}
    />
  );
}
