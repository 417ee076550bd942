import { type Html, html } from '@quantloom/domain/kernel/html';
import { type ContentsEntry, publicPage } from '../public-pages/frame.ts';
import type { ApiDocument, Operation } from './document-reader.ts';
import type { Json } from './documented-schema.ts';
import { schemaTable, typeOf, wordsOf } from './schema-table.ts';
import { snippetsOf } from './snippets.ts';

const example = (value: unknown) => JSON.stringify(value, null, 2);

export function developerSearch(query = ''): Html {
  return html`<form class="search" role="search" method="get" action="/developers/search">
    <label for="api-search">Search the API</label>
    <input id="api-search" type="search" name="q" value="${query}" maxlength="200">
  </form>`;
}

function accessOf(operation: Operation): string {
  if (operation.security.length === 0) return 'No token needed.';
  const features = operation['x-features'];
  const who = operation.security.some((way) => 'machine' in way) ? 'API clients and people' : 'People only';
  return features?.length ? `${who}, with ${features.join(', ')}.` : `${who}.`;
}

function parameters(operation: Operation): Html | null {
  if (operation.parameters.length === 0) return null;
  return html`<h2 id="parameters">Parameters</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>
    ${operation.parameters.map(
      ({ name, in: place, required, description, schema }) =>
        html`<tr><td><code>${name}</code>${required === true && html` <span class="required">required</span>`}</td><td>${place}</td><td>${typeOf(schema)}</td><td>${wordsOf(description)}</td></tr>`,
    )}</tbody></table></div>`;
}

/** A form that sends the call from this page; without a script it stays away. */
function tryIt(operation: Operation): Html {
  const body = operation.requestBody?.content['application/json'];
  const fields = operation.parameters.filter((one) => one.in !== 'header');
  return html`<section class="try" hidden data-method="${operation.method}" data-path="${operation.path}" aria-labelledby="try">
    <h2 id="try">Try it</h2>
    <p>Sends the call from this page, with your token. The token stays in this page and is forgotten with it.</p>
    ${operation.security.length > 0 && html`<p><label for="try-token">Access token</label><input id="try-token" type="password" autocomplete="off" spellcheck="false"></p>`}
    ${fields.map(
      ({ name, in: place, required }) =>
        html`<p><label for="try-${name}">${name}${required ? '' : ' (optional)'}</label><input id="try-${name}" name="${name}" data-in="${place}" autocomplete="off"></p>`,
    )}
    ${body !== undefined && html`<p><label for="try-body">Body</label><textarea id="try-body" rows="12" spellcheck="false">${example(body.example)}</textarea></p>`}
    <p><button type="button">Send</button></p>
    <div aria-live="polite"><p class="status"></p><pre class="answer" tabindex="0" hidden></pre></div>
  </section>`;
}

function answers(operation: Operation, schemas: ApiDocument['schemas']): Html {
  const [status = '200', success = {}] =
    Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? [];
  const content = Object.entries(success.content ?? {});
  const links = Object.keys(success.links ?? {});
  return html`<h2 id="answer">Answer ${status}</h2>
    ${content.map(
      ([type, { schema, example: shown }]) =>
        html`<p><code>${type}</code>: ${typeOf(schema)}</p>
        ${schema.properties !== undefined && schemaTable('Answer', schema)}
        ${shown !== undefined && html`<pre tabindex="0">${example(shown)}</pre>`}`,
    )}
    ${links.length > 0 && html`<p>Go on with ${links.map((id, i) => html`${i > 0 ? ', ' : ''}<a href="/developers/${id}">${id}</a>`)}.</p>`}
    <p>Any other status is a <a href="/developers/schemas/Problem">Problem</a>${schemas.ErrorCode !== undefined && html`; its codes are listed under <a href="/developers/schemas/ErrorCode">ErrorCode</a>`}.</p>`;
}

