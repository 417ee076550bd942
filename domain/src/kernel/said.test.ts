import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { SHOWN_AS, said, shownAs } from './said.ts';

it('is written beside the schema, and a later word counts', () => {
  const name = said('What it is called.', Type.String({ minLength: 1 }));
  expect(JSON.parse(JSON.stringify(name))).toEqual({
    type: 'string',
    minLength: 1,
    description: 'What it is called.',
  });
  expect(said('Its title.', name)).toMatchObject({ description: 'Its title.' });
  expect(JSON.parse(JSON.stringify(shownAs('Name', name)))).toMatchObject({
    [SHOWN_AS]: 'Name',
    description: 'What it is called.',
  });
});

it('leaves the schema itself alone, which others use without a word or with another', () => {
  const schema = Type.Object({ a: Type.Number() });
  const before = JSON.stringify(schema);
  said('Something.', schema);
  shownAs('Thing', schema);
  expect(JSON.stringify(schema)).toBe(before);
});

it('changes nothing of what the schema takes: what may be missing still may', () => {
  const schema = Type.Object({
    must: said('Has to be there.', Type.Number()),
    may: said('Need not be there.', Type.Optional(Type.Number())),
    seen: shownAs('Seen', Type.Optional(Type.Number())),
  });
  expect(schema.required).toEqual(['must']);
  expect(Value.Check(schema, { must: 1 })).toBe(true);
  expect(Value.Check(schema, { must: 1, may: 'x' })).toBe(false);
  expect(Value.Check(schema, { may: 1 })).toBe(false);
});
