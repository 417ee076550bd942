import { describe, expect, test } from 'vitest';
import { FIELDS } from '../../strategy/block-table.ts';
import { COMMON_FIELDS } from '../../strategy/node-fields.ts';
import { BacktestBody } from '../http/backtests.ts';
import { CreateBatchBody, EstimateBody } from '../http/batches.ts';
import { createTradingBot, importStrategy, UpdateTradingBotBody } from '../http/strategies.ts';
import { BACKTEST_SCHEMAS } from './backtest.ts';
import { DOCUMENTED_SCHEMAS, NAMED_SCHEMAS } from './named-schemas.ts';
import { REQUEST_SCHEMAS } from './requests.ts';
import { BLOCK_SCHEMAS, STRATEGY_SCHEMAS } from './strategy.ts';

const fieldsOf = (schema: unknown) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).sort();

describe('the documented schemas', () => {
  test('of a strategy name the fields that are read, and no other', () => {
    const named = {
      root: 'Strategy',
      condition: 'Condition',
      'condition-group': 'ConditionGroup',
      ...BLOCK_SCHEMAS,
    };
    for (const [type, name] of Object.entries(named)) {
      const expected = [...COMMON_FIELDS, ...(FIELDS[type] ?? [])].sort();
      expect(fieldsOf(STRATEGY_SCHEMAS[name]), type).toEqual(expected);
    }
    for (const type of Object.keys(FIELDS)) expect(named).toHaveProperty([type]);
  });

  test.each([
    ['BacktestRequest', BacktestBody],
    ['EstimateRequest', EstimateBody],
    ['BatchRequest', CreateBatchBody],
    ['NewTradingBot', createTradingBot.body],
    ['TradingBotChange', UpdateTradingBotBody],
    ['ImportRequest', importStrategy.body],
  ])('%s names only fields that its contract takes', (name, contract) => {
    for (const field of fieldsOf(REQUEST_SCHEMAS[name])) expect(fieldsOf(contract)).toContain(field);
  });

  test('refer to nothing that is not there, and each name means one thing', () => {
    const names = new Set([...Object.keys(DOCUMENTED_SCHEMAS), ...Object.keys(NAMED_SCHEMAS)]);
    expect(names.size).toBe(Object.keys(DOCUMENTED_SCHEMAS).length + Object.keys(NAMED_SCHEMAS).length);
    for (const [, name = ''] of JSON.stringify([DOCUMENTED_SCHEMAS, NAMED_SCHEMAS]).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    ))
      expect(names).toContain(name);
  });

  test('say of every field what it is', () => {
    for (const [name, schema] of Object.entries({ ...STRATEGY_SCHEMAS, ...REQUEST_SCHEMAS }))
      for (const [field, inner] of Object.entries((schema.properties ?? {}) as Record<string, object>))
        expect(
          'description' in inner || '$ref' in inner || 'const' in inner || 'anyOf' in inner,
          `${name}.${field}`,
        ).toBe(true);
    expect(Object.values(BACKTEST_SCHEMAS).every(({ description }) => typeof description === 'string')).toBe(
      true,
    );
  });
});
