import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const KEY = 'a1'.repeat(32);

it('opens what it sealed, whatever the text', () => {
  const box = createSecretBox(KEY, 'test');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      expect(box.open(box.seal(text, context), context)).toBe(text);
    }),
  );
});

it('never seals twice alike', () => {
  const box = createSecretBox(KEY, 'test');
  expect(box.seal('x', 'c')).not.toBe(box.seal('x', 'c'));
});

it('refuses another context, purpose, key, or a changed value', () => {
  const box = createSecretBox(KEY, 'test');
  const sealed = box.seal('secret', 'client-1');
  expect(() => box.open(sealed, 'client-2')).toThrow();
  expect(() => createSecretBox(KEY, 'other').open(sealed, 'client-1')).toThrow();
  expect(() => createSecretBox('b2'.repeat(32), 'test').open(sealed, 'client-1')).toThrow();
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => box.open(`v1.${changed.toString('base64url')}`, 'client-1')).toThrow();
  }
});

it('names what is wrong with a key', () => {
  expect(() => createSecretBox('short', 'test')).toThrow('64 hexadecimal digits');
});
