import { Select as Base } from '@base-ui/react/select';
import { FILTER_SORT_NAMES, INDICATOR_NAMES, INDICATORS } from '@quantloom/domain/strategy/indicator';
import { EXPLANATIONS } from '@quantloom/domain/strategy/indicator-explanations';
import type { IndicatorName } from '@quantloom/domain/strategy/tree';
import { Check, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { CONTROL, cx, FLOATING, OPTION } from '../../../ui/classes.ts';
import { Field } from '../../../ui/Field.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { INDICATOR_LISTS } from '../model/indicator-lists.ts';
import { IndicatorCurve } from './IndicatorCurve.tsx';

const ITEMS = INDICATOR_NAMES.map((value) => ({ value, label: INDICATORS[value].label }));

/**
 * Chooses a function, and says beside the list what the one that is pointed at does: a sentence, its formula,
 * its numbers, a year of it.
 */
export function IndicatorSelect({
  label,
  value,
  series,
  second = '',
  isSort = false,
  onChange,
}: {
  label: string;
  value: IndicatorName | null;
  /** The ticker whose curve is shown; empty or a variable: the benchmark. */
  series: string;
  second?: string;
  /** A filter sorts by functions of one series only. */
  isSort?: boolean;
  onChange: (fn: IndicatorName) => void;
}) {
  const { canUseZScore } = useEditorTools();
  const [pointed, setPointed] = useState<IndicatorName | null>(null);
  const shown = pointed ?? value ?? 'relative-strength-index';
  const isOffered = (name: IndicatorName) =>
    (name !== 'z-score' || canUseZScore || value === name) &&
    (!isSort || (FILTER_SORT_NAMES as readonly string[]).includes(name));
  return (
    <Field label={label} className="col-span-full">
      {(ids) => (
        <Base.Root
          items={ITEMS}
          value={value}
          onValueChange={(next) => next !== null && onChange(next as IndicatorName)}
          onOpenChange={() => setPointed(null)}
        >
          <Base.Trigger
            {...ids}
            aria-label={label}
            className={cx(CONTROL, 'flex items-center justify-between gap-2')}
          >
            <Base.Value className="truncate data-placeholder:text-faint" placeholder="Choose" />
            <Base.Icon>
              <ChevronDown size={15} className="text-muted" aria-hidden />
            </Base.Icon>
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner
              sideOffset={4}
              collisionPadding={8}
              alignItemWithTrigger={false}
              className="z-50"
            >
              <Base.Popup
                className={cx(
                  FLOATING,
                  'flex max-h-(--available-height) max-w-(--available-width) p-1 ' +
                    'max-sm:w-(--anchor-width) max-sm:flex-col sm:w-150',
                )}
              >
                <Base.List className="max-h-[min(24rem,var(--available-height))] min-w-0 overflow-y-auto sm:w-64 sm:shrink-0 max-sm:max-h-56">
                  {INDICATOR_LISTS.map((group) => {
                    const names = group.names.filter(isOffered);
                    return (
                      names.length > 0 && (
                        <Base.Group key={group.label}>
                          <Base.GroupLabel className="px-2 pb-1 pt-2 text-xs text-muted">
                            {group.label}
                          </Base.GroupLabel>
                          {names.map((name) => (
                            <Base.Item
                              key={name}
                              value={name}
                              className={OPTION}
                              onFocus={() => setPointed(name)}
                              onPointerEnter={() => setPointed(name)}
                            >
                              <span className="min-w-0 flex-1">
                                <Base.ItemText>{INDICATORS[name].label}</Base.ItemText>
                              </span>
                              <Base.ItemIndicator>
                                <Check size={15} className="text-accent" aria-hidden />
                              </Base.ItemIndicator>
                            </Base.Item>
                          ))}
                        </Base.Group>
                      )
                    );
                  })}
                </Base.List>
                <Teaching fn={shown} series={series} second={second} />
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}

/** What a function is, for whoever never used it. */
function Teaching({ fn, series, second }: { fn: IndicatorName; series: string; second: string }) {
  const { label, parameters } = INDICATORS[fn];
  const { sentence, formula } = EXPLANATIONS[fn];
  const numbers = parameters.map(({ label: name, default: preset }) => `${name} ${preset ?? 10}`).join(', ');
  return (
    <div
      aria-live="polite"
      className="flex min-w-0 flex-1 flex-col gap-2 border-line p-3 text-sm max-sm:border-t sm:border-l"
    >
      <p className="font-medium">{label}</p>
      <p>{sentence}</p>
      <p className="text-muted max-sm:hidden">{formula}</p>
      <p className="text-muted">{numbers === '' ? 'It takes no numbers.' : `Usual: ${numbers}`}</p>
      <IndicatorCurve fn={fn} series={series} second={second} />
    </div>
  );
}
