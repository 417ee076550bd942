import { type Html, html } from '@quantloom/domain/kernel/html';
import { passkeyButton, timeOf } from './page-parts.ts';
import { MAX_NAME_LENGTH, MAX_PASSKEYS, type Passkey } from './passkeys.ts';

export interface PasskeysView {
  readonly list: readonly Passkey[];
  /** Options for a new one as JSON; null where there is no room for more. */
  readonly options: string | null;
  /** The name that was written last, where the page is shown again. */
  readonly name: string;
}

const passkeyItem = ({ id, name, createdAt, usedAt, isDiscoverable }: Passkey): Html => html`<li>
  <div class="name"><strong>${name}</strong>
    <div class="hint">added ${timeOf(createdAt)}, ${usedAt === null ? 'not used yet' : `last used ${timeOf(usedAt)}`}${isDiscoverable === false && '. Asked for after the password only'}</div></div>
  <form method="post" action="/u/account"><input type="hidden" name="id" value="${id}">
    <button type="submit" name="action" value="passkey-remove" class="quiet" aria-label="Remove ${name}">Remove</button></form>
</li>`;

const addForm = (
  options: string,
  name: string,
): Html => html`<form method="post" action="/u/account" data-needs-passkeys hidden>
  <input type="hidden" name="action" value="passkey-add">
  <label for="passkey-name">Name of the new passkey</label>
  <input id="passkey-name" name="name" maxlength="${MAX_NAME_LENGTH}" autocomplete="off" value="${name}" aria-describedby="passkey-hint">
  <p class="hint" id="passkey-hint">Such as “My phone”. Left empty, it is named after this browser.</p>
  ${passkeyButton('create', options, 'Add a passkey')}
</form>
<p class="hint" data-without-passkeys>This browser can't add passkeys: that needs a recent one, with scripts allowed.</p>`;

/** Passkeys of the account, and the form for another one. */
export function passkeysPart({ list, options, name }: PasskeysView): Html {
  return html`<h2>Passkeys</h2>
    <p>Your fingerprint, face, screen lock or security key. It logs you in by itself, and is asked for after the password: a stolen password is worth nothing then.</p>
    ${list.length > 0 && html`<ul class="sessions">${list.map(passkeyItem)}</ul>`}
    ${options === null ? html`<p class="hint">An account has ${MAX_PASSKEYS} passkeys at most. Remove one to add another.</p>` : addForm(options, name)}`;
}
