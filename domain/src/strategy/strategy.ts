import type { FidelityReport } from '../exchange/fidelity-report.ts';
import type { Feature } from '../identity/plans.ts';
import type { Decider } from '../kernel/decider.ts';
import type { EventMetadata } from '../kernel/event.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.ts';
import { isSameDocument } from '../kernel/same-document.ts';
import { STRATEGY_EVENTS, type StrategyEvent } from './events.ts';
import { type HoldOut, holdOutEvents, type LineageLook } from './hold-out.ts';
import {
  type OwnFieldChanges,
  type OwnFieldValues,
  ownFieldEvents,
  ownFieldsAfter,
} from './own-fields/own-fields.ts';
import { planLimitText } from './plan-limits.ts';
import { asReadTree, type HeldTree, heldTreeOf, LARGE_TREE, treeHash } from './stored-tree.ts';
import { HOLDS_ITSELF } from './strategy-block.ts';
import { MAX_NAME_LENGTH } from './structure.ts';
import type { Algorithm } from './tree.ts';

export { isSameDocument };

export type StrategyType = 'bot' | 'template';

/** The caller of a command: whose id, and what his plan allows. */
export interface StrategyCaller {
  readonly userId: string;
  readonly features: readonly Feature[];
}

export type StrategyCommand =
  | {
      readonly type: 'CreateStrategy';
      readonly strategyId: string;
      readonly caller: StrategyCaller;
      readonly name: string;
      readonly isPublic: boolean;
      readonly status: string;
      /** Any JSON value, or what `asReadTree` takes for one that was read already. */
      readonly algorithm: unknown;
      /** Where it was read from a file. */
      readonly imported?: { readonly fileName: string | null; readonly report: FidelityReport };
    }
  | {
      readonly type: 'CloneStrategy';
      readonly strategyId: string;
      readonly caller: StrategyCaller;
      readonly source: {
        readonly strategyId: string;
        readonly revision: number;
        readonly name: string;
        /** Of the source's tree. */
        readonly variables: readonly string[];
        readonly lineageId: string;
        readonly holdOut?: HoldOut;
      } & HeldTree;
    }
  | ({
      readonly type: 'UpdateStrategy';
      readonly caller: StrategyCaller;
      readonly name?: string;
      readonly isPublic?: boolean;
      readonly status?: string;
      readonly algorithm?: unknown;
    } & OwnFieldChanges)
  | {
      readonly type: 'SetStrategyHoldOut';
      readonly caller: StrategyCaller;
      /** `YYYY-MM-DD`; null takes it off. */
      readonly date: string | null;
      /** Of all batches of the lineage, those under way with what they will rank. */
      readonly looks: readonly LineageLook[];
    }
  | { readonly type: 'DeleteStrategy'; readonly caller: StrategyCaller }
  | { readonly type: 'UndoStrategyDeletion'; readonly caller: StrategyCaller }
  | {
      readonly type: 'RestoreStrategy';
      readonly caller: StrategyCaller;
      /** The content of an earlier revision of the same strategy. */
      readonly from: {
        readonly revision: number;
        readonly name: string;
        /** As in `CreateStrategy`. */
        readonly algorithm: unknown;
      };
    };

export type StrategyContent = HeldTree & {
  readonly name: string;
  readonly type: StrategyType;
  readonly variables: readonly string[];
};

export type StrategyState =
  | { readonly status: 'none' }
  | (StrategyContent &
      OwnFieldValues & {
        readonly status: 'draft' | 'live' | 'deleted';
        readonly strategyId: string;
        readonly ownerId: string;
        readonly isPublic: boolean;
        readonly lineageId: string;
        readonly holdOut?: HoldOut;
        /** ISO 8601. */
        readonly createdAt: string;
        readonly updatedAt: string;
        readonly algorithmUpdatedAt: string;
      });
type ExistingStrategy = Exclude<StrategyState, { status: 'none' }>;

export const STRATEGY_NOT_FOUND = refuse(404, 'strategy_not_found', 'The trading bot cannot be found.');
const NOT_OWNER = refuse(
  403,
  'not_owner',
  'Only the owner of a trading bot can change it. Clone it to work on a copy.',
);

/** Who may see a strategy: its owner, and everybody who is signed in and has the link where it is public. */
export function maySeeStrategy(
  strategy: { readonly ownerId: string; readonly isPublic: boolean; readonly isDeleted: boolean },
  userId: string,
): boolean {
  return !strategy.isDeleted && (strategy.ownerId === userId || strategy.isPublic);
}

function readName(name: string): string | Refusal {
  const trimmed = name.trim();
  if (trimmed === '') return refuse(422, 'invalid_name', 'The trading bot needs a name.');
  if (trimmed.length > MAX_NAME_LENGTH)
    return refuse(422, 'invalid_name', `The name may have at most ${MAX_NAME_LENGTH} characters.`);
  return trimmed;
}

