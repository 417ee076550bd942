import { type Static, Type } from 'typebox';
import { said } from '../kernel/said.ts';
import type { ImportReport } from './import-report.ts';

/** Of each kind, what an answer lists; the totals are complete. */
export const MOST_LISTED_RESULTS = 100;

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

export const ChangedResultSchema = Type.Object({
  id: Type.String(),
  name: said('Null for what belongs to others and is not public.', nullable(Type.String())),
  tickers: said(
    'The first of its tickers that are concerned; none for what belongs to others and is not public.',
    Type.Array(Type.String()),
  ),
  ticker_count: said('How many of its tickers are concerned.', Type.Integer()),
  changed_from: said('First day that is concerned, `YYYY-MM-DD`.', Type.String()),
  figure: said(
    'Annual return (of a batch: of its first combination) on the prices of then and of now, as ' +
      'fractions; null where it was not computed again.',
    nullable(Type.Object({ before: Type.Number(), after: Type.Number() })),
  ),
});
export type ChangedResult = Static<typeof ChangedResultSchema>;

const ListSchema = Type.Object({
  total: Type.Integer(),
  items: said(`At most ${MOST_LISTED_RESULTS}.`, Type.Array(ChangedResultSchema)),
});

export const ChangedResultsSchema = Type.Object({
  state: said(
    '`listing`: nothing is known yet; `figures`: the lists are complete, figures still come; ' +
      '`stopped`: what there is, is not complete.',
    Type.Union([
      Type.Literal('listing'),
      Type.Literal('figures'),
      Type.Literal('ready'),
      Type.Literal('stopped'),
    ]),
  ),
  batches: ListSchema,
  strategies: said('By the last run of each.', ListSchema),
});
export type ChangedResults = Static<typeof ChangedResultsSchema>;

/**
 * Which bars an import changes, as far as results can tell: what is stored between the import and the search
 * for results.
 */
export interface ChangedBarsOfImport {
  readonly base: string | null;
  /** Null in a preview: there is no such version yet. */
  readonly version: string | null;
  /**
   * The first day of each ticker, or series for conditions, that has another bar, one more or one less;
   * `YYYY-MM-DD`.
   */
  readonly firstDays: readonly (readonly [ticker: string, day: string])[];
}

/** A day before every price. */
const ALWAYS = '1800-01-01';

/**
 * What of an import can change results. A series that only got days at its end begins to matter with the
 * first of them.
 */
export function changedBarsOf(report: ImportReport, isPreview: boolean): ChangedBarsOfImport {
  const { base = null, version, series = [], conditionSeries = [], dropped = [] } = report;
  const firstDays = series.flatMap(({ ticker, changedFrom, addedFrom, added }) => {
    const days = [changedFrom, addedFrom ?? (added > 0 ? ALWAYS : null)].filter((day) => day !== null);
    const first = days.sort()[0];
    return first === undefined ? [] : [[ticker, first] as const];
  });
  const ofConditions = conditionSeries.flatMap(({ name, added, changed, changedFrom }) => {
    const first = changedFrom === undefined && added + changed > 0 ? ALWAYS : changedFrom;
    return first == null ? [] : [[name, first] as const];
  });
  return {
    base,
    version: isPreview ? null : version,
    firstDays: [...firstDays, ...ofConditions, ...dropped.map((ticker) => [ticker, ALWAYS] as const)],
  };
}
