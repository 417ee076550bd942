import { type ReactElement, useState } from 'react';
import { entryFault } from '../../../lib/number-entry.ts';
import { Button } from '../../../ui/Button.tsx';
import { EntryForm } from '../../../ui/EntryForm.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { readSlippage, SLIPPAGE_PRESETS } from '../model/run-settings.ts';

export interface SlippagePopoverProps {
  /** Basis points. */
  readonly value: number;
  readonly onPreset: (bps: number) => void;
  readonly onChange: (bps: number) => void;
  readonly trigger: ReactElement;
}

/** Presets of the slippage (which run the backtest) and a number of one's own. */
export function SlippagePopover({
  value,
  onPreset,
  onChange,
  trigger,
  isOpenAtOnce,
}: SlippagePopoverProps & { isOpenAtOnce: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtOnce);
  const [text, setText] = useState<string | null>(null);
  const entry = text === null ? null : readSlippage(text);
  const fault = entry && entryFault(entry);
  const cancel = () => {
    setText(null);
    setOpen(false);
  };
  const close = () => {
    if (entry?.isRead && entry.value !== value) onChange(entry.value);
    else if (fault) toast.error(`The slippage stays ${value} bps. ${fault}.`);
    cancel();
  };
  return (
    <Popover
      title="Slippage"
      open={isOpen}
      onOpenChange={(open, isCancelled) => (open ? setOpen(true) : isCancelled ? cancel() : close())}
      trigger={trigger}
    >
      <div className="flex gap-1">
        {SLIPPAGE_PRESETS.map((preset) => (
          <Button
            key={preset}
            size="sm"
            className="num flex-1 aria-pressed:border-brand aria-pressed:bg-selected aria-pressed:text-accent"
            aria-pressed={preset === value}
            onClick={() => {
              setText(null);
              onPreset(preset);
            }}
          >
            {preset} bps
          </Button>
        ))}
      </div>
      <div className="mt-3">
        <EntryForm onDone={close} onCancel={cancel} canBeDone={fault === null}>
          <TextField
            label="Basis points"
            inputMode="numeric"
            value={text ?? String(value)}
            error={fault}
            hint="1 bps is 0.01% of every trade"
            onChange={setText}
          />
        </EntryForm>
      </div>
    </Popover>
  );
}
