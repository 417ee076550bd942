import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { expect, it } from 'vitest';
import { CommandError, errorBody } from './command-error.ts';

it('a failed command prints what the API would answer', () => {
  const problems = [{ field: 'variables.$A', message: 'is empty' }] as never;
  expect(errorBody(new RefusalError(refuse(400, 'invalid_request', 'That is wrong', { problems })))).toEqual({
    ...{ status: 400, error: 'That is wrong', code: 'invalid_request' },
    errors: problems,
  });
  expect(errorBody(new RefusalError(refuse(404, 'batch_not_found', 'There is none')))).toEqual({
    ...{ status: 404, error: 'There is none', code: 'batch_not_found' },
  });
  expect(errorBody(new CommandError(409, 'The product is running'))).toEqual({
    ...{ status: 409, error: 'The product is running' },
  });
  const unwritable = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  expect(errorBody(unwritable)).toEqual({ status: 500, error: 'no room', code: 'ENOSPC' });
  expect(errorBody(Object.assign(new Error('odd'), { code: 7 }))).toEqual({ status: 500, error: 'odd' });
  expect(errorBody('text')).toEqual({ status: 500, error: 'text' });
  expect(errorBody(null)).toEqual({ status: 500, error: 'null' });
});
