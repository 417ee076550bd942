import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { CALL_COSTS, type CostKind, costOfAnswer, costOfCall } from '@quantloom/domain/limits/cost';
import {
  costKey,
  QUERIES_IN_FLIGHT,
  secondsUntil,
  USE_LIMITS,
  type UseLimits,
} from '@quantloom/domain/limits/limits';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { countUse, type TooLittleLeft, takeUse, whoHas } from './counted-use.ts';
import type { Principal } from './principal.ts';
import { type TurnLimits, Turns } from './turns.ts';

const MINUTE = 60_000;
/**
 * Small calls have a line of their own: a page does not wait behind the runs of its user. Pages ask for many
 * things at once.
 */
export const SMALL_CALLS = { inFlight: 4, waiting: 500 };
/** Questions about results have one, too: the store answers one after the other, whoever asks. */
const lineOf = (kind: CostKind, userId: string, limits: UseLimits): [string, TurnLimits] => {
  if (isSmall(kind)) return [`small:${userId}`, SMALL_CALLS];
  if (kind === 'query') return [`query:${userId}`, { ...limits, inFlight: QUERIES_IN_FLIGHT }];
  return [userId, limits];
};
const isSmall = (kind: CostKind): boolean => kind === 'small' || kind === 'change';

/**
 * The kind of cost of a call: what its contract says, and something for every other call that a user makes,
 * so that nothing is free because nobody thought of it. Null for what strangers and administrators do, and
 * for event streams, which last and have a limit of their own.
 */
export function costKindOf({
  cost,
  access,
  method,
  alsoProduces,
}: Pick<RouteContract, 'cost' | 'access' | 'method' | 'alsoProduces'>): CostKind | null {
  if (cost) return cost;
  if (access.kind !== 'user' || alsoProduces?.includes('text/event-stream')) return null;
  return method === 'GET' ? 'small' : 'change';
}

export interface CostGateOptions {
  /** Store of the budgets, shared by all processes. */
  readonly rateLimits: RateLimits;
  /** Budgets a minute are multiplied by this: for machines with more processors, or private ones. Default 1. */
  readonly scale?: number;
}

/** What one call costs its user. */
export interface CostMeter {
  readonly limits: UseLimits;
  /**
   * Takes more from the budget, foretold, before the work is done; null where there is enough.
   *
   * @param milliseconds of one processor
   */
  expect(milliseconds: number): Promise<Refusal | null>;
  /** Charges what the work took beyond what was foretold. */
  settle(milliseconds: number): Promise<void>;
  /**
   * Charges an answer whose JSON was made for it, and what was read for it.
   *
   * @param reading milliseconds of one processor, where it took more than every call does
   */
  answered(characters: number, reading?: number): Promise<void>;
  /** Ends the call's turn. Further calls do nothing. */
  end(): void;
}

/** Calls that nobody counts: in tests of single routes. */
export const FREE_METER: CostMeter = {
  limits: USE_LIMITS.api,
  expect: async () => null,
  settle: async () => undefined,
  answered: async () => undefined,
  end: () => undefined,
};

/** Every costly call of a user passes here: a turn among his own calls, and a budget of cost a minute by plan. */
export class CostGate {
  private readonly turns = new Turns();
  private readonly options: CostGateOptions;

  constructor(options: CostGateOptions) {
    this.options = options;
  }

