import { describe, expect, it } from 'vitest';
import type { Decided } from '../forward-test/decision.ts';
import { atomFeed } from './atom.ts';
import { calendarOf } from './calendar.ts';
import { feedAddressesProjection, feedAddressStream, feedPaths } from './feed-address.ts';
import { decisionEntry, type Feed, type FeedEntry, failureEntry } from './feed-entry.ts';

const uuidOf = (...parts: readonly string[]) => parts.join('/');
const NAME = 'A <b>, "B"; C\\D & Ünï\u0007 📈\r\nTWO';
const decided = (day: string, weights: Decided['weights']): Decided => ({
  strategyId: 's1',
  revision: 1,
  day,
  runFrom: '2020-01-01',
  dataVersion: 'v',
  engineVersion: '4',
  isSimulated: true,
  weights,
  conditions: [],
  branches: [],
  closes: {},
});
const change = decisionEntry(
  NAME,
  decided('2026-11-19', { SPY: 100 }),
  decided('2026-11-18', { TLT: 100 }),
  '2026-11-19T22:00:00.123Z',
) as FeedEntry;
const failure = failureEntry(NAME, 's1', {
  day: '2026-11-20',
  code: 'cannot_run',
  failedAt: '2026-11-20T22:00:00.000Z',
});
const feed = (entries: readonly FeedEntry[]): Feed => ({
  userId: 'u1',
  createdAt: '2026-11-01T10:00:00.000Z',
  page: 'https://example.com/tomorrow',
  entries,
});

describe('entries', () => {
  it('tell of a change of holdings, and of nothing else', () => {
    const [one, same] = [decided('2026-11-18', { SPY: 100 }), decided('2026-11-19', { SPY: 100 })];
    expect(decisionEntry('S', one, null, 'now')?.text).toBe(
      'S, at the close of 2026-11-18: buy SPY (0% to 100%). The prices are simulated.',
    );
    expect(decisionEntry('S', { ...one, isLate: true }, null, 'now')).toMatchObject({
      title: 'S decided too late to trade',
      text: expect.stringContaining('decided late, and is not traded'),
    });
    expect(decisionEntry('S', same, one, 'now')).toBeNull();
    expect(change.about).toEqual(['decision', 's1', '2026-11-19']);
    expect(failure.text).toContain('could not be evaluated at the close of 2026-11-20 (cannot_run)');
  });
});

describe('Atom', () => {
  it('has what RFC 4287 demands, with all text escaped', () => {
    const text = atomFeed(feed([failure, change]), uuidOf);
    expect(
      text.startsWith('<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'),
    ).toBe(true);
    expect(text).toContain('<id>urn:uuid:feed/u1</id>');
    // Of the newest entry.
    expect(text.indexOf('<updated>2026-11-20T22:00:00.000Z</updated>')).toBeLessThan(text.indexOf('<entry>'));
    expect(text).toContain('<author><name>Quantloom</name></author>');
    expect(text).toContain('<id>urn:uuid:decision/s1/2026-11-19</id>');
    expect(text).toContain(
      '<title>A &lt;b&gt;, &quot;B&quot;; C\\D &amp; Ünï  📈\nTWO changes what it holds</title>',
    );
    expect(text.match(/<entry>/g)).toHaveLength(2);
    expect(text).not.toMatch(/[^\n\P{Cc}]/u);
  });

  it('is dated by its address as long as it is empty', () => {
    expect(atomFeed(feed([]), uuidOf)).toContain('<updated>2026-11-01T10:00:00.000Z</updated>');
  });

  it('is dated by what was told last, whatever day that is about, and by a newer address', () => {
    const head = (of: Feed) => /<updated>(.*?)<\/updated>/.exec(atomFeed(of, uuidOf))?.[1];
    const toldLater = { ...change, at: '2026-11-21T08:00:00.000Z' };
    expect(head(feed([failure, toldLater]))).toBe('2026-11-21T08:00:00.000Z');
    const renewed = { ...feed([failure, change]), createdAt: '2026-11-22T10:00:00.000Z' };
    expect(head(renewed)).toBe('2026-11-22T10:00:00.000Z');
  });
});

