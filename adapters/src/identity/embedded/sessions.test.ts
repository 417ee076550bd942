import { afterEach, beforeEach, expect, it } from 'vitest';
import { type IdentityFile, openIdentityFile } from '../../../testing/identity/identity-file.ts';
import { type ManagementApiParts, managementApi } from './management-api.ts';
import { createSessions, deviceName, MOST_SESSIONS, type Sessions } from './sessions.ts';

const DAY = 24 * 60 * 60_000;

let file: IdentityFile;
let sessions: Sessions;
let time: number;

beforeEach(() => {
  time = 1_000_000;
  file = openIdentityFile();
  sessions = createSessions(file.store, () => time);
});
afterEach(() => file.close());

/** A browser of Ann is seen, later than anything before. */
function seen(uid: string, { loginAt = null as number | null, subject = 'ann', isNew = true } = {}): void {
  time += 1;
  if (isNew) file.addSession(subject, uid);
  sessions.seen({ uid, subject, device: 'Firefox', address: '192.0.2.1', loginAt });
}
const uidsOf = (subject: string) => sessions.list(subject).map(({ uid }) => uid);

it('lists the browsers of a person, the last used first', () => {
  seen('laptop');
  seen('phone');
  seen('bens', { subject: 'ben' });
  expect(uidsOf('ann')).toEqual(['phone', 'laptop']);
  seen('laptop', { isNew: false });
  expect(uidsOf('ann')).toEqual(['laptop', 'phone']);
});

it('remembers the last proof of who somebody is, also where a renewed token knows an older one or none', () => {
  seen('laptop', { loginAt: 500 });
  const confirmedAt = () => sessions.find('laptop')?.confirmedAt;
  expect(confirmedAt()).toBe(500);
  sessions.confirm('laptop');
  const proof = time;
  seen('laptop', { loginAt: 500, isNew: false });
  seen('laptop', { isNew: false });
  expect(confirmedAt()).toBe(proof);
  seen('laptop', { loginAt: proof + 1, isNew: false });
  expect(confirmedAt()).toBe(proof + 1);
});

it('does not come back once it has ended, however late something of it is seen', () => {
  seen('laptop');
  sessions.end('laptop');
  seen('laptop', { isNew: false });
  expect(sessions.find('laptop')).toBeNull();
  expect(sessions.isEnded('laptop')).toBe(true);
  expect(sessions.isEnded('phone')).toBe(false);
});

it('signs out the browser that was used longest ago, where one more signs in than there may be', () => {
  for (let number = 0; number < MOST_SESSIONS; number += 1) seen(`s${number}`);
  seen('bens', { subject: 'ben' });
  expect(uidsOf('ann')).toHaveLength(MOST_SESSIONS);
  seen('s0', { isNew: false });
  seen('one more');
  expect(uidsOf('ann')).toHaveLength(MOST_SESSIONS);
  expect([sessions.isEnded('s0'), sessions.isEnded('s1'), sessions.isEnded('s2')]).toEqual([
    false,
    true,
    false,
  ]);
  expect(uidsOf('ben')).toEqual(['bens']);
});

it('ends all others of a person, and nobody else’s', () => {
  for (const uid of ['laptop', 'phone']) seen(uid);
  seen('bens', { subject: 'ben' });
  sessions.endOthers('ann', 'phone');
  expect([uidsOf('ann'), uidsOf('ben')]).toEqual([['phone'], ['bens']]);
});

it('tells what ended at a time or later, and forgets it when no access token of it can live any more', () => {
  seen('laptop');
  const ended = time;
  sessions.end('laptop');
  expect(sessions.endedSince(ended)).toEqual(['laptop']);
  expect(sessions.endedSince(ended + 1)).toEqual([]);
  time = ended + 2 * DAY;
  sessions.removeOld();
  expect(sessions.isEnded('laptop')).toBe(true);
  time += 1;
  sessions.removeOld();
  expect(sessions.isEnded('laptop')).toBe(false);
});

it('are told to other processes for longer than their tokens live, which is an hour', async () => {
  let asked = Number.NaN;
  const endedSince = (since: number) => {
    asked = since;
    return ['s1'];
  };
  const api = managementApi({
    verify: async () => ({}),
    sessions: { endedSince },
  } as unknown as ManagementApiParts);
  const path = '/api/v2/ended-sessions';
  const ctx = { path, method: 'GET', get: () => 'Bearer t', set: () => undefined, status: 0, body: {} };
  await api(ctx as never, async () => undefined);
  expect(ctx).toMatchObject({ status: 200, body: { sessions: ['s1'] } });
  expect(Date.now() - asked).toBeGreaterThan(65 * 60_000);
});

/** Browsers name the others, too, for the sake of old pages. */
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/126.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} OPR/111.0.0.0`, 'Opera on Linux'],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME}`, 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['curl/8.5.0', 'An unknown browser'],
])('calls %s by the name that people know', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
