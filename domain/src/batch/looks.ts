import { only } from '../kernel/define-stream.ts';
import { defineProjection, type Projection, type Unstamped } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { BATCH_EVENTS } from './events.ts';

/** How far a batch has shown its rows' results. Outlives the batch: deleting it does not make what was seen unseen. */
export interface BatchLooksDocument extends ReadDocument {
  readonly lineageId: string;
  readonly userId: string;
  readonly name: string;
  /** First and last day of its period, `YYYY-MM-DD`. */
  readonly startDate: string;
  readonly endDate: string;
  readonly outOfSampleDate: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The last day that a ranking was shown over; `''` while there was none. */
  readonly seenUntil: string;
  /**
   * When rows were ranked up to which day, in order: when the first could be read, and when its out-of-sample
   * part was opened.
   */
  readonly looks: readonly { readonly until: string; readonly at: string }[];
}

const DAY_MS = 86_400_000;

/** From when on rows can be read while their batch runs; before, nothing was seen of a batch that did not finish. */
const READ_WHILE_RUNNING_SINCE = '2026-11-23T11:00:00';

/** The calendar day before a date, `YYYY-MM-DD`. */
export function dayBefore(date: string): string {
  return new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10);
}

type Bare = Unstamped<BatchLooksDocument>;

function looked(document: BatchLooksDocument, until: string, at: string): Bare {
  if (until <= document.seenUntil) return document;
  return { ...document, seenUntil: until, looks: [...document.looks, { until, at }] };
}

/** At all days of the batch, or at those before its out-of-sample date, which stays locked. */
function lookedInSample(document: BatchLooksDocument, at: string): Bare {
  const { outOfSampleDate: split, endDate: end } = document;
  return looked(document, split === null ? end : dayBefore(split), at);
}

/** Which days the batches of a lineage have ranked their rows over, and when. */
export const batchLooksProjection: Projection<BatchLooksDocument> = defineProjection({
  name: 'batchLooks',
  version: 3,
  collection: { name: 'batchLooks_v3', indexes: [['lineageId', 'seenUntil']] },
  events: [
    only(
      BATCH_EVENTS,
      'BatchBacktestCreated',
      'PartitionFinished',
      'BatchBacktestFinished',
      'BatchBacktestStopped',
      'BatchBacktestRenamed',
      'OutOfSampleOpened',
    ),
  ],
  keys: (event) => [event.data.batchId],
  evolve: (document, event, id) => {
    const at = event.metadata.recordedAt;
    if (event.type === 'BatchBacktestCreated') {
      const { lineageId, userId, name, config } = event.data;
      return {
        id,
        lineageId,
        userId,
        name,
        startDate: config.start_date,
        endDate: config.end_date,
        outOfSampleDate: config.out_of_sample_date ?? null,
        createdAt: at,
        seenUntil: '',
        looks: [],
      };
    }
    if (!document) return null;
    switch (event.type) {
      case 'PartitionFinished': {
        // Its first rows can be sorted from here on, and deleting the batch does not make them unseen.
        if (event.data.partition !== 0 || at < READ_WHILE_RUNNING_SINCE) return document;
        return lookedInSample(document, at);
      }
      case 'BatchBacktestStopped':
        return lookedInSample(document, at);
      case 'BatchBacktestFinished': {
        const { outOfSampleDate: split, endDate: end } = document;
        // Batches of before were ranked over the whole period whatever their date said.
        const isLocked = split !== null && event.data.summary.part === 'in_sample';
        return looked(document, isLocked ? dayBefore(split) : end, at);
      }
      case 'OutOfSampleOpened':
        return looked(document, document.endDate, at);
      case 'BatchBacktestRenamed':
        return { ...document, name: event.data.name };
    }
  },
});

/** A look of a batch at days that another one locks away. */
export interface EarlierLook {
  readonly batchId: string;
  readonly userId: string;
  readonly name: string;
  /** When the rows were ranked, and over which day at last. */
  readonly at: string;
  readonly until: string;
}

/**
 * Looks at the days from `date` on that were taken before `before`: a date was chosen before its future was
 * known only where there are none.
 *
 * @param documents of one lineage
 */
export function earlierLooks(
  documents: readonly Pick<BatchLooksDocument, 'id' | 'userId' | 'name' | 'looks'>[],
  { date, before }: { readonly date: string; readonly before: string },
): EarlierLook[] {
  return documents
    .flatMap(({ id, userId, name, looks }) => {
      const first = looks.find(({ until, at }) => until >= date && at < before);
      return first ? [{ batchId: id, userId, name, at: first.at, until: first.until }] : [];
    })
    .sort((a, b) => a.at.localeCompare(b.at));
}
