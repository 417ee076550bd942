import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@quantloom/domain/identity/password';
import { Html, html } from '@quantloom/domain/kernel/html';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { renderSVG } from 'uqr';
import type { FactorsAsked } from './factors.ts';
import { button, codeField, factorFields, type Outcome, timeOf, told } from './page-parts.ts';
import { page } from './pages.ts';
import { type PasskeysView, passkeysPart } from './passkey-views.ts';
import type { Enrolment } from './second-factor.ts';
import type { SessionRecord } from './sessions.ts';

export interface SecurityView {
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly outcome: Outcome | null;
  readonly sessions: readonly SessionRecord[];
  readonly currentUid: string;
  /** Whether codes of an authenticator app are asked for. */
  readonly hasSecondFactor: boolean;
  /** Null where browsers have none for this address. */
  readonly passkeys: PasskeysView | null;
  readonly recoveryCodesLeft: number;
  /** Codes that were just made: shown once. */
  readonly newRecoveryCodes: readonly string[] | null;
  /** An authenticator app that is being set up. */
  readonly enrolment: Enrolment | null;
}

const newPasswordField = (label: string): Html => html`<label for="password">${label}</label>
  <div class="password">
    <input id="password" name="password" type="password" minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}"
      required autocomplete="new-password" aria-describedby="hint">
    <button type="button" class="reveal" data-reveal="password" aria-pressed="false" hidden>Show</button>
  </div>
  <p class="hint" id="hint">At least ${MIN_PASSWORD_LENGTH} characters. A few words make a good one.</p>`;

function sessionItem(session: SessionRecord, currentUid: string): Html {
  const isCurrent = session.uid === currentUid;
  return html`<li>
    <div><strong>${session.device}</strong>${isCurrent && html` <span class="tag">this browser</span>`}
      <div class="hint">${session.address}, last used ${timeOf(session.usedAt)}, signed in ${timeOf(session.createdAt)}</div></div>
    ${
      !isCurrent &&
      html`<form method="post" action="/u/account"><input type="hidden" name="uid" value="${session.uid}">${button('Sign out', 'end-session', 'quiet')}</form>`
    }
  </li>`;
}

/** The way in for the day on which the app or the passkeys are gone. */
const recoveryPart = ({ recoveryCodesLeft: left }: SecurityView): Html => html`<h2>Recovery codes</h2>
  <p>${left} ${left === 1 ? 'code is' : 'codes are'} left, for the day on which your phone or your passkey is gone.</p>
  <form method="post" action="/u/account">${button('New recovery codes', 'recovery-new', 'quiet')}</form>`;

function appPart(view: SecurityView): Html {
  if (view.enrolment)
    return html`<p>Scan this with an authenticator app, or type the key into it. Then enter the code that it shows.</p>
      <div class="qr" role="img" aria-label="Picture with the key for an authenticator app">${qr(view.enrolment.uri)}</div>
      <p class="hint">Key: <code>${(view.enrolment.secret.match(/.{1,4}/g) ?? []).join(' ')}</code></p>
      <form method="post" action="/u/account">${codeField('Six digits.')}${button('Turn it on', 'totp-enable')}</form>`;
  if (!view.hasSecondFactor)
    return html`<p>A code of an app on your phone, asked for after the password. A stolen password is worth nothing then.</p>
      <form method="post" action="/u/account">${button('Set up an authenticator app', 'totp-begin')}</form>`;
  return html`<p>On. A code of your authenticator app is asked for after the password.</p>
    <form method="post" action="/u/account">${button('Turn it off', 'totp-disable', 'quiet')}</form>`;
}

/** The library encodes the text into squares; nothing of it is copied into the picture. */
const qr = (text: string): Html => new Html(renderSVG(text, { border: 1, pixelSize: 4 }));

/** Password, second factor and sessions of the person who is signed in. */
export function securityPage(view: SecurityView): string {
  const codes = view.newRecoveryCodes;
  const hasFactor = view.hasSecondFactor || (view.passkeys?.list.length ?? 0) > 0;
  return page(
    'Password and security',
    html`<section class="card" aria-labelledby="title">
      <h1 id="title">Password and security</h1>
      <p class="lead">${view.email}${!view.isEmailVerified && html` <span class="tag">not confirmed</span>`}</p>
      ${told(view.outcome)}
      ${
        codes &&
        html`<div class="codes"><h2>Recovery codes</h2>
        <p>Each works once, when your phone or your passkey is gone. Write them down now: they are not shown again.</p>
        <ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul></div>`
      }
      ${
        !view.isEmailVerified &&
        html`<h2>E-mail address</h2><p>Open the link in the message that we sent you, or ask for another one.</p>
        <form method="post" action="/u/account">${button('Send the message again', 'verify-send', 'quiet')}</form>`
      }
      <h2>Password</h2>
      <form method="post" action="/u/account">${newPasswordField('New password')}${button('Change password', 'password')}
        <p class="hint">All other browsers are signed out.</p></form>
      ${view.passkeys && passkeysPart(view.passkeys)}
      <h2>Authenticator app</h2>
      ${appPart(view)}
      ${hasFactor && recoveryPart(view)}
      <h2>Where you are signed in</h2>
      <ul class="sessions">${view.sessions.map((session) => sessionItem(session, view.currentUid))}</ul>
      ${
        view.sessions.length > 1 &&
        html`<form method="post" action="/u/account">${button('Sign out everywhere else', 'end-others', 'quiet')}</form>`
      }
      <p class="other"><a href="/account/general">Back to ${PRODUCT_NAME}</a></p>
    </section>`,
  );
}

