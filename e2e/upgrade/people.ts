import { signInByForm, TestBrowser } from '@quantloom/adapters/testing/identity/test-browser';
import { decodeJwt } from 'jose';
import { type Answer, Api } from '../harness/api.ts';

const PEOPLE = ['ada', 'ben', 'cleo', 'dan'] as const;
export type Person = (typeof PEOPLE)[number];

const PASSWORD = 'correct horse battery 9';
const emailOf = (person: Person) => `${person}@example.com`;

/** The body of an answer that must have worked. */
export function bodyOf({ status, body }: Answer) {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/**
 * Signs up through the issuer's form, or logs in, and does what the page does next: asks for the user of this
 * identity.
 */
export async function signIn(url: string, person: Person, screen: 'signup' | 'login'): Promise<Api> {
  const browser = new TestBrowser(url);
  const { access_token } = await signInByForm(browser, emailOf(person), PASSWORD, screen);
  const api = new Api(url, access_token);
  const { sub } = decodeJwt(access_token);
  bodyOf(await api.post('/api/v1/users', { email: emailOf(person), auth0_id: sub }));
  return api;
}

/** Everybody, one after the other; the first to sign up is the administrator. */
export async function signInAll(url: string, screen: 'signup' | 'login'): Promise<Record<Person, Api>> {
  const apis: Partial<Record<Person, Api>> = {};
  for (const person of PEOPLE) apis[person] = await signIn(url, person, screen);
  return apis as Record<Person, Api>;
}
