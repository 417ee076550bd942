import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../domain/src/contracts/documented/error-codes.ts';
import { sourceFiles } from './source-files.ts';

/** Codes of `refuse(404, 'code'`, of the answers of Fastify's errors and of Node's. */
const CODES = [
  /\brefuse\(\s*\d{3},\s*'([a-z_]+)'/g,
  /\bproblem\(\s*reply,\s*\d{3},\s*'([a-z_]+)'/g,
  /\[\s*\d{3},\s*'(?:[\w ]+',\s*')?([a-z]+_[a-z_]+)'/g,
];

describe('the list of error codes', () => {
  test('holds every code that the source refuses with, and no other', () => {
    const found = new Set<string>();
    for (const file of sourceFiles([
      'domain',
      'http',
      'command-api',
      'query-api',
      'projectors',
      'compute',
      'deploy',
    ])) {
      const text = readFileSync(file, 'utf8');
      for (const pattern of CODES) for (const [, code = ''] of text.matchAll(pattern)) found.add(code);
    }
    expect(
      [...found].filter((code) => !(code in ERROR_CODES)),
      'Say in ERROR_CODES what each means, then `npm run openapi`',
    ).toEqual([]);
    expect(
      Object.keys(ERROR_CODES).filter((code) => !found.has(code)),
      'Take these out of ERROR_CODES: nothing answers them',
    ).toEqual([]);
  });
});
