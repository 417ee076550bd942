import type {
  Algorithm,
  BlockNode,
  ConditionGroupNode,
  ConditionNode,
  FilterNode,
  IfThenElseNode,
  SpecifiedWeightNode,
} from '@quantloom/domain/strategy/tree';
import type { ReactElement } from 'react';
import { FetchedPopup, fetchedPart, onFirstUse } from '../../../ui/fetched.tsx';

// The popovers of the tree's lines, with what a line shows of them before one is opened.

export interface ConditionPopoverProps {
  readonly parent: IfThenElseNode | ConditionGroupNode;
  /** Null: a new one. */
  readonly condition: ConditionNode | null;
  readonly trigger: ReactElement;
}

export interface FilterPopoverProps {
  readonly node: FilterNode;
  readonly trigger: ReactElement;
}

export interface WeightPopoverProps {
  readonly node: BlockNode;
  readonly parent: SpecifiedWeightNode;
  readonly trigger: ReactElement;
}

export interface ConditionTypePopoverProps {
  readonly node: IfThenElseNode | ConditionGroupNode;
  readonly trigger: ReactElement;
}

export interface RebalancePopoverProps {
  readonly algorithm: Algorithm;
  readonly trigger: ReactElement;
}

const condition = fetchedPart(async () => (await import('./ConditionPopover.tsx')).ConditionPopover);
const filter = fetchedPart(async () => (await import('./FilterPopover.tsx')).FilterPopover);
const weight = fetchedPart(async () => (await import('./WeightPopover.tsx')).WeightPopover);
const conditionType = fetchedPart(
  async () => (await import('./ConditionTypePopover.tsx')).ConditionTypePopover,
);
const rebalance = fetchedPart(async () => (await import('./RebalancePopover.tsx')).RebalancePopover);
for (const { fetch } of [condition, filter, weight, conditionType, rebalance]) onFirstUse(fetch);

/** A condition, edited at its words. */
export function ConditionPopover(props: ConditionPopoverProps) {
  return <FetchedPopup part={condition} props={props} />;
}

/** A filter's function and choice, edited at its words. */
export function FilterPopover(props: FilterPopoverProps) {
  return <FetchedPopup part={filter} props={props} />;
}

/** A child's weight in percent, edited at the figure. */
export function WeightPopover(props: WeightPopoverProps) {
  return <FetchedPopup part={weight} props={props} />;
}

/** Whether all or any of an if's conditions must hold. */
export function ConditionTypePopover(props: ConditionTypePopoverProps) {
  return <FetchedPopup part={conditionType} props={props} />;
}

/** When the strategy trades, edited at its words. */
export function RebalancePopover(props: RebalancePopoverProps) {
  return <FetchedPopup part={rebalance} props={props} />;
}
