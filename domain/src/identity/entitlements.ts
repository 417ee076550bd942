import { FEATURES, type Feature, PLANS, type PlanId } from './plans.ts';

/** What a user's features follow from. */
export interface EntitlementSource {
  readonly planId: PlanId;
  /** Given by an administrator beyond the plan. */
  readonly grantedFeatures: readonly Feature[];
  /** Taken away by an administrator although the plan has them. */
  readonly revokedFeatures: readonly Feature[];
}

/** The plan's features and the granted ones, without the revoked ones, in the order of `FEATURES`. */
export function featuresOf({
  planId,
  grantedFeatures,
  revokedFeatures,
}: EntitlementSource): readonly Feature[] {
  return FEATURES.filter(
    (feature) =>
      (PLANS[planId].features.includes(feature) || grantedFeatures.includes(feature)) &&
      !revokedFeatures.includes(feature),
  );
}
