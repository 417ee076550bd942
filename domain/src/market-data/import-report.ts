import { type Static, Type } from 'typebox';
import { said } from '../kernel/said.ts';

/** Why a row was left out of a data set. */
export const RejectReasonSchema = Type.Union([
  Type.Literal('malformed_row'),
  Type.Literal('bad_ticker'),
  Type.Literal('bad_date'),
  Type.Literal('weekend'),
  Type.Literal('in_the_future'),
  Type.Literal('bad_price'),
  Type.Literal('non_positive_price'),
  /** The same price of the same day once more. */
  Type.Literal('duplicate_day'),
  /** One of several prices that a file has for one day of a ticker; none of them is taken. */
  Type.Literal('conflicting_price'),
  /** Nothing, or a word for nothing. */
  Type.Literal('missing_price'),
  /** A bar of another period than a day. */
  Type.Literal('not_daily'),
]);
export type RejectReason = Static<typeof RejectReasonSchema>;

export const RejectedRowSchema = Type.Object({
  file: said('File name without its folder.', Type.String()),
  line: said(
    'Line in the (unpacked) file from 1, row number from 1 in a Parquet file; null where it could not be told.',
    Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  ),
  reason: RejectReasonSchema,
  ticker: said('The fields as the file has them.', Type.String()),
  date: Type.String(),
  price: Type.String(),
});
export type RejectedRow = Static<typeof RejectedRowSchema>;

/** What is suspicious about a series that was taken nevertheless. */
export const SeriesFlagKindSchema = Type.Union([
  Type.Literal('reverting_move'),
  Type.Literal('split_like_move'),
  Type.Literal('large_move'),
  Type.Literal('move_while_barely_traded'),
  Type.Literal('gap'),
  Type.Literal('stale_run'),
  Type.Literal('barely_traded'),
  Type.Literal('coarse_rounding'),
  Type.Literal('missing_sessions'),
  Type.Literal('off_calendar_days'),
  Type.Literal('stops_early'),
  Type.Literal('starts_late'),
  Type.Literal('readjusted'),
]);
export type SeriesFlagKind = Static<typeof SeriesFlagKindSchema>;

export const SeriesFlagSchema = Type.Object({
  ticker: Type.String(),
  kind: SeriesFlagKindSchema,
  from: said('First day concerned, `YYYY-MM-DD`.', Type.String()),
  to: said('Last day concerned.', Type.String()),
  message: said('A sentence for people, with the figures.', Type.String()),
});
export type SeriesFlag = Static<typeof SeriesFlagSchema>;

export const ImportedFileSchema = Type.Object({
  file: Type.String(),
  rows: Type.Integer(),
  rejected: Type.Integer(),
  priceColumn: said('Name of the column the prices were taken from.', Type.String()),
  form: said('What its form is called; missing in reports of before.', Type.Optional(Type.String())),
  sample: said(
    'The header and the first rows; only in previews.',
    Type.Optional(Type.Array(Type.Array(Type.String()))),
  ),
});
export type ImportedFile = Static<typeof ImportedFileSchema>;

/** What became of a series in an import. */
export const SeriesActionSchema = Type.Union([
  /** It was not there before. */
  Type.Literal('new'),
  /** All that came was there already. */
  Type.Literal('unchanged'),
  /** Its days were kept, and others added. */
  Type.Literal('appended'),
  /** Its days were kept on the new basis (times `factor`), and others added. */
  Type.Literal('rescaled'),
  /** What came took its place as a whole. */
  Type.Literal('replaced'),
  /** What came does not agree with it, and it was left as it is. */
  Type.Literal('kept'),
]);
export type SeriesAction = Static<typeof SeriesActionSchema>;

