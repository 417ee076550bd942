import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedId, eventId, isUlid, ulidTime } from './ids.ts';
import { plainSha256, sha256 } from './sha256.ts';

describe('sha256', () => {
  it.each([
    ['with the help of the platform', sha256],
    ['by itself, as in browsers', plainSha256],
  ])('equals the platform implementation, %s', (_, hash) => {
    fc.assert(
      // Halves of surrogate pairs too, which UTF-8 does not have.
      fc.property(fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }), (text) => {
        expect(Buffer.from(hash(text)).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
      }),
    );
    expect(hash('')).toHaveLength(32);
    expect(hash('a'.repeat(1_000))).toEqual(
      new Uint8Array(createHash('sha256').update('a'.repeat(1_000)).digest()),
    );
    // Around every place where a text needs one block more.
    for (let length = 0; length <= 200; length += 1) {
      const text = 'é'.repeat(length);
      expect(Buffer.from(hash(text)).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });
});

describe('ids', () => {
  it('derives the same ULID from the same parts and another one from others', () => {
    const time = Date.UTC(2026, 1, 3);
    const id = derivedId(time, 'user', 'key');
    expect(isUlid(id)).toBe(true);
    expect(ulidTime(id)).toBe(time);
    expect(derivedId(time, 'user', 'key')).toBe(id);
    expect(derivedId(time, 'userk', 'ey')).not.toBe(id);
  });

  it('keeps the time that it was given, to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.string(), (time, part) => {
        const id = derivedId(time, part);
        expect(isUlid(id)).toBe(true);
        expect(ulidTime(id)).toBe(time);
        expect(derivedId(time + 0.5, part)).toBe(id);
      }),
    );
    expect(derivedId(0, 'x').slice(0, 10)).toBe('0000000000');
    expect(derivedId(2 ** 48 - 1, 'x').slice(0, 10)).toBe('7ZZZZZZZZZ');
  });

  it('derives what every installation has derived: a repeated request must meet its first', () => {
    expect(derivedId(1_469_918_176_385, 'user', 'key')).toBe('01ARYZ6S41HBFQJBNJRF5TWJ29');
  });

  it('spreads what it derives over the whole alphabet', () => {
    const seen = new Set<string>();
    for (let part = 0; part < 50; part += 1)
      for (const letter of derivedId(0, String(part)).slice(10)) seen.add(letter);
    expect([...seen].sort().join('')).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  });

  it('knows a ULID', () => {
    const ulid = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    expect(isUlid(ulid)).toBe(true);
    expect(isUlid(`7${'Z'.repeat(25)}`)).toBe(true);
    const others = [
      '',
      ulid.toLowerCase(),
      ulid.slice(1),
      ulid.slice(0, -1),
      `${ulid}0`,
      `0${ulid}`,
      `8${ulid.slice(1)}`,
      ...['I', 'L', 'O', 'U', '-'].map((letter) => ulid.slice(0, -1) + letter),
      `${ulid}\n`,
    ];
    expect(others.filter(isUlid)).toEqual([]);
  });

  it('counts events up from the command and keeps its time', () => {
    expect(eventId('01ARZ3NDEKTSV4RRFFQ69G5FAV', 0)).toBe('01ARZ3NDEKTSV4RRFFQ69G5FAW');
    expect(eventId('01ARZ3NDEKTSV4RRFFQ69G5FZZ', 0)).toBe('01ARZ3NDEKTSV4RRFFQ69G5G00');
    const last = eventId('01ARZ3NDEKZZZZZZZZZZZZZZZZ', 0);
    expect(last).toBe('01ARZ3NDEK0000000000000000');
  });

  it('gives every event of a command its own id', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 2000 }), (seed, count) => {
        const commandId = derivedId(1, seed);
        const ids = Array.from({ length: count }, (_, index) => eventId(commandId, index));
        expect(new Set([...ids, commandId]).size).toBe(count + 1);
        expect(ids.every(isUlid)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('refuses a command id that is not a ULID', () => {
    expect(() => eventId('nope', 0)).toThrow('must be a ULID');
  });
});
