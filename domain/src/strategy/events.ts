import { type Static, type TProperties, Type } from 'typebox';
import { FidelityItemSchema, FidelityReportSchema } from '../exchange/fidelity-report.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, exactly, Id, NullableText, Text } from '../kernel/event-fields.ts';
import { OWN_FIELD_SCHEMAS } from './own-fields/own-fields.ts';
import { type HeldTree, TreeReferenceSchema } from './stored-tree.ts';
import { StoredTree } from './tree-schema.ts';

/** The events of a `strategy-{id}` stream. */

const content = {
  name: Text,
  type: Type.Enum(['bot', 'template']),
  /** With their `$`, in the order that numbers the combinations. */
  variables: Type.Array(Text),
};
/** An event with a tree, or with where it is stored: version 1 had trees only, however large. */
function withTree<const Fields extends TProperties>(fields: Fields) {
  const shape = exactly({
    ...fields,
    algorithm: Type.Optional(StoredTree),
    tree: Type.Optional(TreeReferenceSchema),
  });
  const schema = Type.Refine(
    Type.Unsafe<Static<ReturnType<typeof exactly<Fields>>> & HeldTree>(shape),
    (data) => Object.hasOwn(data, 'algorithm') !== Object.hasOwn(data, 'tree'),
    () => 'must hold either the tree or where it is stored',
  );
  return { schema, upcasters: [(data: unknown) => data] };
}

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
  /** Only in events of 2026: what the import answered beside the report, kept where a client sent it back. */
  blocks: Type.Optional(Count),
  notes: Type.Optional(
    Type.Array(exactly({ code: Text, message: Text, path: Text, nodeId: Type.Optional(Text) })),
  ),
});

export const STRATEGY_EVENTS = defineStream({
  category: 'strategy',
  events: {
    StrategyCreated: withTree(created),
    StrategyCloned: withTree({ ...created, source: exactly({ strategyId: Id, revision: Count }) }),
    /** Follows the creation of a strategy that was read from a file of this or another tool. */
    StrategyImported: exactly({ strategyId: Id, fileName: NullableText, report: Report }),
    StrategySaved: withTree({ strategyId: Id, ...content }),
    StrategyRenamed: exactly({ strategyId: Id, name: Text }),
    StrategyVisibilityChanged: exactly({ strategyId: Id, isPublic: Type.Boolean() }),
    ...OWN_FIELD_SCHEMAS,
    /** From which day on its batches rank nothing, `YYYY-MM-DD`; null takes it off. Follows a cloning, too. */
    StrategyHoldOutSet: exactly({
      strategyId: Id,
      date: NullableText,
      /** The days before it were held out once and given away. */
      givenAwayUntil: NullableText,
    }),
    StrategyRestored: withTree({
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
