import { type Problem, type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';
import { readingValidator, serializer, strictValidator, type Validate } from './compiled-schemas.ts';

/** Names of numbers that stores and arithmetic would not keep exactly. */
function inexactNumbers(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data)
    .filter(([, value]) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    .map(([name]) => name);
}

/**
 * What is wrong with the shape of a body, in the words of the HTTP interface, or null: for whoever takes the
 * same bodies another way.
 */
export function bodyFault(schema: object, body: unknown): Refusal | null {
  const validate = strictValidator(schema);
  return validate(body) ? null : shapeRefusal('body', validate.errors ?? []);
}

/** What is wrong and where, with the names that the validator keeps apart from its sentence. */
function problemOf(part: string, fault: Partial<ErrorObject>): Problem {
  const { instancePath = '', keyword, message = 'is invalid' } = fault;
  const params = (fault.params ?? {}) as Readonly<Record<string, unknown>>;
  const at = (path: string, text: string): Problem => ({
    code: 'invalid_field',
    message: `${part}${instancePath} ${text}`,
    path,
  });
  const pointer = (name: string) => `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (keyword === 'required' && typeof params.missingProperty === 'string')
    return at(pointer(params.missingProperty), message);
  if (keyword === 'additionalProperties' && typeof params.additionalProperty === 'string')
    return at(
      pointer(params.additionalProperty),
      `must not have the property '${params.additionalProperty}'`,
    );
  if (keyword === 'enum' && Array.isArray(params.allowedValues))
    return at(
      instancePath,
      `must be one of ${params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`,
    );
  if (keyword === 'const') return at(instancePath, `must be ${JSON.stringify(params.allowedValue)}`);
  return at(instancePath, message);
}

/** A choice between constants fails once for each of them: told as one list of what would do. */
function withoutChoices(faults: readonly Partial<ErrorObject>[]): readonly Partial<ErrorObject>[] {
  const last = faults.at(-1);
  const choices = faults.slice(0, -1);
  const isChoice = ({ keyword, instancePath }: Partial<ErrorObject>) =>
    keyword === 'const' && instancePath === last?.instancePath;
  if (last?.keyword !== 'anyOf' || choices.length === 0 || !choices.every(isChoice)) return faults;
  const allowedValues = choices.map(({ params }) => (params as { allowedValue?: unknown }).allowedValue);
  return [{ ...last, keyword: 'enum', params: { allowedValues } }];
}

/** The refusal of what does not have the shape of its schema; `part` says which part of a request it is. */
export function shapeRefusal(part: string, faults: readonly Partial<ErrorObject>[]): Refusal {
  const problems = withoutChoices(faults).map((fault) => problemOf(part, fault));
  return refuse(400, 'invalid_request', problems[0]?.message ?? 'The request is invalid', { problems });
}

/**
 * Bodies are taken as they are: nothing is converted or removed. Parameters and query strings are texts by
 * nature, so numbers, booleans and lists are read out of them. Answers have the fields of their schema alone.
 */
export function useStrictShapes(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const isBody = httpPart === 'body';
    const validatorOf = isBody ? strictValidator : readingValidator;
    const check: Validate = (data) => {
      const validate = validatorOf(schema as object);
      const isValid = validate(data);
      check.errors = validate.errors ?? null;
      const [name] = isValid && !isBody ? inexactNumbers(data) : [];
      if (name === undefined) return isValid;
      check.errors = [{ instancePath: `/${name}`, message: 'must be a smaller number' }];
      return false;
    };
    return check as never;
  });
  app.setSerializerCompiler(
    ({ schema }) =>
      (answer) =>
        serializer(schema as object)(answer),
  );
}