function readStatus(status: string): Refusal | null {
  return status === 'draft'
    ? null
    : refuse(422, 'invalid_status', 'A trading bot has the status draft; live trading is not available.');
}

/** The content that a name and any JSON value make, or why they don't. */
function readContent(name: string, algorithm: unknown, caller: StrategyCaller): StrategyContent | Refusal {
  const goodName = readName(name);
  if (isRefusal(goodName)) return goodName;
  const reading = asReadTree(algorithm, caller.features);
  if (isRefusal(reading)) return reading;
  const { held, variables, planProblems: limits } = reading;
  if (limits.length > 0)
    return refuse(403, limits[0]?.code ?? 'feature_missing', planLimitText(limits), { problems: limits });
  return contentOf(goodName, variables, held);
}

function contentOf(name: string, variables: readonly string[], held: HeldTree): StrategyContent {
  return { name, type: variables.length > 0 ? 'template' : 'bot', variables, ...held };
}

/** Of a large tree that an event of version 1 holds. */
function hashOfInline(algorithm: Algorithm): string | null {
  const text = JSON.stringify(algorithm);
  return text.length < LARGE_TREE ? null : treeHash(text);
}

/** Whether two trees are the same. */
export function isSameTree(left: HeldTree, right: HeldTree): boolean {
  if (left.tree && right.tree) return left.tree.hash === right.tree.hash;
  if (left.tree) return !right.tree && left.tree.hash === hashOfInline(right.algorithm);
  if (right.tree) return right.tree.hash === hashOfInline(left.algorithm);
  return isSameDocument(left.algorithm, right.algorithm);
}

/** The strategy, where the caller may change it. */
function own(state: StrategyState, caller: StrategyCaller, deleted = false): ExistingStrategy | Refusal {
  if (state.status === 'none') return STRATEGY_NOT_FOUND;
  if (state.ownerId !== caller.userId)
    return state.isPublic && state.status !== 'deleted' ? NOT_OWNER : STRATEGY_NOT_FOUND;
  return (state.status === 'deleted') === deleted ? state : STRATEGY_NOT_FOUND;
}

function update(
  command: Extract<StrategyCommand, { type: 'UpdateStrategy' }>,
  state: ExistingStrategy,
): readonly StrategyEvent[] | Refusal {
  const { strategyId } = state;
  const events: StrategyEvent[] = [];
  if (command.status !== undefined) {
    const refusal = readStatus(command.status);
    if (refusal) return refusal;
  }
  const name = command.name === undefined ? state.name : readName(command.name);
  if (isRefusal(name)) return name;
  if (command.algorithm !== undefined) {
    const reading = asReadTree(command.algorithm, command.caller.features);
    if (isRefusal(reading)) return reading;
    const content = readContent(name, reading, command.caller);
    if (isRefusal(content)) return content;
    const isChanged = !isSameTree(content, state);
    // One that holds itself already was saved before this was refused, and stays what it is.
    if (isChanged && reading.strategies.includes(strategyId))
      return refuse(422, 'invalid_algorithm', `${HOLDS_ITSELF}.`);
    if (isChanged) events.push({ type: 'StrategySaved', data: { strategyId, ...mutable(content) } });
  }
  if (events.length === 0 && name !== state.name)
    events.push({ type: 'StrategyRenamed', data: { strategyId, name } });
  if (command.isPublic !== undefined && command.isPublic !== state.isPublic)
    events.push({ type: 'StrategyVisibilityChanged', data: { strategyId, isPublic: command.isPublic } });
  const own = ownFieldEvents(strategyId, command, state);
  return isRefusal(own) ? own : [...events, ...own];
}

/** Event data have mutable arrays by their schema's type. */
function mutable(content: StrategyContent) {
  const { name, type, variables } = content;
  return { name, type, variables: [...variables], ...heldTreeOf(content) };
}

