import { Radio } from '@base-ui/react/radio';
import { RadioGroup as BaseRadioGroup } from '@base-ui/react/radio-group';
import { type ReactNode, useId } from 'react';
import { cx } from './classes.ts';

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly disabled?: boolean;
}

/** One of a few, all in sight. */
export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
  isRow,
}: {
  label: string;
  options: readonly RadioOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  isRow?: boolean;
}) {
  const id = useId();
  return (
    <div>
      <div id={id} className="mb-1.5 text-sm font-medium">
        {label}
      </div>
      <BaseRadioGroup
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(next as Value)}
        className={cx('flex', isRow ? 'flex-wrap gap-x-5 gap-y-2' : 'flex-col gap-2')}
      >
        {options.map((option) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: Radio.Root renders the control
          <label key={option.value} className="flex items-start gap-2">
            <Radio.Root
              value={option.value}
              disabled={option.disabled ?? false}
              className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control-line bg-raised data-checked:border-brand data-checked:bg-brand data-disabled:opacity-50"
            >
              <Radio.Indicator className="size-1.5 rounded-full bg-white data-unchecked:hidden" />
            </Radio.Root>
            <span>
              {option.label}
              {option.description && <span className="block text-sm text-muted">{option.description}</span>}
            </span>
          </label>
        ))}
      </BaseRadioGroup>
    </div>
  );
}
