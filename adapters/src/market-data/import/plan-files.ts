import { basename } from 'node:path';
import { MarketDataError } from '../files/market-data-error.ts';
import { planColumns } from './columns.ts';
import { readCsvHead } from './csv-head.ts';
import { currencyNotes } from './currency.ts';
import { bothReadings, type DateOrder, dateForm, decideOrder } from './dates.ts';
import { type InputFile, type Inputs, openText } from './inputs.ts';
import { isPlainNumber, type NumberForm, numberForm } from './numbers.ts';
import { readParquetHead } from './parquet-head.ts';
import { cannotBeRead } from './read-failure.ts';
import type { StagedFile } from './staged-file.ts';
import type { Staging } from './staging.ts';

/** What a user says where a file does not tell. */
export interface ReadingOptions {
  /** The ticker of a file that names none; for an import of one file. */
  readonly ticker?: string | undefined;
  readonly dates?: DateOrder | undefined;
  readonly decimal?: 'point' | 'comma' | undefined;
  readonly isKnown?: (ticker: string) => boolean;
}

export interface PlannedFiles {
  readonly files: readonly StagedFile[];
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
  /** What was decided about files, for people. */
  readonly notes: readonly string[];
}

/**
 * Recognises the form of every file. A file that the user named must be recognised; of folders and archives
 * what is not is left out and told. Throws `import_refused`, with a `question` where the user can answer what
 * the file does not tell.
 */
export async function planFiles(
  inputs: Inputs,
  staging: Staging,
  today: number,
  options: ReadingOptions,
): Promise<PlannedFiles> {
  const leftOut = [...inputs.leftOut];
  const planned: { file: StagedFile; isNumeric: boolean }[] = [];
  for (const input of inputs.files) {
    try {
      planned.push(await planFile(input, options));
    } catch (cause) {
      const refusal = cannotBeRead(input.name, cause);
      if (input.isNamed || inputs.files.length === 1) throw refusal;
      leftOut.push({
        name: input.name,
        reason: refusal.message
          .replace(`${basename(input.name)}: `, '')
          .replace(/\. Its columns are.*$/s, ''),
      });
    }
  }
  if (planned.length === 0)
    throw new MarketDataError(
      'import_refused',
      `None of the ${inputs.files.length + inputs.leftOut.length} files can be imported: ${leftOut
        .slice(0, 3)
        .map(({ name, reason }) => `${name}: ${reason}`)
        .join('; ')}`,
    );
  if (options.ticker !== undefined && planned.length > 1)
    throw new MarketDataError(
      'import_refused',
      `--ticker names the ticker of one file; these are ${planned.length}`,
    );
  const notes: string[] = [];
  const files = await settleOrders(planned, staging, today, options.dates, notes);
  for (const file of files) notes.push(...(await currencyNotes(file, staging)));
  return { files, leftOut, notes };
}

async function planFile(
  input: InputFile,
  options: ReadingOptions,
): Promise<{ file: StagedFile; isNumeric: boolean }> {
  const head =
    input.kind === 'parquet'
      ? await readParquetHead(input.path).then(({ columns, sample }) => ({
          delimiter: ',',
          headerRows: [{ cells: columns, lines: 0 }],
          sample,
          columnCount: columns.length,
        }))
      : await readCsvHead(input.name, () => openText(input));
  const plan = planColumns(input.name, head, {
    ticker: options.ticker,
    ...(options.isKnown && { isKnown: options.isKnown }),
  });
  const form = dateForm(head.sample.map((cells) => cells[plan.date] ?? ''));
  const column = plan.shape.kind === 'wide' ? plan.shape.prices[0]?.column : plan.shape.price;
  const prices = head.sample.map((cells) => cells[column ?? 0] ?? '').filter((price) => price !== '');
  const isPlain = input.kind === 'parquet' || prices.length === 0 || prices.every(isPlainNumber);
  return {
    file: {
      ...input,
      plan,
      delimiter: head.delimiter,
      sample: head.sample.slice(0, 3),
      dateForm: form === 'numeric' ? (options.dates ?? 'month_first') : form,
      // Anything but `plain` is to be found out from the whole file.
      numberForm: isPlain ? 'plain' : (options.decimal ?? 'point'),
    },
    isNumeric: form === 'numeric',
  };
}

/**
 * Decides which of day and month comes first, by all dates of each file; files with the same columns help
 * each other out.
 */
async function settleOrders(
  planned: readonly { readonly file: StagedFile; readonly isNumeric: boolean }[],
  staging: Staging,
  today: number,
  told: DateOrder | undefined,
  notes: string[],
): Promise<StagedFile[]> {
  const decided = new Map<StagedFile, DateOrder>();
  const open: { file: StagedFile; because: string; example: string }[] = [];
  for (const { file, isNumeric } of planned) {
    if (!isNumeric || told !== undefined) continue;
    await staging.prepare(file);
    const dates = await staging.dates(file).catch((cause) => {
      throw cannotBeRead(file.name, cause);
    });
    // nasdaq.com writes month first, as its pages do.
    const decision = decideOrder(dates, today);
    const isNasdaq = file.plan.form.startsWith('nasdaq.com');
    const order = decision.order ?? (isNasdaq ? 'month_first' : null);
    if (order !== null) {
      decided.set(file, order);
      if (planned.length === 1)
        notes.push(
          `Dates are read ${orderInWords(order)}: ${decision.order ? decision.because : 'nasdaq.com writes them so'}`,
        );
    } else
      open.push({ file, because: decision.because, example: dates.find((text) => bothReadings(text)) ?? '' });
  }
  for (const { file, because, example } of open) {
    const alike = new Set(
      [...decided].filter(([other]) => sameColumns(other, file)).map(([, order]) => order),
    );
    const [order] = alike;
    if (order === undefined || alike.size > 1) throw ambiguousDates(file.name, because, example);
    decided.set(file, order);
    notes.push(
      `Dates of ${file.name} are read ${orderInWords(order)}, as in the other files with the same columns`,
    );
  }
  return planned.map(({ file }) => {
    const order = decided.get(file);
    return order === undefined ? file : { ...file, dateForm: order };
  });
}

function sameColumns(a: StagedFile, b: StagedFile): boolean {
  return a.plan.headers.join('\n') === b.plan.headers.join('\n');
}

function orderInWords(order: DateOrder): string {
  return order === 'day_first' ? 'day first' : 'month first';
}

function ambiguousDates(name: string, because: string, example: string): MarketDataError {
  const readings = bothReadings(example);
  const means = readings ? `: ${example} is ${readings.dayFirst} or ${readings.monthFirst}` : '';
  return new MarketDataError(
    'import_refused',
    `${name} does not tell whether its dates are day first or month first, because ` +
      `${because}${means}. Say it with --dates day-first or --dates month-first. Nothing was changed`,
    { question: 'dates' },
  );
}

/** The number form of the file at hand, by all its prices; `import_refused` where its commas can mean two things. */
export async function settleNumbers(
  file: StagedFile,
  staging: Staging,
  told: 'point' | 'comma' | undefined,
): Promise<NumberForm> {
  if (told) return told;
  const form = numberForm(await staging.numbers(file), file.delimiter);
  if (form === null)
    throw new MarketDataError(
      'import_refused',
      `${file.name} does not tell whether the commas in its prices stand before decimals or ` +
        'between thousands (1,234). Say it with --decimal comma or --decimal point. Nothing was ' +
        'changed',
      { question: 'decimal' },
    );
  return form;
}
