import { type Html, html } from '@quantloom/domain/kernel/html';
import type { FactorsAsked } from './factors.ts';

/** What went well or wrong with the last thing that was asked. */
export interface Outcome {
  readonly isFault: boolean;
  readonly text: string;
}

/** Read out as soon as the page opens. */
export const told = (outcome: Outcome | null): Html | null =>
  outcome &&
  (outcome.isFault
    ? html`<p class="fault" id="fault" role="alert">${outcome.text}</p>`
    : html`<p class="done" role="status">${outcome.text}</p>`);

/** For digits of an app, or a recovery code. */
export const codeField = (hint: string, isRequired = true): Html => html`<label for="code">Code</label>
  <input id="code" name="code" autocomplete="one-time-code"${isRequired && html` required`} maxlength="20" spellcheck="false" aria-describedby="code-hint">
  <p class="hint" id="code-hint">${hint}</p>`;

/** A button that sends its form with an `action`. */
export const button = (label: string, action: string, kind = 'primary'): Html =>
  html`<button type="submit" name="action" value="${action}" class="${kind}">${label}</button>`;

/** Day and time in UTC, the same for every reader. */
export const timeOf = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Asks the browser for a passkey; the form is sent by itself once it has answered. On a sign-in page it is
 * offered in the field of the address, too.
 */
export const passkeyButton = (
  kind: 'create' | 'get' | 'sign-in',
  options: string,
  label: string,
): Html => html`<input type="hidden" name="passkey">
  <button type="${kind === 'create' ? 'submit' : 'button'}" class="${kind === 'sign-in' ? 'quiet wide' : 'primary'}" data-needs-passkeys hidden
    data-passkey="${kind === 'create' ? 'create' : 'get'}"${kind === 'sign-in' && html` data-autofill`} data-options="${options}">${label}</button>
  <p class="passkey-fault" data-passkey-fault role="alert"></p>`;

/**
 * Everything that may follow the password, and the buttons that send the form: any one of them is enough.
 *
 * @param label of the button that sends a code; the other one is for a passkey
 */
export function factorFields(asked: FactorsAsked | null, label: string, passkeyLabel: string): Html {
  const send = html`<button type="submit" class="primary">${label}</button>`;
  if (!asked) return send;
  const hint = asked.hasApp
    ? 'From your authenticator app, or a recovery code.'
    : 'One of your recovery codes, if you have no passkey here.';
  if (asked.passkeyOptions === null) return html`${codeField(hint)}${send}`;
  return html`${passkeyButton('get', asked.passkeyOptions, passkeyLabel)}
    <p class="or" data-needs-passkeys hidden>or</p>
    ${codeField(hint, false)}
    <button type="submit" class="quiet wide">${label} with a code</button>`;
}
