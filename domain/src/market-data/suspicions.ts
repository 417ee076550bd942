import { type Static, Type } from 'typebox';
import { said } from '../kernel/said.ts';
import { type SeriesFlag, type SeriesFlagKind, SeriesFlagKindSchema } from './import-report.ts';

/** How much a suspicion can distort results. */
export const SeveritySchema = Type.Union([
  /** Prices are probably wrong. */
  Type.Literal('serious'),
  /** Prices may be wrong, or something real happened. */
  Type.Literal('check'),
  /** A fact worth knowing. */
  Type.Literal('notice'),
]);
export type Severity = Static<typeof SeveritySchema>;

const SEVERITIES: Readonly<Record<SeriesFlagKind, Severity>> = {
  reverting_move: 'serious',
  split_like_move: 'serious',
  large_move: 'check',
  move_while_barely_traded: 'check',
  gap: 'check',
  stale_run: 'check',
  missing_sessions: 'check',
  readjusted: 'check',
  barely_traded: 'notice',
  coarse_rounding: 'notice',
  off_calendar_days: 'notice',
  stops_early: 'notice',
  starts_late: 'notice',
};
/** The most serious first. */
export const SEVERITY_ORDER: readonly Severity[] = ['serious', 'check', 'notice'];

/** Suspicions of one kind. */
export const SuspicionSchema = Type.Object({
  kind: SeriesFlagKindSchema,
  severity: SeveritySchema,
  count: said('How many there are.', Type.Integer()),
  days: said(
    'The first of them.',
    Type.Array(Type.Object({ from: Type.String(), to: Type.String(), message: Type.String() })),
  ),
});
export type Suspicion = Static<typeof SuspicionSchema>;

/**
 * Flags of one ticker by kind, the most serious and then the most frequent first, with the first `most` of
 * each kind.
 */
export function foldSuspicions(flags: readonly SeriesFlag[], most: number): Suspicion[] {
  const byKind = Map.groupBy(flags, ({ kind }) => kind);
  return [...byKind]
    .map(([kind, own]) => ({
      kind,
      severity: SEVERITIES[kind],
      count: own.length,
      days: own.slice(0, most).map(({ from, to, message }) => ({ from, to, message })),
    }))
    .sort(
      (a, b) => SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity) || b.count - a.count,
    );
}
