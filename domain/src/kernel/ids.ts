import { sha256 } from './sha256.ts';

/** Makes ULIDs; the composition root gives one with a clock and real randomness. Not a monotonic one: see `eventId`. */
export type IdSource = () => string;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether a text is a canonical (upper-case) ULID. */
export function isUlid(text: string): boolean {
  return ULID.test(text);
}

/** Milliseconds since 1970 of a ULID's time part. */
export function ulidTime(ulid: string): number {
  let time = 0;
  for (const character of ulid.slice(0, TIME_CHARACTERS)) time = time * 32 + ALPHABET.indexOf(character);
  return time;
}

/**
 * Id of the index-th event of a command: the command's ULID counted up in its random part. The same command
 * therefore always makes the same events, and an append that is repeated is recognised. Command ids are
 * random or hashed, so neighbours don't meet.
 */
export function eventId(commandId: string, index: number): string {
  if (!isUlid(commandId)) throw new Error(`A command id must be a ULID, not ${JSON.stringify(commandId)}`);
  const digits = [...commandId].map((character) => ALPHABET.indexOf(character));
  let carry = index + 1;
  for (let place = digits.length - 1; place >= TIME_CHARACTERS && carry > 0; place -= 1) {
    const sum = (digits[place] as number) + carry;
    digits[place] = sum % 32;
    carry = Math.floor(sum / 32);
  }
  return digits.map((digit) => ALPHABET[digit]).join('');
}

/**
 * A ULID that depends on its parts alone: the id of a command that follows from an event, or of a request
 * with an idempotency key. 80 bits of SHA-256, so nobody can aim at somebody else's id.
 *
 * @param time milliseconds since 1970 of the time part; give the same one on every repetition
 */
export function derivedId(time: number, ...parts: readonly string[]): string {
  let timePart = '';
  let rest = Math.floor(time);
  for (let place = 0; place < TIME_CHARACTERS; place += 1) {
    timePart = ALPHABET[rest % 32] + timePart;
    rest = Math.floor(rest / 32);
  }
  // JSON keeps ["ab", "c"] and ["a", "bc"] apart. Five bits of each byte are as random as all eight.
  const digest = sha256(JSON.stringify(parts));
  return timePart + Array.from(digest.subarray(0, 16), (byte) => ALPHABET[byte & 31]).join('');
}
