import type { MetricConcept } from '@quantloom/domain/contracts/metric-concepts';

/** Every way in which the product shows a figure. One missing value has one sign: `--`. */
export const MISSING = '--';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

type DateLike = string | number | Date | null | undefined;

/**
 * `YYYY-MM-DD` is a calendar day and never shifts with the time zone; everything else is an instant, shown in
 * local time.
 */
function parts(value: DateLike): { year: number; month: number; day: number; date: Date } | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string') {
    const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
    if (day) {
      const [year, month, dayOfMonth] = [Number(day[1]), Number(day[2]), Number(day[3])];
      return { year, month: month - 1, day: dayOfMonth, date: new Date(year, month - 1, dayOfMonth) };
    }
  }
  const date = value instanceof Date ? value : new Date(value);
  if (Number.isNaN(date.getTime())) return null;
  return { year: date.getFullYear(), month: date.getMonth(), day: date.getDate(), date };
}

/** `March 17, 2025`. Takes ISO instants, calendar days, epoch milliseconds and dates. */
export function formatDate(value: DateLike): string {
  const at = parts(value);
  return at === null ? MISSING : `${MONTHS[at.month]} ${at.day}, ${at.year}`;
}

/** `4:05 PM`, local time. */
export function formatTime(value: DateLike): string {
  const at = parts(value);
  if (at === null) return MISSING;
  const hours = at.date.getHours();
  return (
    `${hours % 12 === 0 ? 12 : hours % 12}:${String(at.date.getMinutes()).padStart(2, '0')} ` +
    `${hours < 12 ? 'AM' : 'PM'}`
  );
}

/** `March 17, 2025 4:05 PM`. */
export function formatDateTime(value: DateLike): string {
  return parts(value) === null ? MISSING : `${formatDate(value)} ${formatTime(value)}`;
}

/** Unix seconds → `YYYY-MM-DD` in UTC. */
export function formatUnixDay(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** A date of the local calendar → `YYYY-MM-DD`. */
export function toDay(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}

/** `YYYY-MM-DD` → local midnight; null for anything else. */
export function fromDay(day: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return null;
  const date = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return toDay(date) === day ? date : null;
}

/** Seconds → `42s`, `3m 5s`, `2h 0m 9s`. */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return MISSING;
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`;
  return `${Math.floor(whole / 3600)}h ${Math.floor((whole % 3600) / 60)}m ${whole % 60}s`;
}

const isMissing = (value: number | null | undefined): value is null | undefined =>
  value === null || value === undefined || !Number.isFinite(value);

/** A fraction in percent: 0.1234 → `12.34%`. */
export function formatPercent(fraction: number | null | undefined): string {
  return isMissing(fraction) ? MISSING : `${fixed(fraction * 100, 2)}%`;
}

/** A fraction with its sign: `+12.34%` or `-3.10%`. Gain and loss carry their sign, not only a colour. */
export function formatSignedPercent(fraction: number | null | undefined): string {
  if (isMissing(fraction)) return MISSING;
  const shown = formatPercent(fraction);
  return fraction > 0 && shown !== '0.00%' ? `+${shown}` : shown;
}

/** Share of the portfolio, given in percent (0..100), one decimal: `33.3%`. */
export function formatAllocation(percent: number | null | undefined): string {
  return isMissing(percent) ? MISSING : `${fixed(percent, 1)}%`;
}

/** Indicator values: 2 decimals above 1, otherwise 4. */
export function formatIndicator(value: number | null | undefined): string {
  return isMissing(value) ? MISSING : fixed(value, value > 1 ? 2 : 4);
}

/** A plain ratio such as Sharpe or Calmar, two decimals; a missing or zero value shows `--`. */
export function formatRatio(value: number | null | undefined): string {
  return isMissing(value) || value === 0 ? MISSING : fixed(value, 2);
}

/** Cents → `$30.00`, `-$30.00`. */
export function formatCents(cents: number | null | undefined): string {
  return isMissing(cents) ? MISSING : fixed(cents / 100, 2).replace(/^-?/, '$&$$');
}

/** `1,499,520`. */
export function formatCount(value: number | null | undefined): string {
  return isMissing(value) ? MISSING : fixed(Math.round(value), 0);
}

/** `1 combination`, `480 combinations`. */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : many}`;
}

