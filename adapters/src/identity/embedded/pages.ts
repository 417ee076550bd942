import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@quantloom/domain/identity/password';
import { type Html, html } from '@quantloom/domain/kernel/html';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { passkeyButton } from './page-parts.ts';
import { PAGE_JS } from './page-script.ts';
import { hashOf } from './store.ts';

export type Screen = 'login' | 'signup';

export interface SignInPage {
  readonly screen: Screen;
  /** Path that the form is sent to. */
  readonly action: string;
  readonly email: string;
  /** What was wrong with the last attempt, as a sentence. */
  readonly fault: string | null;
  readonly faultField: 'email' | 'password' | null;
  /** Options for a passkey as JSON; null where there are none to log in with. */
  readonly passkeyOptions: string | null;
}

/** The mark of the product's pages. */
const LOGO = html`<svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
  <rect width="32" height="32" rx="7"/>
  <g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round">
    <path d="M7 21.5c5 0 5-11 9-11s4 11 9 11"/><path d="M7 10.500c5 0 5 11 9 11s4-11 9-11" opacity=".55"/>
  </g>
</svg>`;

/** Lets browsers keep the file, and fetch another one where it has changed. */
const versionOf = (content: string): string => hashOf(content).slice(0, 12);

/** One page of the issuer. */
export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>${title} · ${PRODUCT_NAME}</title>
  <link rel="stylesheet" href="/u/page.css?${versionOf(PAGE_CSS)}">
  <script src="/u/page.js?${versionOf(PAGE_JS)}" defer></script>
</head>
<body>
  <main>
    <a class="brand" href="/" aria-label="${PRODUCT_NAME}, home">${LOGO}<span>${PRODUCT_NAME}</span></a>
    ${content}
  </main>
