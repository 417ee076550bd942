import { PLANS, type PlanId } from '@quantloom/domain/identity/plans';
import { type Html, html } from '@quantloom/domain/kernel/html';
import { LIMIT_LINES, USE_LIMITS } from '@quantloom/domain/limits/limits';
import { publicPage } from '../public-pages/frame.ts';
import type { ApiDocument } from './document-reader.ts';
import { developerSearch } from './operation-page.ts';
import { wordsOf } from './schema-table.ts';
import { strategySection } from './strategies.ts';

export interface QuickStart {
  readonly id: string;
  readonly label: string;
  readonly file: string;
  readonly text: string;
}

export interface DeveloperPageOptions {
  readonly document: ApiDocument;
  readonly serverUrl: string;
  readonly quickStarts: readonly QuickStart[];
}

/** What one user may use, by plan. */
function limitSection(): Html {
  const ids = Object.keys(USE_LIMITS) as PlanId[];
  return html`<section id="limits" aria-labelledby="limits-title">
      <h2 id="limits-title">Limits</h2>
      <p>Every call costs the processor time that it takes: estimated before it begins, and charged as measured; small calls cost next to nothing. Whoever has spent the budget of a minute gets 429 with <code>Retry-After</code>; the body says what the call costs and what is left (<code>cost_seconds</code>, <code>left_seconds</code>, <code>limit_seconds</code>). Sizes are checked before anything is computed, whichever way a call comes in.</p>
      <div class="scroll"><table><thead><tr><th>Limit</th>${ids.map((id) => html`<th>${PLANS[id].name}</th>`)}</tr></thead><tbody>
      ${LIMIT_LINES.map(({ name, values }) => html`<tr><td>${name}</td>${ids.map((id) => html`<td>${values[id]}</td>`)}</tr>`)}
      </tbody></table></div>
    </section>`;
}

/**
 * The first page for developers: how to begin, what holds everywhere, and the way to every call. Plain HTML,
 * no script.
 */
export function developerPage({ document, serverUrl, quickStarts }: DeveloperPageOptions): string {
  const { operations, schemas } = document;
  const tags = [...new Set(operations.flatMap(({ tags: [first = ''] }) => first))];
  const anchor = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  const limit = PLANS.api.requestsPerMinute;
  return publicPage({
    title: 'Developer Docs',
    description:
      'Everything that the page does, your program can do: quick starts and every call of the API.',
    address: new URL('/developers', serverUrl).href,
    section: 'developers',
    beforeContents: developerSearch(),
    contents: [
      { href: '#quick-start', label: 'Quick start' },
      { href: '#everywhere', label: 'What holds everywhere' },
      { href: '#strategies', label: 'Strategies' },
      { href: '#limits', label: 'Limits' },
      ...tags.map((tag) => ({ href: `#${anchor(tag)}`, label: tag })),
      { href: '#schemas', label: 'Schemas' },
      { href: '/openapi.json', label: 'OpenAPI 3.1 document' },
    ],
    body: html`
    <h1>Developer Docs</h1>
    <p class="lead">Everything that the page does, your program can do: build strategies, backtest them, run batches of millions of backtests.</p>
    <section id="quick-start" aria-labelledby="quick-start-title">
      <h2 id="quick-start-title">Quick start</h2>
      <ol>
        <li>Create an API client under <a href="/account/api-clients">Account, API Clients</a>.</li>
        <li>Set <code>QUANTLOOM_URL=${serverUrl}</code>, <code>QUANTLOOM_CLIENT_ID</code> and <code>QUANTLOOM_CLIENT_SECRET</code>.</li>
        <li>Run one of these.</li>
      </ol>
      ${quickStarts.map(
        ({
          id,
          label,
          file,
          text,
        }) => html`<h3 id="${id}">${label} <a class="download" href="/developers/${file}" download>Download ${file}</a></h3>
        <pre tabindex="0">${text}</pre>`,
      )}
    </section>
    <section id="everywhere" aria-labelledby="everywhere-title">
      <h2 id="everywhere-title">What holds everywhere</h2>
      <dl>
        <dt>Tokens</dt><dd><code>POST ${serverUrl}/oauth/token</code> with <code>grant_type=client_credentials</code>, as form or JSON; the answer's <code>access_token</code> goes into <code>Authorization: Bearer …</code>. Ask for a new one when <code>expires_in</code> seconds have passed or a call answers 401.</dd>
        <dt>Limits</dt><dd>${limit} requests a minute and client on paid plans. <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> come with every answer; a 429 says in <code>Retry-After</code> how many seconds to wait. Costly calls have <a href="#limits">limits by what they cost</a> as well.</dd>
        <dt>Errors</dt><dd>Every answer that is not 2xx is <code>{"error": "a sentence", "code": "stable_code", "status": 422, …}</code>. Check <code>code</code>, show <code>error</code>.</dd>
        <dt>Repeating</dt><dd>A POST with an <code>Idempotency-Key</code> is carried out once, however often it is sent within 24 hours.</dd>
        <dt>Concurrent changes</dt><dd>Answers carry the revision in <code>ETag</code>; a PATCH with <code>If-Match</code> is refused with 409 when somebody else was faster.</dd>
        <dt>Reading what you wrote</dt><dd>Send the <code>x-quantloom-position</code> of your last write with your reads: the answer then shows it.</dd>
      </dl>
    </section>
    ${strategySection()}
    ${limitSection()}
    ${tags.map(
      (tag) => html`<section id="${anchor(tag)}" aria-labelledby="${anchor(tag)}-title">
      <h2 id="${anchor(tag)}-title">${tag}</h2>
      <ul>${operations
        .filter(({ tags: [first] }) => first === tag)
        .map(
          ({ operationId, method, path, summary }) =>
            html`<li id="${operationId}"><a href="/developers/${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></a><br>${wordsOf(summary)}.</li>`,
        )}</ul>
    </section>`,
    )}
    <section id="schemas" aria-labelledby="schemas-title">
      <h2 id="schemas-title">Schemas</h2>
      <p>${Object.keys(schemas).map((name) => html`<a href="/developers/schemas/${name}">${name}</a> `)}</p>
    </section>
`,
  });
}
