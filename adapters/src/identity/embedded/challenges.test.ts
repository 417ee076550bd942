import { describe, expect, it } from 'vitest';
import {
  CHALLENGE_HOLDS_MS,
  type ChallengeScope,
  createChallenges,
  createSignInChallenges,
  SIGN_IN_HOLDS_MS,
} from './challenges.ts';

const ann: ChallengeScope = { subject: 'ann', purpose: 'confirm', boundTo: 'session' };

function rig() {
  const clock = { time: 1_000_000 };
  const now = () => clock.time;
  return { clock, challenges: createChallenges(now), signIns: createSignInChallenges(now) };
}

describe('a challenge for a passkey', () => {
  it('is taken once', () => {
    const { challenges } = rig();
    const one = challenges.create(ann);
    expect(challenges.take(one, ann)).toBe(true);
    expect(challenges.take(one, ann)).toBe(false);
  });

  it.each([{ subject: 'bob' }, { purpose: 'login' }, { boundTo: 'another' }] as const)(
    'is worth nothing elsewhere, and stays where it belongs: %j',
    (other) => {
      const { challenges } = rig();
      const one = challenges.create(ann);
      challenges.create({ ...ann, ...other });
      expect(challenges.take(one, { ...ann, ...other })).toBe(false);
      expect(challenges.take(one, ann)).toBe(true);
    },
  );

  it('holds for five minutes, the last moment not included', () => {
    const { challenges, clock } = rig();
    const [first, second] = [challenges.create(ann), challenges.create(ann)];
    clock.time += CHALLENGE_HOLDS_MS - 1;
    expect(challenges.take(first, ann)).toBe(true);
    clock.time += 1;
    expect(challenges.take(second, ann)).toBe(false);
  });

  it('makes room for the newest sixteen of a person, and drives out none of others', () => {
    const { challenges } = rig();
    const bob = { ...ann, subject: 'bob' };
    const ofBob = challenges.create(bob);
    const ofAnn = Array.from({ length: 17 }, () => challenges.create(ann));
    expect(ofAnn.map((one) => challenges.take(one, ann))).toEqual([false, ...Array(16).fill(true)]);
    expect(challenges.take(ofBob, bob)).toBe(true);
  });
});

describe('a challenge of a sign-in page', () => {
  it('is taken once, within an hour, and by the sign-in that it was made for', () => {
    const { signIns, clock } = rig();
    const [first, second] = [signIns.create('page'), signIns.create('page')];
    expect(signIns.take(first, 'another')).toBe(false);
    clock.time += SIGN_IN_HOLDS_MS - 1;
    expect(signIns.take(first, 'page')).toBe(true);
    expect(signIns.take(first, 'page')).toBe(false);
    clock.time += 1;
    expect(signIns.take(second, 'page')).toBe(false);
  });

  it('has one spelling, and is the one that this process has made', () => {
    const { signIns } = rig();
    const one = signIns.create('page');
    expect(signIns.take(`${one}=`, 'page')).toBe(false);
    expect(signIns.take(`${one.slice(0, -2)}`, 'page')).toBe(false);
    expect(rig().signIns.take(one, 'page')).toBe(false);
    const longer = Buffer.from(one, 'base64url');
    longer.writeUIntBE(9_999_999_999, 16, 6);
    expect(signIns.take(longer.toString('base64url'), 'page')).toBe(false);
    expect(signIns.take(one, 'page')).toBe(true);
  });
});
