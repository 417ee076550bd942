import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { reasonInWords } from '@quantloom/adapters/market-data/import/read-failure';
import { encodingOf } from '@quantloom/domain/exchange/source-bytes';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { bodyFault } from '@quantloom/http/validation';
import { CommandError } from './command-error.ts';

/**
 * The request in a JSON file, or on standard input for `-`. A file that wraps its request (`{request: …}`, as
 * recorded cases do) is taken as it is.
 * @param schema the shape that the HTTP interface wants of the same request
 * @throws CommandError where the file cannot be read or is not a JSON object, RefusalError where it has another shape
 */
export async function readRequest<Request>(file: string, schema: object): Promise<Request> {
  let source: string;
  try {
    const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
    source = new TextDecoder(encodingOf(bytes)).decode(bytes);
  } catch (error) {
    const reason = reasonInWords(error) ?? (error as Error).message;
    throw new CommandError(400, `${file} cannot be read: ${reason}`, { cause: error });
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch (error) {
    throw new CommandError(400, `${file} is not valid JSON: ${(error as Error).message}`);
  }
  const request = isObject(parsed) && isObject(parsed.request) ? parsed.request : parsed;
  if (!isObject(request)) throw new CommandError(400, `${file} must hold a JSON object`);
  const fault = bodyFault(schema, request);
  if (fault !== null) throw new RefusalError(fault);
  return request as Request;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