describe('iCalendar', () => {
  const lines = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

  it('has what RFC 5545 demands: CRLF, lines of 75 octets at most, escaped text', () => {
    const text = calendarOf(feed([failure, change]), uuidOf);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
    const octets = text.split('\r\n').map((line) => Buffer.byteLength(line));
    expect(Math.max(...octets)).toBe(75);
    // No character is cut in two: every line is whole by itself.
    expect(text.split('\r\n').join('')).not.toContain('\uFFFD');
    expect(lines(text)).toContain('SUMMARY:A <b>\\, "B"\\; C\\\\D & Ünï  📈\\nTWO changes what it holds');
    expect(lines(text).slice(0, 5)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Quantloom//Decisions//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
    ]);
    expect(lines(text)).toContain('UID:u1/decision/s1/2026-11-19');
    expect(lines(text)).toContain('DTSTAMP:20261119T220000Z');
    expect(lines(text)).toContain('DTSTART;VALUE=DATE:20261119');
    expect(lines(text).filter((line) => line === 'END:VEVENT')).toHaveLength(2);
  });

  it('names itself, says how often to look, and has a page for each entry of which nobody is busy', () => {
    const text = lines(calendarOf(feed([change]), uuidOf));
    expect(text.slice(5, 10)).toEqual([
      'NAME:Quantloom: Decisions of the strategies that you follow',
      'X-WR-CALNAME:Quantloom: Decisions of the strategies that you follow',
      'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
      'X-PUBLISHED-TTL:PT6H',
      'BEGIN:VEVENT',
    ]);
    expect(text.slice(-5)).toEqual([
      'URL:https://example.com/tomorrow',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('is never without an event', () => {
    const text = lines(calendarOf(feed([]), uuidOf));
    expect(text).toContain('UID:u1/decision//');
    expect(text).toContain(
      'DESCRIPTION:What the strategies that you follow decide appears in this calendar.',
    );
    expect(text).toContain('SUMMARY:No decisions so far');
    expect(text).toContain('DTSTART;VALUE=DATE:20261101');
  });

  it('folds where characters of several octets stand at the end of a line', () => {
    for (let length = 0; length < 12; length += 1) {
      const title = `${'x'.repeat(length)}${'📈é'.repeat(60)}`;
      const text = calendarOf(feed([{ ...change, title }]), uuidOf);
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(lines(text)).toContain(`SUMMARY:${title}`);
    }
  });
});

describe('the address of a feed', () => {
  const { decide, evolve, initialState } = feedAddressStream.decider;
  const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];

  it('is made, made anew and turned off', () => {
    const created = decide({ type: 'CreateFeedAddress', userId: 'u1', tokenHash: first }, initialState);
    expect(created).toEqual([{ type: 'FeedAddressCreated', data: { userId: 'u1', tokenHash: first } }]);
    expect(decide({ type: 'CreateFeedAddress', userId: 'u1', tokenHash: second }, first)).toHaveLength(1);
    expect(decide({ type: 'RemoveFeedAddress', userId: 'u1' }, null)).toEqual([]);
    const removed = decide({ type: 'RemoveFeedAddress', userId: 'u1' }, first);
    expect(removed).toEqual([{ type: 'FeedAddressRemoved', data: { userId: 'u1' } }]);
    expect(evolve(first, { type: 'FeedAddressRemoved', data: { userId: 'u1' } })).toBeNull();
    const made = { type: 'FeedAddressCreated', data: { userId: 'u1', tokenHash: second } } as const;
    expect(evolve(first, made)).toBe(second);
  });

  it('is found by the hash of what opens it, until it is turned off', () => {
    const recorded = { metadata: { recordedAt: '2026-11-01T10:00:00.000Z' } };
    const made = {
      type: 'FeedAddressCreated',
      data: { userId: 'u1', tokenHash: first },
      ...recorded,
    } as never;
    expect(feedAddressesProjection.evolve(null, made, 'u1')).toEqual({
      id: 'u1',
      tokenHash: first,
      createdAt: '2026-11-01T10:00:00.000Z',
    });
    const removed = { type: 'FeedAddressRemoved', data: { userId: 'u1' }, ...recorded } as never;
    expect(feedAddressesProjection.evolve(null, removed, 'u1')).toBeNull();
    expect(feedPaths('t')).toEqual({ atom: '/feeds/t.atom', calendar: '/feeds/t.ics' });
  });

  it('goes with the account', () => {
    expect(feedAddressesProjection.handles).toContain('AccountErased');
    const erased = { type: 'AccountErased', data: { userId: 'u1' } } as never;
    expect(feedAddressesProjection.keys(erased)).toEqual(['u1']);
    const document = { id: 'u1', tokenHash: first, createdAt: 'then', _revision: 0, _position: '0' };
    expect(feedAddressesProjection.evolve(document, erased, 'u1')).toBeNull();
  });
});
