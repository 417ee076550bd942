import { Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { REBALANCE_PERIODS } from '../../portfolio/combine.ts';
import { MOST_MEMBERS, type Portfolio } from '../../portfolio/portfolio.ts';
import { defineRoute } from './route.ts';

const tag = 'Account';
/** What somebody can spend is nobody else’s business, and no program’s. */
const person = { kind: 'user', machine: false } as const;

const PreferencesSchema = Type.Object({
  amount: said(
    'Money in each followed strategy, in dollars; null: none was typed.',
    Type.Union([Type.Number({ minimum: 0.01, maximum: 1e12 }), Type.Null()]),
  ),
  portfolio: said(
    'Strategies that are held together; null: none was saved.',
    Type.Union([
      Type.Object({
        members: Type.Array(
          Type.Object({
            strategy_id: Type.String({ minLength: 1, maxLength: 100 }),
            percent: said(
              'Weight; all of them add up to 100 at most, the rest is cash.',
              Type.Number({ minimum: 0, maximum: 100 }),
            ),
          }),
          { maxItems: MOST_MEMBERS },
        ),
        rebalance: said('When money is moved between them.', Type.Enum([...REBALANCE_PERIODS])),
      }),
      Type.Null(),
    ]),
  ),
});

/** What is kept, as it is answered; null: nothing was ever kept. */
export function preferencesAnswer(
  kept: { readonly amount: number | null; readonly portfolio: Portfolio | null } | null,
) {
  const { amount, portfolio } = kept ?? { amount: null, portfolio: null };
  return {
    amount,
    portfolio: portfolio && {
      members: portfolio.members.map(({ strategyId, percent }) => ({ strategy_id: strategyId, percent })),
      rebalance: portfolio.rebalance,
    },
  };
}

const EXAMPLE = {
  amount: 2500,
  portfolio: {
    members: [{ strategy_id: '01KBSTRATEGY00000000000001', percent: 60 }],
    rebalance: 'monthly' as const,
  },
};

export const getPreferences = defineRoute({
  id: 'getPreferences',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/preferences',
  side: 'query',
  tag,
  summary: 'What the caller has typed once for all devices',
  access: person,
  answer: PreferencesSchema,
  example: { answer: EXAMPLE },
});

export const changePreferences = defineRoute({
  id: 'changePreferences',
  method: 'PATCH',
  path: '/api/v1/preferences',
  side: 'command',
  tag,
  summary: 'Keeps what the caller has typed for all devices; what is left out stays as it is',
  access: person,
  body: Type.Partial(PreferencesSchema, { minProperties: 1 }),
  answer: PreferencesSchema,
  status: 200,
  example: { body: EXAMPLE, answer: EXAMPLE },
});