/** Asks again for the password before anything about the account can be changed. */
export function confirmPage(view: {
  email: string;
  factors: FactorsAsked | null;
  fault: string | null;
}): string {
  const hasPasskey = view.factors !== null && view.factors.passkeyOptions !== null;
  return page(
    'Confirm that it is you',
    html`<section class="card" aria-labelledby="title">
      <h1 id="title">Confirm that it is you</h1>
      <p class="lead">Please enter the password of ${view.email} again${hasPasskey && ', or use a passkey'}.</p>
      ${told(view.fault === null ? null : { isFault: true, text: view.fault })}
      <form method="post" action="/u/account"${hasPasskey && html` data-passkey-alone`}>
        <input type="hidden" name="username" value="${view.email}" autocomplete="username">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" maxlength="${MAX_PASSWORD_LENGTH}"${!hasPasskey && html` required`} autofocus
          autocomplete="current-password"${view.fault !== null && html` aria-invalid="true" aria-describedby="fault"`}>
        <input type="hidden" name="action" value="confirm">
        ${factorFields(view.factors, 'Continue', 'Continue with a passkey')}
      </form>
      <p class="other"><a href="/account/general">Back to ${PRODUCT_NAME}</a></p>
    </section>`,
  );
}

/** The second step of a log-in. */
export function codePage(view: {
  action: string;
  factors: FactorsAsked | null;
  fault: string | null;
}): string {
  const title = view.factors?.passkeyOptions ? 'Use your passkey' : 'Enter your code';
  return page(
    view.fault === null ? title : `Error: ${title}`,
    html`<section class="card" aria-labelledby="title">
      <h1 id="title">${title}</h1>
      <p class="lead">The password was right. One more step.</p>
      ${told(view.fault === null ? null : { isFault: true, text: view.fault })}
      <form method="post" action="${view.action}">
        <input type="hidden" name="screen" value="code">
        ${factorFields(view.factors, 'Log in', 'Log in with a passkey')}
      </form>
      <form method="post" action="${view.action}" class="cancel">
        <button type="submit" name="screen" value="cancel" formnovalidate>Cancel</button>
      </form>
    </section>`,
  );
}

/** Asks for the address that a link to a new password is sent to. */
export function forgotPage(view: { email: string; fault: string | null }): string {
  return page(
    'Choose a new password',
    html`<section class="card" aria-labelledby="title">
      <h1 id="title">Choose a new password</h1>
      <p class="lead">We send a link to the address of your account.</p>
      ${told(view.fault === null ? null : { isFault: true, text: view.fault })}
      <form method="post" action="/u/reset">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" inputmode="email" maxlength="254" required autofocus value="${view.email}">
        <button type="submit" class="primary">Send the link</button>
      </form>
    </section>`,
  );
}

/** Where the link in the message leads. */
export function newPasswordPage(view: {
  action: string;
  fault: string | null;
  factors: FactorsAsked | null;
}): string {
  return page(
    'Choose a new password',
    html`<section class="card" aria-labelledby="title">
      <h1 id="title">Choose a new password</h1>
      <p class="lead">You will be signed out everywhere, and can log in with it at once.</p>
      ${told(view.fault === null ? null : { isFault: true, text: view.fault })}
      <form method="post" action="${view.action}">
        ${newPasswordField('New password')}
        ${factorFields(view.factors, 'Save the new password', 'Save with a passkey')}
      </form>
    </section>`,
  );
}

/** A link that does something when its button is pressed: mail programs open links by themselves. */
export function pressPage(view: { title: string; text: string; action: string; label: string }): string {
  return page(
    view.title,
    html`<section class="card" aria-labelledby="title">
      <h1 id="title">${view.title}</h1>
      <p class="lead">${view.text}</p>
      <form method="post" action="${view.action}"><button type="submit" class="primary">${view.label}</button></form>
    </section>`,
  );
}
