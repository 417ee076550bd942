import { dayOf, formatDay, isWeekend } from '@quantloom/domain/market-data/day';

/** How a file writes its dates; one form per file, so that 03/04/2020 means the same day on every line. */
export type DateForm =
  | 'iso'
  | 'year_first'
  | 'compact'
  | 'month_first'
  | 'day_first'
  | 'day_month_name'
  | 'month_name_day'
  | 'excel_days'
  | 'epoch_seconds'
  | 'epoch_milliseconds'
  | 'epoch_microseconds'
  | 'epoch_nanoseconds';

/** Which of two numbers comes first in 03/04/2020. */
export type DateOrder = 'month_first' | 'day_first';

/**
 * The form of most of the texts given (the first rows of a file); ISO 8601 where nothing fits. For `numeric`
 * the order of day and month is for `decideOrder` to find out, from all dates of the file.
 */
export function dateForm(samples: Iterable<string>): Exclude<DateForm, DateOrder> | 'numeric' {
  const votes = new Map<Exclude<DateForm, DateOrder> | 'numeric', number>();
  for (const sample of samples) {
    // Only here, in a column of dates: anywhere else five digits are a number like any other.
    const form =
      formOf(sample.trim()) ?? (/^[2-6]\d{4}(?:[.,]\d+)?$/.test(sample.trim()) ? 'excel_days' : null);
    if (form) votes.set(form, (votes.get(form) ?? 0) + 1);
  }
  let best: Exclude<DateForm, DateOrder> | 'numeric' = 'iso';
  let most = 0;
  for (const [form, count] of votes)
    if (count > most) {
      best = form;
      most = count;
    }
  return best;
}

/** Whether a text has the look of a date in any form but a bare number of days or seconds. */
export function looksLikeDate(text: string): boolean {
  return formOf(text.trim()) !== null;
}

function formOf(text: string): Exclude<DateForm, DateOrder> | 'numeric' | null {
  if (/^\d{4}-\d{1,2}-\d{1,2}(?:[T ]|$)/.test(text)) return 'iso';
  if (/^\d{4}[/.]\d{1,2}[/.]\d{1,2}(?:[T ]|$)|^\d{4}年\d{1,2}月\d{1,2}日$/.test(text)) return 'year_first';
  if (/^\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})(?:[T ]|$)/.test(text)) return 'numeric';
  if (/^\d{1,2}[- /.][A-Za-z]{3,9}[- /.,]+(?:\d{4}|\d{2})$/.test(text)) return 'day_month_name';
  if (/^[A-Za-z]{3,9}\.? \d{1,2},? \d{4}$/.test(text)) return 'month_name_day';
  if (/^(?:19|20)\d{6}(?:\.0)?$/.test(text)) return 'compact';
  if (/^-?\d{18,19}$/.test(text)) return 'epoch_nanoseconds';
  if (/^-?\d{15,16}$/.test(text)) return 'epoch_microseconds';
  if (/^-?\d{12,13}$/.test(text)) return 'epoch_milliseconds';
  if (/^-?\d{9,10}$/.test(text)) return 'epoch_seconds';
  return null;
}

export type OrderDecision =
  | { readonly order: DateOrder; readonly because: string }
  | { readonly order: null; readonly because: string };

/**
 * Days that only one of two readings makes impossible must be this many, and this share, to decide for the
 * other reading.
 */
const LEAST_IMPOSSIBLE = 3;
const LEAST_IMPOSSIBLE_SHARE = 0.1;

/**
 * Decides between 03/04 as 4 March and as 3 April from all different dates of a file (`today` as a day since
 * 1970): a number above twelve is a day; else a reading that puts prices on weekends or into the future is
 * out, where there are many of them and none in the other.
 */
export function decideOrder(dates: Iterable<string>, today: number): OrderDecision {
  let isDotted = true;
  let firstAbove: string | null = null;
  let secondAbove: string | null = null;
  let count = 0;
  let firstAboveCount = 0;
  let secondAboveCount = 0;
  const impossible = { month_first: 0, day_first: 0 };
  for (const text of dates) {
    const match = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?:[T ]|$)/.exec(text.trim());
    if (!match) continue;
    count++;
    const [, a, separator, b, y] = match;
    if (separator !== '.') isDotted = false;
    const first = Number(a);
    const second = Number(b);
    const year = yearOf(y ?? '');
    if (first > 12) {
      firstAbove ??= text.trim();
      firstAboveCount++;
    }
    if (second > 12) {
      secondAbove ??= text.trim();
      secondAboveCount++;
    }
    if (first > 12 || second > 12) continue;
    if (isImpossible(dayOf(year, first, second), today)) impossible.month_first++;
    if (isImpossible(dayOf(year, second, first), today)) impossible.day_first++;
  }
  // A stray row of the other order is a bad row; a file with many of both has no order.
  if (firstAbove && secondAboveCount * 50 <= firstAboveCount)
    return { order: 'day_first', because: `${firstAbove} can only be day first` };
  if (secondAbove && firstAboveCount * 50 <= secondAboveCount)
    return { order: 'month_first', because: `${secondAbove} can only be month first` };
  if (firstAbove && secondAbove)
    return {
      order: null,
      because:
        `it has dates that can only be day first (${firstAbove}) and dates that can only be month ` +
        `first (${secondAbove})`,
    };
  if (isDotted && count > 0)
    return { order: 'day_first', because: 'dates with full stops are written day first' };
  const enough = Math.max(LEAST_IMPOSSIBLE, count * LEAST_IMPOSSIBLE_SHARE);
  if (impossible.day_first === 0 && impossible.month_first >= enough)
    return { order: 'day_first', because: 'month first would put prices on weekends or into the future' };
  if (impossible.month_first === 0 && impossible.day_first >= enough)
    return { order: 'month_first', because: 'day first would put prices on weekends or into the future' };
  return { order: null, because: 'every one of its dates can be read day first and month first' };
}

