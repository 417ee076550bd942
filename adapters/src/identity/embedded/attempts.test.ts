import { describe, expect, it } from 'vitest';
import { createMemoryRateLimits } from '../../rate-limits/memory/rate-limits.ts';
import { createAttempts, type LoginAttempt } from './attempts.ts';

const email = 'ann@example.com';
const from = (address: string, knownDevice: string | null = null): LoginAttempt => ({
  address,
  email,
  knownDevice,
});

function rig() {
  const clock = { time: 1_000_000 };
  const unlocks = { count: 0 };
  const attempts = createAttempts(
    createMemoryRateLimits(() => clock.time),
    () => unlocks.count,
  );
  const times = async (count: number, attempt: LoginAttempt) => {
    const verdicts: (number | null)[] = [];
    for (let i = 0; i < count; i += 1) verdicts.push(await attempts.login(attempt));
    return verdicts;
  };
  return { attempts, clock, unlocks, times };
}

describe('attempts to log in', () => {
  it('are refused after ten from one address', async () => {
    const { times } = rig();
    const verdicts = await times(12, from('1.1.1.1'));
    expect(verdicts.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => null));
    expect(verdicts.slice(10)).toEqual([900, 900]);
  });

  it('that are refused do not count against the account: one stranger cannot lock it for all others', async () => {
    const { times, attempts } = rig();
    await times(290, from('1.1.1.1'));
    expect(await attempts.login(from('2.2.2.2'))).toBeNull();
  });

  it('from very many addresses are refused, but not from a device that the account knows', async () => {
    const { times, attempts } = rig();
    for (let i = 0; i < 11; i += 1) await times(10, from(`9.9.9.${i}`));
    expect(await attempts.login(from('2.2.2.2'))).toBeGreaterThan(0);
    expect(await attempts.login(from('2.2.2.2', 'device'))).toBeNull();
    expect(await attempts.login(from('9.9.9.1', 'device'))).toBeNull();
  });

  it('from a known device have a limit of their own, which a success ends', async () => {
    const { times, attempts } = rig();
    await times(9, from('1.1.1.1', 'device'));
    await attempts.loginSucceeded(from('1.1.1.1', 'device'));
    const verdicts = await times(11, from('1.1.1.1', 'device'));
    expect(verdicts.filter((wait) => wait === null)).toHaveLength(10);
  });

  it('from a known device are so many an hour, however many succeed: each costs two slow hashes', async () => {
    const { attempts, clock } = rig();
    const attempt = from('1.1.1.1', 'device');
    const logIn = async () => {
      const verdict = await attempts.login(attempt);
      if (verdict === null) await attempts.loginSucceeded(attempt);
      return verdict;
    };
    for (let i = 0; i < 120; i += 1) expect(await logIn()).toBeNull();
    expect(await logIn()).toBe(3_600);
    clock.time += 3_600_001;
    expect(await logIn()).toBeNull();
  });

  it('that succeed are given back where the device is not known, and no more than these', async () => {
    const { times, attempts } = rig();
    await times(10, from('1.1.1.1'));
    await attempts.loginSucceeded(from('1.1.1.1'));
    const [first, second] = await times(2, from('1.1.1.1'));
    expect(first).toBeNull();
    expect(second).toBeGreaterThan(0);
  });

  it('begin anew when the account is unlocked', async () => {
    const { times, attempts, unlocks } = rig();
    for (let i = 0; i < 11; i += 1) await times(10, from(`9.9.9.${i}`));
    unlocks.count = 1;
    expect(await attempts.login(from('9.9.9.1'))).toBeNull();
    expect(await attempts.login(from('2.2.2.2'))).toBeNull();
  });
});

describe('sign-ups', () => {
  const signUps = async (addressOf: (i: number) => string, hours: number) => {
    const { attempts, clock } = rig();
    let taken = 0;
    for (let hour = 0; hour < hours; hour += 1) {
      for (let i = 0; i < 100; i += 1)
        if ((await attempts.signUp(addressOf(i), `script${hour}-${i}@example.com`)) === null) taken += 1;
      clock.time += 60 * 60_000 + 1;
    }
    return taken;
  };

  it('of a script that goes on all day are two hundred from one address', async () => {
    expect(await signUps(() => '1.1.1.1', 1)).toBe(60);
    expect(await signUps(() => '1.1.1.1', 20)).toBe(200);
  });

  it('are counted for the network of an address of IPv6: nobody has more for having more addresses', async () => {
    expect(await signUps((i) => `2001:db8:1:2::${i.toString(16)}`, 1)).toBe(60);
    expect(await signUps((i) => `2001:db8:1:${i.toString(16)}::1`, 1)).toBe(100);
  });
});

describe('sign-ups with one e-mail address, by which its password could be guessed', () => {
  it('are ten from one address in a quarter of an hour, however the e-mail address is written', async () => {
    const { attempts, clock } = rig();
    for (let i = 0; i < 10; i += 1) expect(await attempts.signUp('1.1.1.1', email)).toBeNull();
    expect(await attempts.signUp('1.1.1.1', ' Ann@Example.com')).toBe(900);
    // Whoever else signs up there goes on, and so does the owner from elsewhere.
    expect(await attempts.signUp('1.1.1.1', 'bob@example.com')).toBeNull();
    expect(await attempts.signUp('2.2.2.2', email)).toBeNull();
    clock.time += 900_000;
    expect(await attempts.signUp('1.1.1.1', email)).toBeNull();
  });

  it('are thirty an hour from all addresses together', async () => {
    const { attempts, clock } = rig();
    for (let i = 0; i < 30; i += 1) expect(await attempts.signUp(`9.9.9.${i}`, email)).toBeNull();
    expect(await attempts.signUp('9.9.9.99', email)).toBe(3_600);
    expect(await attempts.signUp('9.9.9.99', 'bob@example.com')).toBeNull();
    clock.time += 3_600_000;
    expect(await attempts.signUp('9.9.9.99', email)).toBeNull();
  });
});

describe('refused calls of programs', () => {
  it('let the next one in until there are too many, and whoever only looks counts nothing', async () => {
    const { attempts, clock } = rig();
    const [manager, client] = [
      (isFailure: boolean) => attempts.manager('1.1.1.1', isFailure),
      (isFailure: boolean) => attempts.client('1.1.1.1', 'c1', isFailure),
    ];
    for (const call of [manager, client]) {
      let failures = 0;
      while ((await call(false)) === null && failures < 1_000) {
        await call(true);
        failures += 1;
      }
      // What is looked at next would be one more than there may be: it is refused before it is tried.
      expect(await call(false)).toBeGreaterThan(0);
      expect(failures).toBe(60);
      expect(await call(false)).not.toBeNull();
      clock.time += 24 * 60 * 60_000;
      expect(await call(false)).toBeNull();
    }
    expect(await attempts.manager('2.2.2.2', false)).toBeNull();
  });
});

describe('messages to an address', () => {
  it('are three of each kind within an hour, whoever asks and however the address is written', async () => {
    const { attempts, clock } = rig();
    for (let i = 0; i < 3; i += 1) expect(await attempts.letter('signUp', email)).toBeNull();
    expect(await attempts.letter('signUp', ' Ann@Example.com')).toBe(3_600);
    // What tells of a change is not held up by what others had sent.
    expect(await attempts.letter('passwordChanged', email)).toBeNull();
    expect(await attempts.letter('signUp', 'bob@example.com')).toBeNull();
    clock.time += 3_600_000;
    expect(await attempts.letter('signUp', email)).toBeNull();
  });
});
