import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import { ProblemSchema } from '@quantloom/domain/contracts/http/route';
import { expect, it } from 'vitest';
import { readingValidator, serializer, strictValidator } from './compiled-schemas.ts';

it.each(ALL_ROUTES.map((route) => [route.id, route] as const))(
  'compiles what %s takes and answers',
  (_, route) => {
    for (const schema of [route.params, route.query]) if (schema) readingValidator(schema);
    if (route.body) strictValidator(route.body);
    serializer(route.answer);
  },
);

it('compiles a schema once, whoever asks for it', () => {
  for (const compiled of [readingValidator, strictValidator, serializer])
    expect(compiled(ProblemSchema)).toBe(compiled(ProblemSchema));
  expect(strictValidator(ProblemSchema)).not.toBe(readingValidator(ProblemSchema));
});
