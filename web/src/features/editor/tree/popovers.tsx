import { FetchedPopup, fetchedPart, onFirstUse } from '../../../ui/fetched.tsx';
import type { ConditionPopoverProps } from './ConditionPopover.tsx';
import type { ConditionTypePopoverProps } from './ConditionTypePopover.tsx';
import type { FilterPopoverProps } from './FilterPopover.tsx';
import type { RebalancePopoverProps } from './RebalancePopover.tsx';
import type { WeightPopoverProps } from './WeightPopover.tsx';

// The popovers of the tree's lines, with what a line shows of them before one is opened.

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
