import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { NewEvent, RecordedEvent } from '@quantloom/domain/kernel/event';
import { ERASED, PERSONAL_FIELDS, personOf } from '@quantloom/domain/personal-data';
import type { PersonKey, PersonKeys } from '@quantloom/domain/ports/person-keys';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `sealed:1:<key id>:<nonce, ciphertext and tag as base64url>`. */
const SEALED = /^sealed:1:([\w-]{8,32}):([\w-]{38,})$/;

type Fields = Readonly<Record<string, unknown>>;
type Change = (text: string, field: string) => string | Promise<string>;

/** A copy of `data` with the text of one field changed; `data` itself where there is no text. */
async function withField(data: Fields, path: string, change: Change, whole = path): Promise<Fields> {
  const dot = path.indexOf('.');
  const name = dot < 0 ? path : path.slice(0, dot);
  const value = data[name];
  if (dot >= 0) {
    if (typeof value !== 'object' || value === null) return data;
    return { ...data, [name]: await withField(value as Fields, path.slice(dot + 1), change, whole) };
  }
  if (typeof value === 'string') return { ...data, [name]: await change(value, whole) };
  if (!Array.isArray(value)) return data;
  const items = value.map((item, index) =>
    typeof item === 'string' ? change(item, `${whole}.${index}`) : item,
  );
  return { ...data, [name]: await Promise.all(items) };
}

async function withPersonalFields(type: string, data: unknown, change: Change): Promise<unknown> {
  const paths = PERSONAL_FIELDS[type];
  if (!paths || typeof data !== 'object' || data === null) return data;
  let changed = data as Fields;
  for (const path of paths) changed = await withField(changed, path, change);
  return changed;
}

/**
 * AES-256-GCM, bound to the event and the field. The nonce follows from what is sealed (HMAC-SHA-256 under
 * the same key), so that an event that is written twice is the same both times; two texts under one nonce
 * would need a collision of that hash.
 */
function seal({ id, bytes }: PersonKey, text: string, context: string): string {
  const iv = createHmac('sha256', bytes).update(`nonce\n${context}\n${text}`).digest().subarray(0, IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', bytes, iv);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `sealed:1:${id}:${Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url')}`;
}

function open(key: Uint8Array, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  );
}

type Sealable = Pick<NewEvent, 'id' | 'type' | 'data' | 'metadata'>;

/**
 * The event with its personal fields under the key of the person that they are about.
 *
 * @param isCopy leaves fields that are sealed already as they are: of an event that comes out of another log
 */
export async function sealEvent<Event extends Sealable>(
  keys: PersonKeys,
  stream: string,
  event: Event,
  { isCopy = false } = {},
): Promise<Event> {
  if (PERSONAL_FIELDS[event.type] === undefined) return event;
  const person = personOf({ ...event, stream });
  if (person === null) return event;
  let key: Promise<PersonKey> | null = null;
  const data = await withPersonalFields(event.type, event.data, async (text, field) => {
    if (isCopy && SEALED.test(text)) return text;
    key ??= keys.keyFor(person);
    return seal(await key, text, `${event.id}:${field}`);
  });
  return data === event.data ? event : { ...event, data };
}

/** The event as it was before it was sealed; where a key was erased, `ERASED` stands in place of what it hid. */
export async function openEvent(keys: PersonKeys, event: RecordedEvent): Promise<RecordedEvent> {
  if (PERSONAL_FIELDS[event.type] === undefined) return event;
  const data = await withPersonalFields(event.type, event.data, async (text, field) => {
    const [, id, sealed] = SEALED.exec(text) ?? [];
    // Written before there were keys, by a store that cannot be written anew.
    if (id === undefined || sealed === undefined) return text;
    const key = await keys.find(id);
    return key ? open(key, sealed, `${event.id}:${field}`) : ERASED;
  });
  return { ...event, data };
}