/** Pages of operations and schemas, made of the document. */
export function operationPage(
  operation: Operation,
  { schemas }: ApiDocument,
  { serverUrl, contents }: { readonly serverUrl: string; readonly contents: readonly ContentsEntry[] },
): string {
  const body = operation.requestBody?.content['application/json'];
  return publicPage({
    title: operation.operationId,
    description: `${operation.summary}.`,
    address: new URL(`/developers/${operation.operationId}`, serverUrl).href,
    section: 'developers',
    contents,
    beforeContents: developerSearch(),
    script: '/public-pages/developers.js',
    body: html`<h1>${operation.operationId}</h1>
      <p class="lead"><span class="method ${operation.method.toLowerCase()}">${operation.method}</span> <code>${operation.path}</code></p>
      <p>${wordsOf(`${operation.summary}.`)}</p><p>${wordsOf(operation.description)}</p>
      <p class="access">${accessOf(operation)}</p>
      ${snippetsOf(operation).map(
        ({ id, label, text }) =>
          html`<h3 id="${id}">${label} <button type="button" class="copy" hidden>Copy</button></h3><pre tabindex="0">${text}</pre>`,
      )}
      ${parameters(operation)}
      ${body !== undefined && html`<h2 id="body">Body</h2><p>${typeOf(body.schema)}</p>${body.schema.properties !== undefined && schemaTable('Body', body.schema)}<pre tabindex="0">${example(body.example)}</pre>`}
      ${answers(operation, schemas)}
      ${tryIt(operation)}`,
  });
}

/** One line of a list in a description, such as those of the error codes. */
function describedAs(description: string): Html {
  const lines = description.split('\n');
  if (!lines.every((line) => line.startsWith('- `'))) return html`<p>${wordsOf(description)}</p>`;
  return html`<dl>${lines.map((line) => {
    const [code = '', meaning = ''] = line.slice(3).split('`: ');
    return html`<dt id="${code}"><code>${code}</code></dt><dd>${wordsOf(meaning)}.</dd>`;
  })}</dl>`;
}

export function schemaPage(
  name: string,
  { schemas, operations }: ApiDocument,
  { serverUrl, contents }: { readonly serverUrl: string; readonly contents: readonly ContentsEntry[] },
): string {
  const schema: Json = schemas[name] ?? {};
  const mark = `"#/components/schemas/${name}"`;
  const users = operations.filter((operation) => JSON.stringify(operation).includes(mark));
  const holders = Object.entries(schemas).filter(([, other]) => JSON.stringify(other).includes(mark));
  return publicPage({
    title: name,
    description: `The schema ${name} of the API.`,
    address: new URL(`/developers/schemas/${name}`, serverUrl).href,
    section: 'developers',
    contents,
    beforeContents: developerSearch(),
    body: html`<h1>${name}</h1>
      ${typeof schema.description === 'string' && describedAs(schema.description)}
      ${name !== 'ErrorCode' && schemaTable(name, schema)}
      ${users.length > 0 && html`<h2>Operations that use it</h2><ul>${users.map(({ operationId, summary }) => html`<li><a href="/developers/${operationId}">${operationId}</a>: ${summary}</li>`)}</ul>`}
      ${holders.length > 0 && html`<h2>Schemas that hold it</h2><ul>${holders.map(([other]) => html`<li><a href="/developers/schemas/${other}">${other}</a></li>`)}</ul>`}`,
  });
}

/** What a search has found. */
export function searchPage(
  query: string,
  hits: readonly { readonly href: string; readonly title: string; readonly excerpt: string }[],
  { serverUrl, contents }: { readonly serverUrl: string; readonly contents: readonly ContentsEntry[] },
): string {
  const none =
    query === '' ? 'Type a word, for instance “quota” or “Sharpe”.' : `Nothing mentions “${query}”.`;
  return publicPage({
    title: 'Search the API',
    description: 'Search the operations and schemas of the API.',
    address: new URL('/developers/search', serverUrl).href,
    section: 'developers',
    contents,
    beforeContents: developerSearch(query),
    body: html`<h1>Search the API</h1>
      <p role="status">${hits.length === 0 ? none : `${hits.length} ${hits.length === 1 ? 'place mentions' : 'places mention'} “${query}”.`}</p>
      <ul class="results">${hits.map(
        ({ href, title, excerpt }) => html`<li><a href="${href}">${title}</a><p>${excerpt}</p></li>`,
      )}</ul>`,
  });
}