  /**
   * Takes the cost of a call from its user's budget and waits for his turn.
   *
   * @param bytes of the body
   * @throws RefusalError of status 429 where the budget is spent or too many calls wait, with `retry_after` in seconds
   */
  async begin(
    kind: CostKind,
    principal: Pick<Principal, 'userId' | 'planId' | 'network'>,
    bytes: number,
    signal?: AbortSignal,
  ): Promise<CostMeter> {
    const { userId, planId } = principal;
    const limits = USE_LIMITS[planId];
    const expected = costOfCall(kind, bytes);
    const refusal = await this.spend(principal, limits, expected);
    if (refusal) throw new RefusalError(refusal);
    const [line, atOnce] = lineOf(kind, userId, limits);
    const end = await this.turns.take(line, atOnce, signal);
    if (end === null) throw new RefusalError(tooManyAtOnce(atOnce));
    let foretold = expected;
    const settle = async (milliseconds: number) => {
      const excess = Math.round(milliseconds - foretold);
      if (excess > 0) await countUse(this.options.rateLimits, 'cost', principal, excess, MINUTE);
      foretold = Math.max(foretold, milliseconds);
    };
    return {
      limits,
      expect: async (milliseconds) => {
        const refused = await this.spend(principal, limits, milliseconds);
        if (!refused) foretold += milliseconds;
        return refused;
      },
      settle,
      answered: (characters, reading = 0) => settle(CALL_COSTS[kind] + costOfAnswer(characters) + reading),
      end,
    };
  }

  /**
   * Takes from an owner's budget what strangers cause by looking at what is his: half of it at most, so that
   * they cannot keep him from his own work.
   *
   * @param milliseconds of one processor, foretold
   * @returns charges what the work took beyond that; null where there is not enough left
   */
  async takeForVisitors(
    { userId, planId }: Pick<Principal, 'userId' | 'planId'>,
    milliseconds: number,
  ): Promise<((spent: number) => Promise<void>) | null> {
    const { rateLimits, scale = 1 } = this.options;
    const half = Math.floor((USE_LIMITS[planId].costPerMinute * 1000 * scale) / 2);
    const cost = Math.min(Math.ceil(milliseconds), half);
    const { hits } = await rateLimits.hit(costKey(userId), MINUTE, cost);
    if (hits > half) {
      await rateLimits.hit(costKey(userId), MINUTE, -cost);
      return null;
    }
    return async (spent) => {
      const excess = Math.round(spent - cost);
      if (excess > 0) await rateLimits.hit(costKey(userId), MINUTE, excess);
    };
  }

  /**
   * Takes from the budget where enough is left. No call is too large for it: none counts for more than half
   * of it beforehand.
   */
  private async spend(
    user: Pick<Principal, 'userId' | 'planId' | 'network'>,
    limits: UseLimits,
    milliseconds: number,
  ): Promise<Refusal | null> {
    const { rateLimits, scale = 1 } = this.options;
    const most = limits.costPerMinute * 1000 * scale;
    const amount = Math.min(Math.ceil(milliseconds), Math.floor(most / 2));
    const tooLittle = await takeUse(rateLimits, 'cost', user, { amount, most, windowMs: MINUTE });
    return tooLittle && budgetSpent(amount, tooLittle);
  }
}

const inSeconds = (milliseconds: number): number => Math.round(milliseconds / 100) / 10;

function budgetSpent(cost: number, tooLittle: TooLittleLeft): Refusal {
  const { left, most: budget, endsInMs } = tooLittle;
  const seconds = secondsUntil(endsInMs);
  return refuse(
    429,
    'cost_limit',
    `This takes about ${inSeconds(cost)} s of computing, and ${inSeconds(left)} s of the ` +
      `${inSeconds(budget)} s that ${whoHas(tooLittle, 'has')} ` +
      `a minute are left. Please try again in ${seconds} seconds.`,
    {
      data: {
        retry_after: seconds,
        cost_seconds: inSeconds(cost),
        left_seconds: inSeconds(left),
        limit_seconds: inSeconds(budget),
      },
    },
  );
}

/** For whom too many of his calls wait already. */
export function tooManyAtOnce({ inFlight, waiting }: TurnLimits): Refusal {
  return refuse(
    429,
    'too_many_at_once',
    `${inFlight} of your calls are being worked on and ${waiting} wait already. Please try again ` +
      'when some of them have ended.',
    { data: { retry_after: 1, in_flight: inFlight, waiting, left: 0 } },
  );
}