export const SeriesChangeSchema = Type.Object({
  ticker: Type.String(),
  action: SeriesActionSchema,
  before: said('Days in the version before, and now.', Type.Integer()),
  after: Type.Integer(),
  added: Type.Integer(),
  changed: said('Days whose price is another one.', Type.Integer()),
  lost: said('Days that are no more.', Type.Integer()),
  changedFrom: said(
    'First day that is changed or lost, `YYYY-MM-DD`; null where nothing that was there is another.',
    Type.Union([Type.String(), Type.Null()]),
  ),
  addedFrom: said(
    'First day that was not there before; null where there is none. Missing in reports of before.',
    Type.Optional(Type.Union([Type.String(), Type.Null()])),
  ),
  factor: said('Of `rescaled`.', Type.Optional(Type.Number())),
  files: said('Files the prices came from.', Type.Array(Type.String())),
  remark: said(
    'What was found out on the way: how the ticker was told, that a seam could not be compared.',
    Type.Optional(Type.String()),
  ),
});
export type SeriesChange = Static<typeof SeriesChangeSchema>;

/** What became of a series for conditions. Numbers of days with an observation. */
export const ConditionSeriesChangeSchema = Type.Object({
  name: Type.String(),
  source: Type.String(),
  lagDays: said('Calendar days until a value is known.', Type.Integer()),
  hasVintages: Type.Boolean(),
  before: Type.Integer(),
  after: Type.Integer(),
  added: Type.Integer(),
  changed: Type.Integer(),
  kept: said('Stored ones that did not come, and stayed.', Type.Integer()),
  changedFrom: said(
    'First day on which something else is known than before, `YYYY-MM-DD`; null: never. Missing in reports of before.',
    Type.Optional(Type.Union([Type.String(), Type.Null()])),
  ),
});
export type ConditionSeriesChange = Static<typeof ConditionSeriesChangeSchema>;

/** Stored beside the version it describes. Lists are cut at `MAX_LISTED`; the counts are complete. */
export const ImportReportSchema = Type.Object({
  version: Type.String(),
  createdAt: Type.String(),
  source: Type.String(),
  seconds: Type.Number(),
  files: Type.Array(ImportedFileSchema),
  rows: Type.Integer(),
  tickers: Type.Integer(),
  keptTickers: said('Tickers taken over unchanged from the version before.', Type.Integer()),
  firstDay: Type.Union([Type.String(), Type.Null()]),
  lastDay: Type.Union([Type.String(), Type.Null()]),
  rejectedRows: Type.Integer(),
  rejectedByReason: Type.Record(Type.String(), Type.Integer()),
  rejected: Type.Array(RejectedRowSchema),
  flagCount: Type.Integer(),
  flagsByKind: Type.Record(Type.String(), Type.Integer()),
  flags: Type.Array(SeriesFlagSchema),
  notes: said(
    'Remarks on whole files, for example that unadjusted closes were all there was.',
    Type.Array(Type.String()),
  ),
  base: said(
    'The version that this one was made from; null where it started from nothing. Missing in ' +
      'reports of before, like what follows.',
    Type.Optional(Type.Union([Type.String(), Type.Null()])),
  ),
  rowCount: said(
    'Prices of the whole version, those that were not imported included.',
    Type.Optional(Type.Integer()),
  ),
  series: said('What became of each imported series.', Type.Optional(Type.Array(SeriesChangeSchema))),
  conditionSeries: said(
    'Series for conditions that were imported.',
    Type.Optional(Type.Array(ConditionSeriesChangeSchema)),
  ),
  dropped: said('Tickers of the version before that are no more.', Type.Optional(Type.Array(Type.String()))),
  problems: said('Why nothing can be published; only in previews.', Type.Optional(Type.Array(Type.String()))),
});
export type ImportReport = Static<typeof ImportReportSchema>;

/** Rejected rows and flags that a report lists one by one. */
export const MAX_LISTED = 100_000;

/** Reasons that do not speak against a file: rows without a price, and rows that are there twice. */
export const HARMLESS_REASONS: ReadonlySet<string> = new Set(['duplicate_day', 'missing_price']);

/** Above this share of rows that cannot be right nothing of an import is published. */
export const MAX_BAD_SHARE = 0.02;

/** Sums a list up by a key of its items. */
export function countBy<Item>(items: Iterable<Item>, key: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}
