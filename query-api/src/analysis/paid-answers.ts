import { type Refusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import { costOfRows } from '@quantloom/domain/limits/cost';
import { type CostMeter, tooManyAtOnce } from '@quantloom/http/costs';
import { Turns } from '@quantloom/http/turns';
import { AnswerCache } from './answer-cache.ts';

/**
 * Analyses of one user that are worked on at the same time: two threads do them for all users, in the order
 * they come.
 */
const AT_ONCE = { inFlight: 2, waiting: 64 };

/**
 * What a pass over the rows takes: as much as sorting them, or as much as writing them into a file where each
 * row's neighbours are looked at.
 */
const FORMS = { quick: 'page', slow: 'file' } as const;

export interface Question {
  readonly name: string;
  readonly takes: keyof typeof FORMS;
}

interface AskedBy {
  readonly query: unknown;
  readonly cost: CostMeter;
  readonly principal: { readonly userId: string };
}

/**
 * Answers about the rows of a batch, each computed once. What is kept costs nothing more; what has to be
 * computed costs by rows, and a user's questions take turns: there are as many as bounds and orders, so that
 * a loop of them has no end by itself.
 */
export class PaidAnswers {
  private readonly kept = new AnswerCache();
  private readonly turns = new Turns();

  /**
   * The kept answer, or a computed one; a refusal where the caller's budget has not enough left for it.
   *
   * @throws RefusalError of status 429 where too many of the caller's questions wait; it is not kept
   */
  async answer<T>(
    { query, cost, principal }: AskedBy,
    batch: { readonly id: string; readonly combinations: number },
    { name, takes }: Question,
    compute: () => Promise<T>,
  ): Promise<T | Refusal> {
    const key = [batch.id, name, query];
    if (!this.kept.has(key)) {
      const refused = await cost.expect(costOfRows(batch.combinations, FORMS[takes]));
      if (refused) return refused;
    }
    return await this.kept.of(key, async () => {
      const end = await this.turns.take(principal.userId, AT_ONCE);
      if (end === null) throw new RefusalError(tooManyAtOnce(AT_ONCE));
      try {
        return await compute();
      } finally {
        end();
      }
    });
  }
}
