import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { type ReactNode, useId } from 'react';

/** On or off, taking effect at once. */
export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
  isLabelHidden,
}: {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  isLabelHidden?: boolean;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <BaseSwitch.Root
        aria-labelledby={`${id}-label`}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className="mt-0.5 flex h-4 w-7 shrink-0 rounded-full bg-control-line p-0.5 transition-colors data-checked:bg-brand data-disabled:opacity-50"
      >
        <BaseSwitch.Thumb className="size-3 rounded-full bg-white transition-transform data-checked:translate-x-3" />
      </BaseSwitch.Root>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a larger target for the switch beside it, which keyboards reach */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div className={isLabelHidden ? 'sr-only' : 'min-w-0'} onClick={() => !disabled && onChange(!checked)}>
        <span id={`${id}-label`}>{label}</span>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
