import { Type } from 'typebox';
import { FidelityItemSchema, FidelityReportSchema } from '../exchange/fidelity-report.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, exactly, Id, NullableText, Text } from '../kernel/event-fields.ts';
import { StoredTree } from './tree-schema.ts';

/** The events of a `strategy-{id}` stream. */

const content = {
  name: Text,
  type: Type.Enum(['bot', 'template']),
  /** With their `$`, in the order that numbers the combinations. */
  variables: Type.Array(Text),
  algorithm: StoredTree,
};
const created = {
  strategyId: Id,
  ownerId: Id,
  ...content,
  isPublic: Type.Boolean(),
  status: Type.Enum(['draft', 'live']),
  /** Id of the first strategy of a family of clones; statistics of trials are shared within it. */
  lineageId: Id,
};
const Reference = exactly({ strategyId: Id });
const Report = exactly({
  ...FidelityReportSchema.properties,
  counts: exactly(FidelityReportSchema.properties.counts.properties),
  items: Type.Array(exactly(FidelityItemSchema.properties)),
});

export const STRATEGY_EVENTS = defineStream({
  category: 'strategy',
  events: {
    StrategyCreated: exactly(created),
    StrategyCloned: exactly({ ...created, source: exactly({ strategyId: Id, revision: Count }) }),
    /** Follows the creation of a strategy that was read from a file of this or another tool. */
    StrategyImported: exactly({ strategyId: Id, fileName: NullableText, report: Report }),
    StrategySaved: exactly({ strategyId: Id, ...content }),
    StrategyRenamed: exactly({ strategyId: Id, name: Text }),
    StrategyVisibilityChanged: exactly({ strategyId: Id, isPublic: Type.Boolean() }),
    StrategyRestored: exactly({
      strategyId: Id,
      /** The revision whose content this is. */
      fromRevision: Count,
      ...content,
    }),
    StrategyDeleted: Reference,
    StrategyDeletionUndone: Reference,
  },
});
export type StrategyEvent = EventOf<typeof STRATEGY_EVENTS>;
export type StrategyCreated = EventOf<typeof STRATEGY_EVENTS, 'StrategyCreated'>;
export type StrategyImported = EventOf<typeof STRATEGY_EVENTS, 'StrategyImported'>;
