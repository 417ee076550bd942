import type { Operation } from './document-reader.ts';

/** Example values of the path, as they stand in the snippets. */
const PATH_VALUES: Readonly<Record<string, string>> = {
  id: '01JGX2X76HGVEDYCSPN3NGRGDN',
  revision: '3',
  combination: '12',
  ticker: 'SPY',
};

const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json']?.example;
const inPath = ({ parameters }: Operation) => parameters.filter((one) => one.in === 'path');

/** JSON as Python writes it. */
function pythonOf(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replaceAll('true', 'True').replaceAll('false', 'False').replaceAll('null', 'None'),
    )
    .join('');
}

const filled = (operation: Operation) =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PATH_VALUES[name] ?? name);

export interface Snippet {
  readonly id: string;
  readonly label: string;
  readonly text: string;
}

/** An operation as a line of curl, and as calls of the two clients. */
export function snippetsOf(operation: Operation): readonly Snippet[] {
  const body = bodyOf(operation);
  const { method, path } = operation;
  const isPublic = operation.security.length === 0;
  const json = body === undefined ? '' : JSON.stringify(body).replaceAll("'", "'\\''");
  const curl = [
    `curl -X ${method} "$QUANTLOOM_URL${filled(operation)}"`,
    ...(isPublic ? [] : ['  -H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : ["  -H 'Content-Type: application/json'", `  -d '${json}'`]),
  ].join(' \\\n');
  const values = Object.fromEntries(inPath(operation).map(({ name }) => [name, PATH_VALUES[name] ?? name]));
  const options = {
    ...(inPath(operation).length > 0 && { params: { path: values } }),
    ...(body !== undefined && { body }),
  };
  const given = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, null, 2)}` : '';
  const typescript = `const { data } = await quantloom.api.${method}('${path}'${given});`;
  const argument = body === undefined ? '' : `, json=${pythonOf(body)}`;
  const python = `answer = quantloom.request("${method}", "${filled(operation)}"${argument}).json()`;
  return [
    { id: 'curl', label: 'curl', text: curl },
    { id: 'typescript', label: 'TypeScript', text: typescript },
    { id: 'python', label: 'Python', text: python },
  ];
}
