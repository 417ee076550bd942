import { NumberField } from '../../ui/NumberField.tsx';
import { Select } from '../../ui/Select.tsx';
import {
  FOLLOW_METRICS,
  type FollowMetric,
  MOST_MONTHS,
  type Registration,
  registrationFault,
  specOf,
} from './registration.ts';

const NOTHING = { value: 'nothing', label: 'Nothing in particular' } as const;
const OPTIONS = [
  NOTHING,
  ...FOLLOW_METRICS.map((metric) => ({ value: metric, label: specOf(metric).label })),
];

/** Asks, out of the way, which figure will count and when. */
export function RegistrationFields({
  value,
  onChange,
}: {
  value: Registration;
  onChange: (value: Registration) => void;
}) {
  const { metric, months } = value;
  return (
    <details className="mt-3">
      <summary className="cursor-pointer rounded-sm hover:text-ink">Say beforehand what will count</summary>
      <div className="mt-2 grid grid-cols-1 gap-3 text-ink sm:grid-cols-[1fr_9rem]">
        <Select<FollowMetric | 'nothing'>
          label="What counts"
          options={OPTIONS}
          value={metric ?? NOTHING.value}
          onChange={(next) => onChange({ ...value, metric: next === NOTHING.value ? null : next })}
        />
        <NumberField
          label="After"
          unit="months"
          min={1}
          max={MOST_MONTHS}
          step={1}
          value={months}
          disabled={metric === null}
          error={registrationFault(value)}
          onChange={(next) => onChange({ ...value, months: next })}
        />
      </div>
      <p className="mt-2 text-sm">
        It is written down with the start and cannot be changed. Tomorrow shows how it stands, and what it
        came to in the end.
      </p>
    </details>
  );
}