/**
 * One per number of decimals: making a format takes much longer than using it, and large tables use it
 * thousands of times.
 */
const formats = new Map<number, Intl.NumberFormat>();
function formatOf(decimals: number): Intl.NumberFormat {
  const known = formats.get(decimals);
  if (known) return known;
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  formats.set(decimals, format);
  return format;
}

/** Fixed decimals with thousands separators; never `-0.00`. */
export function fixed(value: number, decimals: number): string {
  const shown = formatOf(decimals).format(value);
  return /^-[0.,]*$/.test(shown) ? shown.slice(1) : shown;
}

/** `just now`, `5 minutes ago`, `yesterday`, otherwise the date. */
export function formatAgo(value: DateLike, now: number = Date.now()): string {
  const at = parts(value);
  if (at === null) return MISSING;
  const seconds = (now - at.date.getTime()) / 1000;
  if (seconds < 45) return 'just now';
  if (seconds < 3600) return `${plural(Math.max(1, Math.round(seconds / 60)), 'minute')} ago`;
  if (seconds < 86_400) return `${plural(Math.round(seconds / 3600), 'hour')} ago`;
  if (seconds < 172_800) return 'yesterday';
  if (seconds < 14 * 86_400) return `${Math.round(seconds / 86_400)} days ago`;
  return formatDate(value);
}

/** Metrics as the engine answers them: what they are called, how they are shown, what they mean. */
export interface MetricSpec {
  readonly key: MetricConcept;
  readonly label: string;
  readonly definition: string;
  /** `percent`: a fraction shown in percent; `ratio`: a plain number; `days`: calendar days. */
  readonly unit: 'percent' | 'ratio' | 'days';
  /** Whether a larger value is the better one. */
  readonly isHigherBetter: boolean;
}

export const METRICS: readonly MetricSpec[] = [
  {
    key: 'duration',
    label: 'Duration',
    definition: 'Calendar days from the first to the last day of the backtest.',
    unit: 'days',
    isHigherBetter: true,
  },
  {
    key: 'cumulative_return',
    label: 'Cumulative Return',
    definition: 'Total change of the portfolio value from the first to the last day.',
    unit: 'percent',
    isHigherBetter: true,
  },
  {
    key: 'annualized_return',
    label: 'Annualized Return',
    definition:
      'The constant yearly growth that would give the same cumulative return (252 trading days a year).',
    unit: 'percent',
    isHigherBetter: true,
  },
  {
    key: 'standard_deviation',
    label: 'Standard Deviation',
    definition:
      'Sample standard deviation of the daily returns, annualized with the square root of 252. Smaller is steadier.',
    unit: 'percent',
    isHigherBetter: false,
  },
  {
    key: 'max_drawdown',
    label: 'Max Drawdown',
    definition: 'Largest fall from a peak of the portfolio value to the low that followed it.',
    unit: 'percent',
    isHigherBetter: false,
  },
  {
    key: 'calmer',
    label: 'Calmar Ratio',
    definition: 'Annualized return divided by the maximum drawdown.',
    unit: 'ratio',
    isHigherBetter: true,
  },
  {
    key: 'sharpe',
    label: 'Sharpe Ratio',
    definition:
      'Mean daily return divided by its standard deviation, annualized with the square root of ' +
      '252; risk-free rate zero.',
    unit: 'ratio',
    isHigherBetter: true,
  },
  {
    key: 'trailing_1_month',
    label: 'Trailing 1 Month',
    definition: 'Return over the last 21 trading days of the backtest.',
    unit: 'percent',
    isHigherBetter: true,
  },
  {
    key: 'trailing_3_month',
    label: 'Trailing 3 Month',
    definition: 'Return over the last 63 trading days of the backtest.',
    unit: 'percent',
    isHigherBetter: true,
  },
];

/** A metric in its unit; missing and zero show `--`. */
export function formatMetric(spec: Pick<MetricSpec, 'unit'>, value: number | null | undefined): string {
  if (isMissing(value) || value === 0) return MISSING;
  if (spec.unit === 'percent') return formatPercent(value);
  return spec.unit === 'days' ? formatCount(value) : formatRatio(value);
}
