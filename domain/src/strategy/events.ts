import { type Static, Type } from 'typebox';
import { FidelityReportSchema } from '../exchange/fidelity-report.ts';
import type { DomainEvent } from '../kernel/event.ts';
import type { EventType } from '../kernel/event-type.ts';
import type { Algorithm } from './tree.ts';

/** The events of a `strategy-{id}` stream. The tree itself is checked by `readStructure`, not by a schema. */

const Id = Type.String({ minLength: 1 });
const AlgorithmSchema = Type.Unsafe<Algorithm>(Type.Object({ node_type: Type.Literal('root') }));
const content = {
  name: Type.String(),
  type: Type.Union([Type.Literal('bot'), Type.Literal('template')]),
  /** With their `$`, in the order that numbers the combinations. */
  variables: Type.Array(Type.String()),
  algorithm: AlgorithmSchema,
};

export const StrategyCreatedData = Type.Object({
  strategyId: Id,
  ownerId: Id,
  ...content,
  isPublic: Type.Boolean(),
  status: Type.Union([Type.Literal('draft'), Type.Literal('live')]),
  /** Id of the first strategy of a family of clones; statistics of trials are shared within it. */
  lineageId: Id,
});
export const StrategyClonedData = Type.Object({
  ...StrategyCreatedData.properties,
  source: Type.Object({ strategyId: Id, revision: Type.Integer({ minimum: 0 }) }),
});
export const StrategySavedData = Type.Object({ strategyId: Id, ...content });
export const StrategyRenamedData = Type.Object({ strategyId: Id, name: Type.String() });
export const StrategyVisibilityChangedData = Type.Object({ strategyId: Id, isPublic: Type.Boolean() });
export const StrategyRestoredData = Type.Object({
  strategyId: Id,
  /** The revision whose content this is. */
  fromRevision: Type.Integer({ minimum: 0 }),
  ...content,
});
/** Follows the creation of a strategy that was read from a file of this or another tool. */
export const StrategyImportedData = Type.Object({
  strategyId: Id,
  fileName: Type.Union([Type.String(), Type.Null()]),
  report: FidelityReportSchema,
});
export const StrategyReferenceData = Type.Object({ strategyId: Id });

export type StrategyCreated = DomainEvent<'StrategyCreated', Static<typeof StrategyCreatedData>>;
export type StrategyCloned = DomainEvent<'StrategyCloned', Static<typeof StrategyClonedData>>;
export type StrategySaved = DomainEvent<'StrategySaved', Static<typeof StrategySavedData>>;
export type StrategyRenamed = DomainEvent<'StrategyRenamed', Static<typeof StrategyRenamedData>>;
export type StrategyVisibilityChanged = DomainEvent<
  'StrategyVisibilityChanged',
  Static<typeof StrategyVisibilityChangedData>
>;
export type StrategyRestored = DomainEvent<'StrategyRestored', Static<typeof StrategyRestoredData>>;
export type StrategyDeleted = DomainEvent<'StrategyDeleted', Static<typeof StrategyReferenceData>>;
export type StrategyDeletionUndone = DomainEvent<
  'StrategyDeletionUndone',
  Static<typeof StrategyReferenceData>
>;

export type StrategyImported = DomainEvent<'StrategyImported', Static<typeof StrategyImportedData>>;

export type StrategyEvent =
  | StrategyCreated
  | StrategyCloned
  | StrategyImported
  | StrategySaved
  | StrategyRenamed
  | StrategyVisibilityChanged
  | StrategyRestored
  | StrategyDeleted
  | StrategyDeletionUndone;

export const STRATEGY_EVENTS: readonly EventType[] = [
  { type: 'StrategyCreated', version: 1, schema: StrategyCreatedData },
  { type: 'StrategyCloned', version: 1, schema: StrategyClonedData },
  { type: 'StrategyImported', version: 1, schema: StrategyImportedData },
  { type: 'StrategySaved', version: 1, schema: StrategySavedData },
  { type: 'StrategyRenamed', version: 1, schema: StrategyRenamedData },
  { type: 'StrategyVisibilityChanged', version: 1, schema: StrategyVisibilityChangedData },
  { type: 'StrategyRestored', version: 1, schema: StrategyRestoredData },
  { type: 'StrategyDeleted', version: 1, schema: StrategyReferenceData },
  { type: 'StrategyDeletionUndone', version: 1, schema: StrategyReferenceData },
];
