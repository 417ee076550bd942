import { type TProperties, Type } from 'typebox';

/** Shapes that events of many streams are made of. */

/** An object with these fields and no others, so that a misspelled one is found. */
export function exactly<const Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

export const Id = Type.String({ minLength: 1 });
export const Text = Type.String();
/** Whole, not negative. */
export const Count = Type.Integer({ minimum: 0 });
/** `YYYY-MM-DD`. */
export const DayText = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
/** `yyyy-mm`, UTC. */
export const MonthText = Type.String({ pattern: '^\\d{4}-\\d{2}$' });
export const NullableText = Type.Union([Type.String(), Type.Null()]);
export const NullableCount = Type.Union([Count, Type.Null()]);
export const NullableNumber = Type.Union([Type.Number(), Type.Null()]);