</body>
</html>`.text;
}

const TEXTS: Readonly<
  Record<Screen, { title: string; lead: string; button: string; other: string; otherLink: string }>
> = {
  login: {
    title: 'Log in',
    lead: 'Welcome back. Your strategies are where you left them.',
    button: 'Log in',
    other: 'No account yet?',
    otherLink: 'Sign up',
  },
  signup: {
    title: 'Sign up',
    lead: 'Build a strategy from blocks, and see what it would have done.',
    button: 'Create account',
    other: 'Already have an account?',
    otherLink: 'Log in',
  },
};

/** The log-in or sign-up page. Works without script, by keyboard and with a screen reader. */
export function signInPage({ screen, action, email, fault, faultField, passkeyOptions }: SignInPage): string {
  const texts = TEXTS[screen];
  const other: Screen = screen === 'login' ? 'signup' : 'login';
  const invalid = (field: 'email' | 'password') =>
    faultField === field && html` aria-invalid="true" aria-describedby="fault"`;
  return page(
    fault ? `Error: ${texts.title}` : texts.title,
    html`<section class="card" aria-labelledby="title">
      <h1 id="title">${texts.title}</h1>
      <p class="lead">${texts.lead}</p>
      ${fault !== null && html`<p class="fault" id="fault" role="alert">${fault}</p>`}
      <form method="post" action="${action}">
        <input type="hidden" name="screen" value="${screen}">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="${screen === 'login' ? html`username${passkeyOptions !== null && ' webauthn'}` : 'email'}" inputmode="email"
          maxlength="254" required value="${email}"${email === '' && html` autofocus`}${invalid('email')}>
        <label for="password">Password</label>
        <div class="password">
          <input id="password" name="password" type="password" maxlength="${MAX_PASSWORD_LENGTH}" required
            autocomplete="${screen === 'login' ? 'current-password' : 'new-password'}"
            ${screen === 'signup' && html` minlength="${MIN_PASSWORD_LENGTH}" aria-describedby="hint"`}${email !== '' && html` autofocus`}${invalid('password')}>
          <button type="button" class="reveal" data-reveal="password" aria-pressed="false" hidden>Show</button>
        </div>
        ${screen === 'signup' && html`<p class="hint" id="hint">At least ${MIN_PASSWORD_LENGTH} characters. A few words make a good one.</p>`}
        ${screen === 'login' && html`<p class="hint"><a href="/u/reset">Forgot your password?</a></p>`}
        <button type="submit" class="primary">${texts.button}</button>
        ${screen === 'signup' && html`<p class="hint">By creating an account you accept the <a href="/terms-of-service">terms of service</a> and the <a href="/privacy-policy">privacy policy</a>.</p>`}
      </form>
      ${
        passkeyOptions !== null &&
        html`<form method="post" action="${action}" data-needs-passkeys hidden>
        <input type="hidden" name="screen" value="passkey">
        <p class="or">or</p>
        ${passkeyButton('sign-in', passkeyOptions, 'Log in with a passkey')}
      </form>`
      }
      <p class="other">${texts.other} <a href="${action}?screen=${other}">${texts.otherLink}</a></p>
      <form method="post" action="${action}" class="cancel">
        <button type="submit" name="screen" value="cancel" formnovalidate>Cancel</button>
      </form>
    </section>`,
  );
}

/** A page that only says something. */
export function noticePage(title: string, text: string): string {
  return page(
    title,
    html`<section class="card" aria-labelledby="title">
      <h1 id="title">${title}</h1>
      <p class="lead">${text}</p>
      <a class="primary" href="/">Back to ${PRODUCT_NAME}</a>
    </section>`,
  );
}

/**
 * The font of the product is a file that whoever serves these pages serves beside them; without it the
 * system's is taken.
 */
export const PAGE_CSS = `@font-face{font-family:"Inter Variable";src:url(/public-pages/inter.woff2) format("woff2");font-weight:100 900;font-display:swap}
:root{color-scheme:light dark;--canvas:light-dark(#f7f8f7,#101312);--raised:light-dark(#fff,#1b201e);--line:light-dark(#e1e5e3,#29302d);
--control:light-dark(#84908b,#6d7a74);--ink:light-dark(#131816,#e8ecea);--muted:light-dark(#4d5753,#a9b3ae);--brand:light-dark(#0d7a4a,#12824f);
--brand-hover:light-dark(#0a6640,#0f7447);--accent:light-dark(#0b6d42,#4fc98c);--danger:light-dark(#b42318,#f2877b);--danger-soft:light-dark(#fdecea,#3a1a16)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--canvas);color:var(--ink);
font:16px/1.5 "Inter Variable",Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:392px}
.brand{display:flex;gap:8px;align-items:center;justify-content:center;margin-bottom:24px;color:var(--ink);font-weight:600;font-size:18px;text-decoration:none}
.logo{fill:var(--brand)}
.card{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:28px}
h1{font-size:20px;line-height:28px;margin:0 0 4px}
.lead{color:var(--muted);margin:0 0 20px;font-size:14px}
label{display:block;font-size:13px;font-weight:500;margin:16px 0 4px}
input{width:100%;height:40px;padding:0 12px;font:inherit;color:inherit;background:transparent;border:1px solid var(--control);border-radius:6px}
input[aria-invalid]{border-color:var(--danger)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.password{position:relative}
.reveal{position:absolute;right:4px;top:4px;height:32px;padding:0 10px;font:inherit;font-size:13px;border:0;border-radius:4px;background:var(--raised);color:var(--muted);cursor:pointer}
.hint{color:var(--muted);font-size:13px;margin:6px 0 0}
.hint a{color:inherit}
.fault{background:var(--danger-soft);color:var(--danger);border-radius:6px;padding:10px 12px;margin:0 0 4px;font-size:14px}
.primary{display:block;width:100%;margin-top:24px;padding:9px 16px;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:#fff;background:var(--brand);border:0;border-radius:6px;cursor:pointer}
.primary:disabled{opacity:.6;cursor:default}
.primary:hover{background:var(--brand-hover)}
.other{margin:20px 0 0;font-size:14px;text-align:center;color:var(--muted)}
.other a{color:var(--accent)}
.cancel{margin-top:8px;text-align:center}
.cancel button{font:inherit;font-size:14px;color:var(--muted);background:none;border:0;padding:6px 12px;cursor:pointer;text-decoration:underline}
h2{font-size:16px;line-height:24px;margin:28px 0 4px;padding-top:20px;border-top:1px solid var(--line)}
.card p{margin:0 0 12px}
.card p.hint{margin:6px 0 0}
.card p.other{margin:20px 0 0}
.card p.lead{margin:0 0 20px}
.card p.fault{margin:0 0 4px}
.done{background:var(--canvas);border:1px solid var(--line);border-radius:6px;padding:10px 12px;font-size:14px}
.tag{font-size:12px;color:var(--muted);border:1px solid var(--line);border-radius:4px;padding:1px 6px;white-space:nowrap}
.sessions,.codes ul{list-style:none;margin:0;padding:0}
.sessions li{display:flex;gap:12px;align-items:center;justify-content:space-between;padding:10px 0;border-bottom:1px solid var(--line);font-size:14px}
.codes ul{columns:2;font-size:15px;line-height:26px}
.codes h2{border:0;padding:0;margin-top:12px}
[hidden]{display:none!important}
.card p.passkey-fault{color:var(--danger);font-size:14px;margin:8px 0 0}
.card p.passkey-fault:empty{margin:0}
.or{display:flex;gap:12px;align-items:center;color:var(--muted);font-size:13px}
.card p.or{margin:20px 0 0}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--control)}
.name{overflow-wrap:anywhere}
.row{display:flex;gap:8px;flex-wrap:wrap}
.quiet{font:inherit;font-size:14px;min-height:36px;color:var(--ink);background:none;border:1px solid var(--control);border-radius:6px;padding:6px 12px;cursor:pointer}
.wide{display:block;width:100%;margin-top:16px}
.quiet:hover{border-color:var(--accent)}
.qr{width:200px;margin:0 auto 8px;background:#fff;border-radius:6px;overflow:hidden}
.qr svg{display:block;width:100%;height:auto}
code{overflow-wrap:anywhere}
@media (max-width:420px){.card{padding:20px}}
`;
