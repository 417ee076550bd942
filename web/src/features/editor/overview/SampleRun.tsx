import { Play } from 'lucide-react';
import { Button } from '../../../ui/Button.tsx';
import { FetchedPopup, fetchedPart } from '../../../ui/fetched.tsx';
import type { SampleRunPopoverProps } from './SampleRunPopover.tsx';

const popover = fetchedPart(async () => (await import('./SampleRunPopover.tsx')).SampleRunPopover);

/** A look at what a template does, before the batch of all its values: one run, with one value for each variable. */
export function SampleRun({ onRun }: Omit<SampleRunPopoverProps, 'trigger'>) {
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
