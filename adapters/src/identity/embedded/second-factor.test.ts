import { TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestAuthenticator } from '../../../testing/identity/authenticator.ts';
import { type IdentityFile, openIdentityFile } from '../../../testing/identity/identity-file.ts';
import { createPasskeys } from './passkeys.ts';
import { createSecondFactor, type SecondFactor } from './second-factor.ts';

const STEP = 30_000;

let file: IdentityFile;
let factor: SecondFactor;
let time: number;
beforeEach(() => {
  time = 1_800_000_000_000;
  file = openIdentityFile();
  for (const subject of ['ann', 'ben']) file.addAccount(subject, `${subject}@example.com`);
  factor = createSecondFactor(file.store, 'Quantloom', () => time);
});
afterEach(() => file.close());

/** The code that the app shows so many steps from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: time + steps * STEP });
function enabled(subject: string): { readonly secret: string; readonly recovery: readonly string[] } {
  const { secret } = factor.begin(subject, `${subject}@example.com`);
  const recovery = factor.enable(subject, codeOf(secret));
  if (!recovery) throw new Error('The code was refused');
  time += 10 * STEP;
  return { secret, recovery };
}

it('takes codes of a clock that is half a minute off, and no others', () => {
  const { secret } = enabled('ann');
  for (const steps of [-10, -3, -2, 2, 3, 10])
    expect(factor.check('ann', codeOf(secret, steps)), `${steps}`).toBe(false);
  expect(factor.check('ann', codeOf(secret, -1))).toBe(true);
  expect(factor.check('ann', codeOf(secret, 1))).toBe(true);
});

it('takes a code once, and none that is older than one it has taken', () => {
  const { secret } = enabled('ann');
  const [older, code] = [codeOf(secret, -1), codeOf(secret)];
  expect(factor.check('ann', `${code.slice(0, 3)} ${code.slice(3)}`)).toBe(true);
  expect(factor.check('ann', code)).toBe(false);
  expect(factor.check('ann', older)).toBe(false);
});

it('counts only once a first code has shown that the app has the secret', () => {
  const { secret } = factor.begin('ann', 'ann@example.com');
  expect(factor.isEnabled('ann')).toBe(false);
  expect(factor.check('ann', codeOf(secret))).toBe(false);
  expect(factor.enable('ann', '000000')).toBeNull();
  // A page that is shown again shows the same secret.
  expect(factor.begin('ann', 'ann@example.com').secret).toBe(secret);
  expect(factor.enable('ann', codeOf(secret))).toHaveLength(10);
  expect(factor.isEnabled('ann')).toBe(true);
  expect(() => factor.begin('ann', 'ann@example.com')).toThrow('on already');
});

it('takes each recovery code of a person once, until there are new ones or none', () => {
  const { recovery } = enabled('ann');
  enabled('ben');
  const [first = '', second = ''] = recovery;
  expect(factor.check('ben', first)).toBe(false);
  expect(factor.check('ann', first.toUpperCase().replace('-', ' '))).toBe(true);
  expect(factor.check('ann', first)).toBe(false);
  expect(factor.recoveryCodesLeft('ann')).toBe(9);
  const [fresh = ''] = factor.renewRecoveryCodes('ann');
  expect(factor.recoveryCodesLeft('ann')).toBe(10);
  expect(factor.check('ann', second)).toBe(false);
  expect(factor.check('ann', fresh)).toBe(true);
  factor.disable('ann');
  expect([factor.isEnabled('ann'), factor.recoveryCodesLeft('ann')]).toEqual([false, 0]);
  expect(factor.recoveryCodesLeft('ben')).toBe(10);
});

it('keeps recovery codes as long as there is a passkey or an app that is on, and no longer', async () => {
  const origin = 'https://app.example.com';
  const passkeys = createPasskeys(file.store, origin, () => time);
  const add = async () => {
    const key = new TestAuthenticator(origin);
    const options = await passkeys.beginAdding('ann', 'ann@example.com', 'session');
    expect(await passkeys.add('ann', 'session', 'Key', key.create(options))).toBe('ok');
    return key.id;
  };
  const [one, other] = [await add(), await add()];
  factor.renewRecoveryCodes('ann');
  enabled('ben');
  const left = () => [factor.recoveryCodesLeft('ann'), factor.recoveryCodesLeft('ben')];
  passkeys.remove('ann', one);
  expect(left()).toEqual([10, 10]);
  // An app that was begun and never turned on asks for nothing that a code could stand for.
  factor.begin('ann', 'ann@example.com');
  passkeys.remove('ann', other);
  expect(left()).toEqual([0, 10]);
});
