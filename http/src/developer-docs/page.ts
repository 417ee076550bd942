import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { PLANS, type PlanId } from '@quantloom/domain/identity/plans';
import { type Html, html } from '@quantloom/domain/kernel/html';
import { LIMIT_LINES, USE_LIMITS } from '@quantloom/domain/limits/limits';
import { publicPage } from '../public-pages/frame.ts';
import { strategySection } from './strategies.ts';

export interface QuickStart {
  readonly id: string;
  readonly label: string;
  readonly file: string;
  readonly text: string;
}

export interface DeveloperPageOptions {
  readonly routes: readonly RouteContract[];
  readonly serverUrl: string;
  readonly quickStarts: readonly QuickStart[];
}

type Json = Record<string, unknown>;
const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json;

/** A schema's type in a word or two. */
function typeText(schema: Json): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return options.map((option) => typeText(option as Json)).join(' | ');
  if (schema.type === 'array') return `${typeText((schema.items as Json | undefined) ?? {})}[]`;
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'any';
}

/** Fields of an object, nested ones with their path; three levels say enough. */
function fieldsOf(
  schema: Json,
  prefix = '',
  depth = 0,
): { name: string; schema: Json; isRequired: boolean }[] {
  const items = schema.type === 'array' ? (schema.items as Json | undefined) : schema;
  const properties = (items?.properties ?? {}) as Record<string, Json>;
  const required = (items?.required ?? []) as string[];
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const isList = property.type === 'array';
    const own = { name: path, schema: property, isRequired: required.includes(name) };
    return depth < 2 ? [own, ...fieldsOf(property, `${path}${isList ? '[].' : '.'}`, depth + 1)] : [own];
  });
}

function fieldTable(title: string, schema: unknown, isInput = true): Html | null {
  if (!schema) return null;
  const fields = fieldsOf(plain(schema));
  if (fields.length === 0) return null;
  return html`<h4>${title}</h4>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>
    ${fields.map(
      ({ name, schema: field, isRequired }) =>
        html`<tr><td><code>${name}</code>${isInput && isRequired && html` <span class="required">required</span>`}</td><td>${typeText(field)}</td><td>${typeof field.description === 'string' ? field.description : ''}</td></tr>`,
    )}
    </tbody></table></div>`;
}

function accessText({ access }: RouteContract): string {
  switch (access.kind) {
    case 'public':
      return 'No token needed';
    case 'identity':
      return 'People, at their first sign-in';
    case 'admin':
      return 'Administrators';
    case 'user': {
      const who = access.machine ? 'API clients and people' : 'People';
      return access.features?.length ? `${who} with ${access.features.join(', ')}` : who;
    }
    default: {
      const unknown: never = access;
      return unknown;
    }
  }
}

function example(title: string, value: unknown): Html | null {
  if (value === undefined) return null;
  return html`<h4>${title}</h4><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

function operation(route: RouteContract): Html {
  return html`<section class="operation" id="${route.id}" aria-labelledby="${route.id}-title">
    <h3 id="${route.id}-title"><span class="method ${route.method.toLowerCase()}">${route.method}</span> <code>${route.path}</code></h3>
    <p>${route.summary}.</p>
    <p class="access">${accessText(route)}</p>
    ${fieldTable('Path parameters', route.params)}
    ${fieldTable('Query', route.query)}
    ${fieldTable('Body', route.body)}
    ${fieldTable('Answer', route.answer, false)}
    ${(route.alsoProduces?.length ?? 0) > 0 && html`<p>Also as ${route.alsoProduces?.join(', ') ?? ''}.</p>`}
    ${example('Example request', route.example?.body)}
    ${example('Example answer', route.example?.answer)}
  </section>`;
}

/** What one user may use, by plan. */
function limitSection(): Html {
  const ids = Object.keys(USE_LIMITS) as PlanId[];
  return html`<section id="limits" aria-labelledby="limits-title">
      <h2 id="limits-title">Limits</h2>
      <p>Runs, estimates, saves, clones, imports and queries of results cost what they take of a processor: foretold before they begin, and charged as measured. Who has spent the budget of a minute gets 429 with <code>Retry-After</code>; the body says what the call costs and what is left (<code>cost_seconds</code>, <code>left_seconds</code>, <code>limit_seconds</code>). Sizes are checked before anything is computed, the same on every way in.</p>
      <div class="scroll"><table><thead><tr><th>Limit</th>${ids.map((id) => html`<th>${PLANS[id].name}</th>`)}</tr></thead><tbody>
      ${LIMIT_LINES.map(({ name, values }) => html`<tr><td>${name}</td>${ids.map((id) => html`<td>${values[id]}</td>`)}</tr>`)}
      </tbody></table></div>
    </section>`;
}

/** The developer page: how to begin, what holds everywhere, every call. Plain HTML, no script. */
export function developerPage({ routes, serverUrl, quickStarts }: DeveloperPageOptions): string {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const anchor = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  const limit = PLANS.api.requestsPerMinute;
  return publicPage({
    title: 'Developer Docs',
    description:
      'Everything that the page does, your program can do: quick starts and every call of the API.',
    address: new URL('/developers', serverUrl).href,
    section: 'developers',
    contents: [
      { href: '#quick-start', label: 'Quick start' },
      { href: '#everywhere', label: 'What holds everywhere' },
      { href: '#strategies', label: 'Strategies' },
      { href: '#limits', label: 'Limits' },
      ...tags.map((tag) => ({ href: `#${anchor(tag)}`, label: tag })),
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
      ${routes.filter((route) => route.tag === tag).map(operation)}
    </section>`,
    )}
`,
  });
}
