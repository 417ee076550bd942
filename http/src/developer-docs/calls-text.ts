import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isContract } from '@quantloom/domain/contracts/http/all-routes';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';

/** Where the contracts are, and what is written from them. */
const CONTRACTS = path.join(import.meta.dirname, '../../../domain/src/contracts/http');
export const CALLS_FILE = path.join(CONTRACTS, 'calls.ts');

const HEAD = `// Written from the contracts beside it by \`npm run calls\`; a test compares the two.

import type { CallableRoute } from './client.ts';
import type { CallOf, RouteContract } from './route.ts';
`;

const FACTORY = `
/**
 * What pages call, by method, path and access alone. The contracts are named for their types only: their
 * schemas, and the library that builds them, stay out of the browser.
 */
function callOf<C extends RouteContract>(
  method: C['method'],
  path: string,
  kind: CallableRoute['access']['kind'],
): CallOf<C> {
  const call: CallableRoute = { method, path, access: { kind } };
  return call as CallOf<C>;
}
`;

/** The text of `calls.ts`: every contract, file by file. */
export async function callsText(): Promise<string> {
  const files = readdirSync(CONTRACTS).filter(
    (file) => file.endsWith('.ts') && !file.includes('.test.') && file !== 'calls.ts',
  );
  const imports: string[] = [];
  const calls: string[] = [];
  for (const file of files.sort()) {
    const module = (await import(path.join(CONTRACTS, file))) as object;
    const contracts = Object.entries(module)
      .filter((entry): entry is [string, RouteContract] => isContract(entry[1]))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (contracts.length === 0) continue;
    const alias = path
      .basename(file, '.ts')
      .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    imports.push(`import type * as ${alias} from './${file}';`);
    for (const [name, { method, path: at, access }] of contracts)
      calls.push(
        `export const ${name} = callOf<typeof ${alias}.${name}>('${method}', '${at}', '${access.kind}');`,
      );
  }
  return `${HEAD}${imports.join('\n')}\n${FACTORY}\n${calls.join('\n')}\n`;
}
