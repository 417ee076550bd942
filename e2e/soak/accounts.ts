import { signInByForm, TestBrowser } from '@quantloom/adapters/testing/identity/test-browser';
import type { PlanId } from '@quantloom/domain/identity/plans';
import { decodeJwt } from 'jose';
import { Api } from '../harness/api.ts';

const PASSWORD = 'correct horse battery 9';

export interface Account {
  readonly email: string;
  readonly plan: PlanId;
  readonly token: string;
}

/** Signs up or logs in by the issuer's form; answers the access token. */
export async function signIn(
  url: string,
  { email }: Pick<Account, 'email'>,
  screen: 'signup' | 'login',
): Promise<string> {
  return (await signInByForm(new TestBrowser(url), email, PASSWORD, screen)).access_token;
}

/** A new account on a plan. */
export async function openAccount(url: string, email: string, plan: PlanId): Promise<Account> {
  const token = await signIn(url, { email }, 'signup');
  const api = new Api(url, token);
  const { sub } = decodeJwt(token);
  const user = await api.post('/api/v1/users', { email, auth0_id: sub });
  if (user.status >= 300) throw new Error(`${email} is no user: ${user.status} ${JSON.stringify(user.body)}`);
  if (user.body.plan_id === plan) return { email, plan, token };
  const changed = await api.send('POST', '/api/v1/billing/plan', { plan_id: plan });
  if (changed.status >= 300)
    throw new Error(`${email} is not on ${plan}: ${changed.status} ${JSON.stringify(changed.body)}`);
  return { email, plan, token };
}
