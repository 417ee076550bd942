import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { PLANS } from '@quantloom/domain/identity/plans';
import { type Html, html } from '@quantloom/domain/kernel/html';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
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

/** The developer page: how to begin, what holds everywhere, every call. Plain HTML, no script. */
export function developerPage({ routes, serverUrl, quickStarts }: DeveloperPageOptions): string {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const anchor = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  const limit = PLANS.api.requestsPerMinute;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Developer Docs · ${PRODUCT_NAME}</title>
  <link rel="stylesheet" href="/developers/page.css">
</head>
<body>
  <a class="skip" href="#content">Skip to content</a>
  <nav aria-label="Contents">
    <a class="brand" href="/">${PRODUCT_NAME}</a>
    <ul>
      <li><a href="#quick-start">Quick start</a></li>
      <li><a href="#everywhere">What holds everywhere</a></li>
      <li><a href="#strategies">Strategies</a></li>
      ${tags.map((tag) => html`<li><a href="#${anchor(tag)}">${tag}</a></li>`)}
      <li><a href="/openapi.json">OpenAPI 3.1 document</a></li>
    </ul>
  </nav>
  <main id="content">
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
        <dt>Limits</dt><dd>${limit} requests a minute and client on paid plans. <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> come with every answer; a 429 says in <code>Retry-After</code> how many seconds to wait.</dd>
        <dt>Errors</dt><dd>Every answer that is not 2xx is <code>{"error": "a sentence", "code": "stable_code", "status": 422, …}</code>. Check <code>code</code>, show <code>error</code>.</dd>
        <dt>Repeating</dt><dd>A POST with an <code>Idempotency-Key</code> is carried out once, however often it is sent within 24 hours.</dd>
        <dt>Concurrent changes</dt><dd>Answers carry the revision in <code>ETag</code>; a PATCH with <code>If-Match</code> is refused with 409 when somebody else was faster.</dd>
        <dt>Reading what you wrote</dt><dd>Send the <code>x-quantloom-position</code> of your last write with your reads: the answer then shows it.</dd>
      </dl>
    </section>
    ${strategySection()}
    ${tags.map(
      (tag) => html`<section id="${anchor(tag)}" aria-labelledby="${anchor(tag)}-title">
      <h2 id="${anchor(tag)}-title">${tag}</h2>
      ${routes.filter((route) => route.tag === tag).map(operation)}
    </section>`,
    )}
  </main>
</body>
</html>`.text;
}

export const DEVELOPER_CSS = `:root{color-scheme:light dark;--canvas:light-dark(#fff,#101312);--surface:light-dark(#f7f8f7,#161a18);--line:light-dark(#e1e5e3,#29302d);
--ink:light-dark(#131816,#e8ecea);--muted:light-dark(#4d5753,#a9b3ae);--accent:light-dark(#0b6d42,#4fc98c);--blue:light-dark(#1a56a0,#8dbdf7);
--orange:light-dark(#98400a,#f6ac78);--red:light-dark(#a81c12,#f49b91)}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;display:grid;grid-template-columns:240px minmax(0,1fr);background:var(--canvas);color:var(--ink);font:16px/1.6 "Inter Variable",Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-9999px}
.skip:focus{left:8px;top:8px;background:var(--canvas);padding:8px}
nav{position:sticky;top:0;align-self:start;height:100vh;overflow:auto;padding:24px;border-right:1px solid var(--line);background:var(--surface);font-size:14px}
nav ul{list-style:none;padding:0;margin:16px 0}
nav li{margin:6px 0}
nav a{color:var(--ink);text-decoration:none}
nav a:hover{text-decoration:underline}
.brand{font-weight:600;font-size:16px}
main{padding:32px 40px 96px;max-width:960px}
h1{font-size:28px;line-height:36px;margin:0 0 8px}
h2{font-size:20px;margin:48px 0 12px;padding-top:16px;border-top:1px solid var(--line)}
h3{font-size:16px;margin:28px 0 4px;overflow-wrap:anywhere}
h4{font-size:13px;margin:16px 0 4px;color:var(--muted)}
.lead{color:var(--muted);margin:0}
code,pre{font-family:"JetBrains Mono Variable",ui-monospace,SFMono-Regular,Menlo,monospace;font-size:13px}
pre{background:var(--surface);border:1px solid var(--line);border-radius:6px;padding:12px 16px;overflow:auto;line-height:1.5;max-height:480px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:500;color:var(--muted)}
.required{font-size:12px;color:var(--orange)}
.method{font-size:13px;font-weight:600}
.get{color:var(--accent)}.post{color:var(--blue)}.patch{color:var(--orange)}.delete{color:var(--red)}
.access{color:var(--muted);font-size:14px;margin:0}
.download{font-weight:400;font-size:13px}
dt{font-weight:600;margin-top:12px}
dd{margin:0}
@media (max-width:800px){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:24px 16px 64px}}
`;
