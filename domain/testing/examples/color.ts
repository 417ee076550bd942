import { Type } from 'typebox';
import { NullableText } from '../../src/kernel/event-fields.ts';
import { ownField } from '../../src/strategy/own-fields/own-field.ts';

/** What the owner marks a bot with, `#rrggbb` in lower case; null: nothing. */
export const color = ownField({
  field: 'color',
  name: 'color',
  event: 'StrategyColored',
  value: NullableText,
  unset: null,
  sent: Type.Union([Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' }), Type.Null()], {
    description: 'The colour that it is marked with, such as `#2f81f7`; null takes it off',
  }),
  read: (sent) => sent?.toLowerCase() ?? null,
  told: (now) => (now === null ? 'Colour taken off' : `Marked with the colour ${now}`),
  isSeenByOthers: false,
  isPersonal: false,
});
