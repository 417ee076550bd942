import { Type } from 'typebox';
import { MAX_TAG_LENGTH, MAX_TAGS, readTags } from '../tags.ts';
import { ownField } from './own-field.ts';

/** What the owner sorts his strategies by; all of them from now on. */
export const tags = ownField({
  field: 'tags',
  name: 'tags',
  event: 'StrategyTagged',
  value: Type.Array(Type.String()),
  unset: [],
  sent: Type.Array(Type.String({ maxLength: 200 }), {
    maxItems: 100,
    description: `All tags from now on: at most ${MAX_TAGS}, each of at most ${MAX_TAG_LENGTH} characters`,
  }),
  documented: Type.Array(Type.String({ maxLength: MAX_TAG_LENGTH }), {
    description: 'All tags from now on',
    maxItems: MAX_TAGS,
  }),
  read: readTags,
  told: (now) => (now.length > 0 ? `Tagged ${now.join(', ')}` : 'Tags removed'),
  isSeenByOthers: false,
  isPersonal: true,
});
