import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readKeys } from '@quantloom/adapters/identity/embedded/keys';
import { openIdentityStore } from '@quantloom/adapters/identity/embedded/store';
import { createSecretBox } from '@quantloom/adapters/identity/secret-box';
import { createOutboxMail } from '@quantloom/adapters/mail/outbox/outbox-mail';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import {
  authorizationRequest,
  redeem,
  signInByForm,
  TestBrowser,
  type TestIssuer,
  type Tokens,
} from '@quantloom/adapters/testing/identity/test-browser';
import type { JWK } from 'jose';
import { PASSWORD } from './account-api.ts';

/** What a form was sent to, and what the page said. */
export interface OpenForm {
  readonly url: string;
  readonly page: string;
  readonly verifier: string;
}

/** Opens the sign-in page, as the product's page leads to it. */
export async function openSignIn(
  browser: TestBrowser,
  more: Record<string, string> = { prompt: 'login' },
): Promise<OpenForm> {
  const request = authorizationRequest(browser.origin, more);
  const url = await browser.locationOf(await browser.fetch(request.url));
  return { url, page: await (await browser.fetch(url)).text(), verifier: request.verifier };
}

/** A browser that is signed in, with what it was given. */
export async function signedIn(
  origin: string,
  email: string,
  screen: 'login' | 'signup',
): Promise<{ browser: TestBrowser; tokens: Tokens }> {
  const browser = new TestBrowser(origin);
  return { browser, tokens: await signInByForm(browser, email, PASSWORD, screen) };
}

/** A code of somebody who is signed in, not redeemed yet. */
export async function freshCode(
  browser: TestBrowser,
  more: Record<string, string> = {},
): Promise<{ code: string; verifier: string; answer: URLSearchParams }> {
  const request = authorizationRequest(browser.origin, more);
  const answer = await browser.followToCallback(await browser.fetch(request.url));
  return { code: answer.get('code') ?? '', verifier: request.verifier, answer };
}

/** Tokens of somebody who is signed in, for one more tab. */
export async function moreTokens(browser: TestBrowser): Promise<Tokens> {
  const { code, verifier } = await freshCode(browser);
  return (await (await redeem(browser.origin, code, verifier)).json()) as Tokens;
}

/** The private key that the issuer signs with: for tokens that are right but for one thing. */
export function signingKeyOf(issuer: TestIssuer): JWK {
  const database = openSqliteDatabase(path.join(issuer.dataDir, 'identity.sqlite'));
  try {
    const [key] = readKeys(openIdentityStore(database, createSecretBox('c3'.repeat(32), 'identity'))).signing;
    if (!key) throw new Error('The issuer has no key');
    return key;
  } finally {
    database.close();
  }
}

/** Changes the issuer's file behind its back: time passes, as far as it can see. */
export function changeFile(issuer: TestIssuer, sql: string, ...values: readonly (string | number)[]): void {
  const database = new DatabaseSync(path.join(issuer.dataDir, 'identity.sqlite'));
  try {
    database.prepare(sql).run(...values);
  } finally {
    database.close();
  }
}

/** Messages to an address, the oldest first. */
export async function mailsTo(issuer: TestIssuer, address: string) {
  // What is sent after an answer is in the queue by then.
  await new Promise((resolve) => setImmediate(resolve));
  await issuer.embedded.sendMails();
  const all = (await createOutboxMail(issuer.dataDir).list(1_000)).toReversed();
  return all.filter(({ to }) => to === address);
}

/** The link of the last message of a kind. */
export async function lastLink(issuer: TestIssuer, address: string, kind: 'reset' | 'verify' | 'unlock') {
  const found = (await mailsTo(issuer, address))
    .map(({ text }) => new RegExp(`https?:\\S+/u/${kind}/\\S+`).exec(text)?.[0])
    .findLast((link) => link !== undefined);
  if (found === undefined) throw new Error(`${address} got no link to ${kind}`);
  return found;
}

/** What a page gives to the browser's function for passkeys. */
export function optionsIn(page: string): string {
  const found = /data-options="([^"]+)"/.exec(page)?.[1];
  if (found === undefined) throw new Error(`No options: ${page}`);
  return found.replaceAll('&quot;', '"');
}

/** A request under the host that people see, which `fetch` would not send. */
export function requestAs(
  url: string,
  local: string,
  { cookie, form }: { readonly cookie: string; readonly form?: Readonly<Record<string, string>> },
): Promise<IncomingMessage> {
  const { host, pathname, search } = new URL(url);
  const body = form && new URLSearchParams(form).toString();
  return new Promise((resolve, reject) => {
    const sent = request(new URL(pathname + search, local), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        host,
        cookie,
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
    sent.on('error', reject).on('response', (answer) => resolve(answer.resume()));
    sent.end(body);
  });
}
