import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmail, normalizeEmail } from './email.ts';
import { passwordFault } from './password.ts';

const isCommon = async (lowerCase: string) => lowerCase === 'password123';

describe('passwords', () => {
  it.each<[password: string, fault: RegExp, email: string | undefined]>([
    ['seven77', /at least 8/, undefined],
    ['x'.repeat(300), /at most 256/, undefined],
    ['Password123', /first that anybody/, undefined],
    ['aaaaaaaaaa', /first that anybody/, undefined],
    ['Someone@example.com', /e-mail address/, undefined],
    ['someone.else', /e-mail address/, 'Someone.Else@example.com'],
    ['quantLoom', /first that anybody/, undefined],
  ])('refuses %s', async (password, fault, email = 'someone@example.com') => {
    expect(await passwordFault(password, email, isCommon)).toMatch(fault);
  });

  it('takes any other phrase, and counts characters, not bytes', async () => {
    expect(await passwordFault('correct horse battery staple', 'a@b.ch', isCommon)).toBeNull();
    expect(await passwordFault('🐎🔋📎🌊🐟🍋🎈🪁', 'a@b.ch', isCommon)).toBeNull();
  });
});

describe('e-mail addresses', () => {
  it.each(['a@b.ch', 'first.last+tag@sub.example.co.uk', "o'neil@example.org"])('takes %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });
  it.each(['', 'a', 'a@b', '@b.ch', 'a@', 'a b@c.de', 'a@b..ch', `${'x'.repeat(250)}@b.ch`, 'a@b.ch\n'])(
    'refuses %j',
    (text) => {
      expect(isEmail(text)).toBe(false);
    },
  );
  it('are the same in wide letters, as keyboards of Japan write them', () => {
    expect(normalizeEmail(' Ａｎｎ@Example.com ')).toBe('ann@example.com');
  });
  it('normalizes once and for all', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        expect(normalizeEmail(normalizeEmail(` ${text} `))).toBe(normalizeEmail(text));
      }),
    );
  });
});