function decide(command: StrategyCommand, state: StrategyState): readonly StrategyEvent[] | Refusal {
  switch (command.type) {
    case 'CreateStrategy': {
      if (state.status !== 'none')
        return refuse(409, 'strategy_exists', 'There is a trading bot with this id already.');
      const refusal = readStatus(command.status);
      if (refusal) return refusal;
      const content = readContent(command.name, command.algorithm, command.caller);
      if (isRefusal(content)) return content;
      const { strategyId, isPublic, caller, imported } = command;
      const created: StrategyEvent = {
        type: 'StrategyCreated',
        data: {
          strategyId,
          ownerId: caller.userId,
          ...mutable(content),
          isPublic,
          status: 'draft',
          lineageId: strategyId,
        },
      };
      return imported === undefined
        ? [created]
        : [created, { type: 'StrategyImported', data: { strategyId, ...imported } }];
    }
    case 'CloneStrategy': {
      if (state.status !== 'none')
        return refuse(409, 'strategy_exists', 'There is a trading bot with this id already.');
      const { source, strategyId, caller } = command;
      // A copy changes nothing about what its owner can see or run, so no plan limit here: anyone may clone.
      const name = readName(`Copy of ${source.name}`.slice(0, MAX_NAME_LENGTH));
      if (isRefusal(name)) return name;
      const content = contentOf(name, source.variables, heldTreeOf(source));
      // What is held out of the original is held out of its copies: a clone is no way around it.
      const { holdOut } = source;
      return [
        {
          type: 'StrategyCloned',
          data: {
            strategyId,
            ownerId: caller.userId,
            ...mutable(content),
            isPublic: false,
            status: 'draft',
            lineageId: source.lineageId,
            source: { strategyId: source.strategyId, revision: source.revision },
          },
        },
        ...(holdOut ? [{ type: 'StrategyHoldOutSet', data: { strategyId, ...holdOut } } as const] : []),
      ];
    }
    case 'UpdateStrategy': {
      const strategy = own(state, command.caller);
      return isRefusal(strategy) ? strategy : update(command, strategy);
    }
    case 'SetStrategyHoldOut': {
      const strategy = own(state, command.caller);
      return isRefusal(strategy) ? strategy : holdOutEvents(command, strategy);
    }
    case 'DeleteStrategy': {
      const strategy = own(state, command.caller);
      if (isRefusal(strategy)) return strategy;
      return [{ type: 'StrategyDeleted', data: { strategyId: strategy.strategyId } }];
    }
    case 'UndoStrategyDeletion': {
      if (state.status !== 'none' && state.status !== 'deleted' && state.ownerId === command.caller.userId)
        return [];
      const strategy = own(state, command.caller, true);
      if (isRefusal(strategy)) return strategy;
      return [{ type: 'StrategyDeletionUndone', data: { strategyId: strategy.strategyId } }];
    }
    case 'RestoreStrategy': {
      const strategy = own(state, command.caller);
      if (isRefusal(strategy)) return strategy;
      const { from, caller } = command;
      const content = readContent(from.name, from.algorithm, caller);
      if (isRefusal(content)) return content;
      if (content.name === strategy.name && isSameTree(content, strategy)) return [];
      return [
        {
          type: 'StrategyRestored',
          data: { strategyId: strategy.strategyId, fromRevision: from.revision, ...mutable(content) },
        },
      ];
    }
    default: {
      const unknown: never = command;
      return unknown;
    }
  }
}

function evolve(
  state: StrategyState,
  event: StrategyEvent & { readonly metadata?: EventMetadata },
): StrategyState {
  const now = event.metadata?.recordedAt ?? '';
  if (event.type === 'StrategyCreated' || event.type === 'StrategyCloned') {
    const { strategyId, ownerId, name, type, variables, isPublic, status, lineageId } = event.data;
    const times = { createdAt: now, updatedAt: now, algorithmUpdatedAt: now };
    const content = { name, type, variables, ...heldTreeOf(event.data) };
    return { strategyId, ownerId, ...content, isPublic, status, lineageId, ...times };
  }
  if (state.status === 'none') throw new Error(`${event.type} of a strategy that was never created`);
  const changed = { ...state, updatedAt: now };
  switch (event.type) {
    case 'StrategySaved':
    case 'StrategyRestored': {
      const { name, type, variables } = event.data;
      const { algorithm: _, tree: __, ...rest } = changed;
      return { ...rest, name, type, variables, ...heldTreeOf(event.data), algorithmUpdatedAt: now };
    }
    case 'StrategyRenamed':
      return { ...changed, name: event.data.name };
    case 'StrategyImported':
      return state;
    case 'StrategyVisibilityChanged':
      return { ...changed, isPublic: event.data.isPublic };
    case 'StrategyHoldOutSet': {
      const { date, givenAwayUntil } = event.data;
      return { ...state, holdOut: { date, givenAwayUntil } };
    }
    case 'StrategyDeleted':
      return { ...changed, status: 'deleted' };
    case 'StrategyDeletionUndone':
      return { ...changed, status: 'draft' };
    default:
      return { ...state, ...ownFieldsAfter(event) };
  }
}

export const strategyDecider: Decider<StrategyCommand, StrategyState, StrategyEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

/** Streams `strategy-{id}`. */
export const strategyStream: StreamKind<StrategyCommand, StrategyState, StrategyEvent> = {
  ...STRATEGY_EVENTS,
  decider: strategyDecider,
};
