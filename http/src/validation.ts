import { Ajv, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

const COMMON: Options = {
  strict: false,
  removeAdditional: false,
  useDefaults: true,
  allErrors: false,
  addUsedSchema: false,
  // Formats are checked before patterns run over long texts.
  allowUnionTypes: true,
};

/**
 * Bodies are taken as they are: nothing is converted or removed. Parameters and query strings are texts by nature, so numbers, booleans and
 * lists are read out of them.
 */
export function useStrictValidation(app: FastifyInstance): void {
  const strict = new Ajv({ ...COMMON, coerceTypes: false });
  const reading = new Ajv({ ...COMMON, coerceTypes: 'array' });
  for (const ajv of [strict, reading]) (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? strict : reading).compile(schema as object),
  );
}
