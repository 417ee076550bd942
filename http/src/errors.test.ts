import { AppendTooLargeError } from '@quantloom/domain/ports/event-store';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { registerErrorHandling } from './errors.ts';

async function answerTo(error: Error) {
  const app = Fastify() as unknown as FastifyInstance;
  registerErrorHandling(app);
  app.get('/', () => Promise.reject(error));
  const answer = await app.inject('/');
  await app.close();
  return { status: answer.statusCode, retry: answer.headers['retry-after'], body: answer.json() as unknown };
}

it('asks to try again where a server is away, also behind another error, without saying where it is', async () => {
  const away = new DependencyAwayError('eventStore', 'connect ECONNREFUSED 10.0.0.7:2113');
  const body = {
    error: 'The event log does not answer just now. Please try again in a moment.',
    code: 'unavailable',
  };
  for (const error of [away, new Error('the step failed', { cause: away })]) {
    const answer = await answerTo(error);
    expect(answer).toMatchObject({ status: 503, retry: '2', body });
    expect(JSON.stringify(answer)).not.toContain('10.0.0.7');
  }
});

it('says that the disk is full where that is why a store of this server is away', async () => {
  const full = new Error('IO Error: Could not write file: No space left on device');
  expect(await answerTo(new DependencyAwayError('results', full.message, { cause: full }))).toMatchObject({
    status: 507,
    body: { code: 'disk_full' },
  });
});

it('says in words that something is larger than the log takes', async () => {
  expect(await answerTo(new AppendTooLargeError('strategy-1: no append of this size'))).toMatchObject({
    status: 413,
    body: { code: 'too_large_for_log', error: expect.stringContaining('larger than the event log') },
  });
});
