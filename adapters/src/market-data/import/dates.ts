/** How a file writes its dates; one form per file, so that 03/04/2020 means the same day on every line. */
export type DateForm =
  | 'iso'
  | 'year_first_slashes'
  | 'compact'
  | 'month_first'
  | 'day_first'
  | 'epoch_seconds'
  | 'epoch_milliseconds';

/** The form of most of the texts given (the first rows of a file); ISO 8601 where nothing fits. */
export function dateForm(samples: Iterable<string>): DateForm {
  const votes = new Map<DateForm, number>();
  let isDayFirst = false;
  for (const sample of samples) {
    const form = formOf(sample.trim());
    if (form === 'month_first' && Number.parseInt(sample, 10) > 12) isDayFirst = true;
    if (form) votes.set(form, (votes.get(form) ?? 0) + 1);
  }
  let best: DateForm = 'iso';
  let most = 0;
  for (const [form, count] of votes)
    if (count > most) {
      best = form;
      most = count;
    }
  return best === 'month_first' && isDayFirst ? 'day_first' : best;
}

function formOf(text: string): DateForm | null {
  if (/^\d{4}-\d{1,2}-\d{1,2}(?:[T ]|$)/.test(text)) return 'iso';
  if (/^\d{4}\/\d{1,2}\/\d{1,2}(?:[T ]|$)/.test(text)) return 'year_first_slashes';
  if (/^\d{1,2}\/\d{1,2}\/\d{4}(?:[T ]|$)/.test(text)) return 'month_first';
  if (/^(?:19|20)\d{6}$/.test(text)) return 'compact';
  if (/^-?\d{13}$/.test(text)) return 'epoch_milliseconds';
  if (/^-?\d{9,10}$/.test(text)) return 'epoch_seconds';
  return null;
}

/** A DuckDB expression for the day (a DATE, NULL where the column's text is no date of that form). */
export function dateSql(form: DateForm, raw: string): string {
  const text = `trim(${raw})`;
  switch (form) {
    case 'iso':
      // The plain form first: it is nearly every row, and the rest costs three times as much.
      return `CASE WHEN strlen(${raw}) = 10 THEN TRY_CAST(${raw} AS DATE)
        WHEN substr(${text}, 5, 1) = '-' AND substr(${text}, 11, 1) IN ('', ' ', 'T') THEN TRY_CAST(left(${text}, 10) AS DATE) END`;
    case 'year_first_slashes':
      return `CAST(try_strptime(split_part(split_part(${text}, ' ', 1), 'T', 1), '%Y/%m/%d') AS DATE)`;
    case 'compact':
      return `CAST(try_strptime(${text}, '%Y%m%d') AS DATE)`;
    case 'month_first':
      return `CAST(try_strptime(split_part(${text}, ' ', 1), '%m/%d/%Y') AS DATE)`;
    case 'day_first':
      return `CAST(try_strptime(split_part(${text}, ' ', 1), '%d/%m/%Y') AS DATE)`;
    case 'epoch_seconds':
      return `CAST(TRY(make_timestamp(TRY_CAST(${text} AS BIGINT) * 1000000)) AS DATE)`;
    case 'epoch_milliseconds':
      return `CAST(TRY(make_timestamp(TRY_CAST(${text} AS BIGINT) * 1000)) AS DATE)`;
  }
}
