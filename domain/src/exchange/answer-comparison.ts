import { type Static, Type } from 'typebox';
import { said } from '../kernel/said.ts';

const nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number>>(type: T) =>
  Type.Union([type, Type.Null()]);

/** Values of another tool's answer beside ours, on the same day. */
export const ComparisonSchema = Type.Object({
  date: said('`YYYY-MM-DD`, the day that the values are of.', Type.String()),
  prices: said(
    'What our prices are; they are scaled so that the close of the day is the one that the answer names.',
    Type.Union([Type.Literal('adjusted'), Type.Literal('unadjusted')]),
  ),
  counts: Type.Object({
    agree: Type.Integer(),
    differ: Type.Integer(),
    missing: Type.Integer(),
    left_out: said('Values that were not looked at, since there are too many.', Type.Integer()),
  }),
  rows: Type.Array(
    Type.Object({
      feature: said('As that tool calls it.', Type.String()),
      ticker: Type.String(),
      window: nullable(Type.Number()),
      theirs: said('With the digits that it was given with.', Type.String()),
      ours: said(
        'With as many decimals; null where there is no such function here or no price on that day.',
        nullable(Type.String()),
      ),
      agrees: said(
        'Whether ours is theirs, as far as the digits of the answer and of our prices go.',
        Type.Union([Type.Boolean(), Type.Null()]),
      ),
      relative_difference: said('Ours less theirs, relative to theirs.', nullable(Type.Number())),
      missing: said('Why there is nothing of ours.', nullable(Type.String())),
      reason: said(
        'What explains a difference, as far as the rest of the answer shows it; null where the ' +
          'values agree or nothing does.',
        nullable(Type.String()),
      ),
    }),
  ),
});
export type Comparison = Static<typeof ComparisonSchema>;
