import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from './event-catalogue.ts';
import { PERSONAL_FIELDS } from './personal-data.ts';

/** Fields in which people write what they like, or which name them. */
const TELLING = ['email', 'previousEmail', 'subject', 'name', 'reason', 'note', 'text', 'fileName', 'tags'];
/** Names of texts that the product itself writes; ids are known by their ending. */
const WRITTEN_BY_US = [
  ...['dataVersion', 'previousDataVersion', 'engineVersion', 'fingerprint', 'seed', 'code', 'ticker'],
  ...['node', 'projection', 'stream'],
  ...['at', 'endsAt', 'eraseAt', 'effectiveAt', 'date', 'givenAwayUntil', 'holdOutDate'],
];
/** Of the telling names, what says nothing about a person. */
const HARMLESS = [
  // A tree, shared by all who use it, under the name of its hash.
  'TreeStored.text',
  // Why the product gave quota back: one of three words.
  'QuotaReleased.reason',
  // What a defect was met in: a request or a batch.
  'BacktestErrorRecorded.subject',
  // What went wrong on the way to a receiver, in words of ours.
  'AlertNotDelivered.reason',
  // Why an order was not traded, in words of ours.
  'BasketOrderRefused.reason',
  'BasketOrderEnded.reason',
];

/** Whether people may write into a field: by its name, or since any text at all may stand in it. */
function isOpen(field: string, schema: TSchema): boolean {
  const isOurs = /(?:^id|Id)$/.test(field) || WRITTEN_BY_US.includes(field);
  return TELLING.includes(field) || (!isOurs && Value.Check(schema, 'Any text at all'));
}

describe('personal data', () => {
  it('are declared for every field of an event that may hold them', () => {
    const open = [...EVENT_CATALOGUE.values()].flatMap(({ type, schema }) =>
      Object.entries((schema as { properties?: Record<string, TSchema> }).properties ?? {})
        .filter(([field, own]) => isOpen(field, own) && !PERSONAL_FIELDS[type]?.includes(field))
        .map(([field]) => `${type}.${field}`),
    );
    expect(
      open.filter((field) => !HARMLESS.includes(field)),
      'Name these in PERSONAL_FIELDS if a person writes them, else in a list of this test, with the reason',
    ).toEqual([]);
  });

  it('are of events that there are, in fields that they have', () => {
    for (const [type, fields] of Object.entries(PERSONAL_FIELDS)) {
      const { properties = {} } = (EVENT_CATALOGUE.get(type)?.schema ?? {}) as { properties?: object };
      for (const field of fields) expect(Object.keys(properties), type).toContain(field.split('.')[0]);
    }
  });
});