/** The year that is meant by four digits or by two; of two, as DuckDB's %y reads them. */
function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year + (year >= 69 ? 1900 : 2000);
}

function isImpossible(day: number, today: number): boolean {
  return isWeekend(day) || day > today;
}

/** What a date means in either order, for a question: `03/04/2020 is 4 March … or 3 April …`. */
export function bothReadings(
  text: string,
): { readonly monthFirst: string; readonly dayFirst: string } | null {
  const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})/.exec(text.trim());
  if (!match) return null;
  const year = yearOf(match[3] ?? '');
  return {
    monthFirst: formatDay(dayOf(year, Number(match[1]), Number(match[2]))),
    dayFirst: formatDay(dayOf(year, Number(match[2]), Number(match[1]))),
  };
}

/** A DuckDB expression for the day (a DATE, NULL where the column's text is no date of that form). */
export function dateSql(form: DateForm, raw: string): string {
  const text = `trim(${raw})`;
  const date = `split_part(split_part(${text}, ' ', 1), 'T', 1)`;
  switch (form) {
    case 'iso':
      // The plain form first: it is nearly every row, and the rest costs three times as much.
      return `CASE WHEN strlen(${raw}) = 10 THEN TRY_CAST(${raw} AS DATE)
        WHEN substr(${text}, 5, 1) = '-' AND substr(${text}, 11, 1) IN ('', ' ', 'T') THEN TRY_CAST(left(${text}, 10) AS DATE) END`;
    case 'year_first':
      return `CAST(try_strptime(translate(${date}, '.年月日', '///'), '%Y/%m/%d') AS DATE)`;
    case 'compact':
      // Programs that take a column of whole numbers for one of fractions write 20240105.0.
      return `CAST(try_strptime(regexp_replace(${text}, '\\.0$', ''), '%Y%m%d') AS DATE)`;
    case 'month_first':
      return numericSql(date, '%m/%d/');
    case 'day_first':
      return numericSql(date, '%d/%m/');
    case 'day_month_name':
      return namedSql(`regexp_replace(${text}, '[- /.,]+', ' ', 'g')`, ['%d %b ', '%d %B ']);
    case 'month_name_day':
      return namedSql(`regexp_replace(${text}, '[- /.,]+', ' ', 'g')`, ['%b %d ', '%B %d ']);
    case 'excel_days':
      // Spreadsheets count from the last day but one of 1899, so that their wrong 29 February 1900 does not matter.
      return (
        `CASE WHEN regexp_full_match(${text}, '[2-6][0-9]{4}([.,][0-9]+)?') THEN DATE '1899-12-30' + ` +
        `TRY_CAST(left(${text}, 5) AS INTEGER) END`
      );
    case 'epoch_seconds':
      return epochSql(text, '* 1000000');
    case 'epoch_milliseconds':
      return epochSql(text, '* 1000');
    case 'epoch_microseconds':
      return epochSql(text, '');
    case 'epoch_nanoseconds':
      return epochSql(text, '// 1000');
  }
}

function numericSql(date: string, dayAndMonth: string): string {
  const slashes = `translate(${date}, '.-', '//')`;
  return `CAST(CASE length(split_part(${slashes}, '/', 3)) WHEN 2 THEN try_strptime(${slashes}, '${dayAndMonth}%y')
    WHEN 4 THEN try_strptime(${slashes}, '${dayAndMonth}%Y') END AS DATE)`;
}

function namedSql(spaced: string, forms: readonly string[]): string {
  const list = (year: string) => `[${forms.map((form) => `'${form}${year}'`).join(', ')}]`;
  return `CAST(CASE length(split_part(${spaced}, ' ', 3)) WHEN 2 THEN try_strptime(${spaced}, ${list('%y')})
    WHEN 4 THEN try_strptime(${spaced}, ${list('%Y')}) END AS DATE)`;
}

function epochSql(text: string, toMicroseconds: string): string {
  return `CAST(TRY(make_timestamp(TRY_CAST(${text} AS BIGINT) ${toMicroseconds})) AS DATE)`;
}
