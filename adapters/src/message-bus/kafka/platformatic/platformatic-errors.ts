import { GenericError } from '@platformatic/kafka';

/** An error with everything that it holds: the client wraps one error in others, several deep. */
export function* withCauses(error: unknown): Generator<Error & Record<string, unknown>> {
  if (!(error instanceof Error)) return;
  yield error as Error & Record<string, unknown>;
  if (error instanceof AggregateError) for (const each of error.errors) yield* withCauses(each);
  yield* withCauses(error.cause);
}

/** Whether the broker said one of these, by their names in the protocol. */
export function saysOneOf(error: unknown, ...names: readonly string[]): boolean {
  for (const { apiId } of withCauses(error)) if (names.includes(String(apiId))) return true;
  return false;
}

/** Whether it may go otherwise next time: no broker was there, or none knows yet who leads what. */
export function mayPass(error: unknown): boolean {
  let isTransient = false;
  for (const each of withCauses(error)) {
    if (each.code === 'PLT_KFK_AUTHENTICATION') return false;
    isTransient ||= GenericError.isGenericError(each) && each.canRetry === true;
  }
  return isTransient;
}

/** What the broker says to a member of a generation that is over, or of none. */
export const isRebalance = (error: unknown): boolean =>
  saysOneOf(error, 'REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID');
