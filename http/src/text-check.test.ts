import { describe, expect, it } from 'vitest';
import { isUsableJson, refuseUnusableText } from './text-check.ts';

describe('texts in a body', () => {
  it.each([
    [{ name: 'a\u0000b' }, 'body/name holds'],
    [{ name: 'a\ud83d' }, 'body/name holds'],
    [{ list: ['ok', { deep: '\udc00' }] }, 'body/list/1/deep holds'],
    [{ 'a\u0000': 1 }, 'body holds'],
    ['\u0000', 'body holds'],
  ])('are refused with their place: %j', (body, message) => {
    expect(() => refuseUnusableText(body)).toThrow(message);
  });

  it.each([
    [{ name: 'Zoë’s 策略 🚀\n\t' }],
    [null],
    [7],
    [new Uint8Array([0, 0])],
    [{ a: [true, null, 1.5] }],
  ])('are taken otherwise: %j', (body) => expect(() => refuseUnusableText(body)).not.toThrow());

  it('are looked at however deep they are', () => {
    let body: unknown = 'a\u0000';
    for (let depth = 0; depth < 100_000; depth += 1) body = [body];
    expect(() => refuseUnusableText(body)).toThrow('holds a character');
  });
});

describe('JSON that surely holds no such text', () => {
  it.each(['"a"', '{"name":"Zoë’s 策略 🚀"}', String.raw`"\u00e9 \uE000 \uD7FF"`])(
    'is known by its letters: %s',
    (text) => {
      expect(isUsableJson(text)).toBe(true);
    },
  );

  it.each([
    String.raw`"\u0000"`,
    String.raw`"\ud83d"`,
    String.raw`"\uD83D"`,
    String.raw`"\uDfFf"`,
    String.raw`"\uDAAA"`,
  ])('is not known where it may be written, in capitals or small letters: %s', (text) => {
    expect(isUsableJson(text)).toBe(false);
  });
});
