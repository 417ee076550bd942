import { describe, expect, it } from 'vitest';
import { eventSamples } from '../testing/event-samples.ts';
import { EVENT_CATALOGUE } from './event-catalogue.ts';
import type { RecordedEvent } from './kernel/event.ts';
import { createEventCheck } from './kernel/event-check.ts';

type Path = readonly (string | number)[];

/** No field has this shape: wherever it stands, it is damage. */
const DAMAGE = [[{ damaged: true }]];

/**
 * Where any JSON may stand. `parse_results`: the engine's own reading of a tree, shown to administrators. The
 * others are fields of a tree that a run does not read, and which whoever sent it may have left out or filled
 * as he liked.
 */
const FREE = [
  /^debugData\/parse_results\/.+/,
  /\/(algorithm|trading_bot)\/(.+\/)?(name|description|is_collapsed|version|weight(\/(num|den))?)$/,
];
/** The trees of batches and of recorded requests are kept as they were sent. */
const KEPT_AS_SENT = ['BatchBacktestCreated', 'BacktestErrorRecorded'];

const check = createEventCheck(EVENT_CATALOGUE);
const samples = eventSamples();

/** Paths of every field and list item in a document, the document itself left out. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, part]) => [[...path, key], ...pathsOf(part, [...path, key])]);
}

function withValue(document: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(document);
  const copy = structuredClone(document) as Record<string | number, unknown>;
  copy[key] = withValue(copy[key], rest, change);
  return copy;
}

const isFree = (event: RecordedEvent, path: Path): boolean =>
  FREE.some((pattern) => pattern.test(path.join('/'))) && KEPT_AS_SENT.includes(event.type);

describe('the check of an event', () => {
  it.each(samples.map(({ file, event }) => [file, event] as const))(
    '%s: refuses damage to any field',
    (_file, event) => {
      const paths = pathsOf(event.data).filter((path) => !isFree(event, path));
      const unnoticed = paths.filter((path) => {
        const data = withValue(event.data, path, () => DAMAGE);
        return check({ ...event, data }).length === 0;
      });
      expect(unnoticed.map((path) => path.join('/'))).toEqual([]);
    },
  );

  it.each(samples.map(({ file, event }) => [file, event] as const))(
    '%s: refuses a field too many or too few',
    (_file, event) => {
      const data = event.data as Record<string, unknown>;
      expect(check({ ...event, data: { ...data, madeUp: 1 } })).not.toEqual([]);
      const schema = EVENT_CATALOGUE.get(event.type)?.schema as { required?: readonly string[] } | undefined;
      for (const name of schema?.required ?? []) {
        // What an earlier version did not have cannot be left out of it: its upcaster puts it there.
        if (!(name in data)) continue;
        const { [name]: _left, ...others } = data;
        expect(check({ ...event, data: others }), name).not.toEqual([]);
      }
    },
  );

  it('finds a slippage that is no number in a batch, and says where', () => {
    const sample = samples.find(({ file }) => file === 'BatchBacktestCreated.v1.json');
    if (!sample) throw new Error('no sample of a batch');
    const data = withValue(sample.event.data, ['config', 'slippage_bps'], () => 'abc');
    expect(check({ ...sample.event, data })).toEqual(['data/config/slippage_bps must be number']);
  });

  it.each(['schemaVersion', 'commandId', 'correlationId', 'causationId', 'actor', 'recordedAt'] as const)(
    'refuses damage to the metadata: %s',
    (name) => {
      const [first] = samples;
      if (!first) throw new Error('no samples');
      const metadata = { ...first.event.metadata, [name]: DAMAGE } as unknown as RecordedEvent['metadata'];
      expect(check({ ...first.event, metadata })).not.toEqual([]);
    },
  );
});
