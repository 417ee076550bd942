import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmail, normalizeEmail } from './email.ts';
import { passwordFault } from './password.ts';

const isCommon = async (lowerCase: string) => lowerCase === 'password123';

describe('passwords', () => {
  it.each([
    ['seven77', /at least 8/],
    ['x'.repeat(300), /at most 256/],
    ['Password123', /first that anybody/],
    ['aaaaaaaaaa', /first that anybody/],
    ['Someone@example.com', /e-mail address/],
  ])('refuses %s', async (password, fault) => {
    expect(await passwordFault(password, 'someone@example.com', isCommon)).toMatch(fault);
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
  it('normalizes once and for all', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        expect(normalizeEmail(normalizeEmail(` ${text} `))).toBe(normalizeEmail(text));
      }),
    );
  });
});
