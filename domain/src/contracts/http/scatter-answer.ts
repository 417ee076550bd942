import { type TSchema, Type } from 'typebox';
import { said } from '../../kernel/said.ts';

const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));
const Nullable = Type.Union([Type.Number(), Type.Null()]);

/** Of more rows that none beats, so many evenly chosen ones are answered. */
export const MOST_OF_FRONTIER = 2_000;

/** Some rows as points of two metrics, and those that no other row beats. */
export function scatterAnswer<T extends TSchema>(metric: T) {
  return Type.Object({
    x: metric,
    y: metric,
    z: Type.Union([metric, Type.Null()]),
    total: Type.Integer(),
    points: Type.Array(
      Type.Object({ combination: Type.Integer(), x: Type.Number(), y: Type.Number(), z: Nullable }),
    ),
    frontier_total: said(
      'Rows that no other beats in all of the metrics; of equal ones, one. At most ' +
        `${MOST_OF_FRONTIER} of them, evenly chosen, are in \`frontier\`.`,
      Type.Integer(),
    ),
    frontier: Type.Array(
      Type.Object({
        combination: Type.Integer(),
        x: Type.Number(),
        y: Type.Number(),
        z: Nullable,
        values: Values,
      }),
    ),
  });
}
