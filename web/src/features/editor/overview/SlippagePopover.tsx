import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { SLIPPAGE_PRESETS, slippageOf } from '../model/run-settings.ts';
import type { SlippagePopoverProps } from './SlippageDropdown.tsx';

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
  const isInvalid = text !== null && slippageOf(text) === null;
  return (
    <Popover
      title="Slippage"
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open);
        if (!open) setText(null);
      }}
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
      <TextField
        className="mt-3"
        label="Basis points"
        inputMode="numeric"
        value={text ?? String(value)}
        error={isInvalid ? 'A whole number from 0 to 1000' : null}
        hint="1 bps is 0.01% of every trade"
        onChange={(next) => {
          setText(next);
          const bps = slippageOf(next);
          if (bps !== null) onChange(bps);
        }}
      />
    </Popover>
  );
}
