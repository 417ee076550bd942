import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { describe, expect, it } from 'vitest';
import { createActor, fromPromise, waitFor } from 'xstate';
import { runMachine } from './run.machine.ts';

const request = { start_date: '2020-01-01', end_date: '2021-01-01' } as BacktestRequest;
const answer = { metrics: {} } as BacktestAnswer;

function start(run: () => Promise<BacktestAnswer>) {
  return createActor(runMachine.provide({ actors: { run: fromPromise(run) } })).start();
}

describe('a run', () => {
  it('goes from idle over running to results', async () => {
    const actor = start(async () => answer);
    expect(actor.getSnapshot().value).toBe('idle');
    actor.send({ type: 'user.run', request });
    expect(actor.getSnapshot().value).toBe('running');
    const { context } = await waitFor(actor, (state) => state.matches('results'));
    expect(context.answer).toBe(answer);
    expect(context.answered).toBe(request);
    expect(context.finishedAt).not.toBeNull();
  });
  it('clears the results when the user runs again, keeps them when a change does', async () => {
    const actor = start(async () => answer);
    actor.send({ type: 'user.run', request });
    await waitFor(actor, (state) => state.matches('results'));
    actor.send({ type: 'auto.run', request });
    expect(actor.getSnapshot().context.answer).toBe(answer);
    actor.send({ type: 'user.run', request });
    expect(actor.getSnapshot().context.answer).toBeNull();
  });
  it('has no results after a failure', async () => {
    let runs = 0;
    const actor = start(async () => {
      if (++runs > 1) throw new Error('broken');
      return answer;
    });
    actor.send({ type: 'user.run', request });
    await waitFor(actor, (state) => state.matches('results'));
    actor.send({ type: 'auto.run', request });
    const { context } = await waitFor(actor, (state) => state.matches('error'));
    expect(context.answer).toBeNull();
  });
  it('takes an answer that is none for a failure', async () => {
    const actor = start(async () => null as unknown as BacktestAnswer);
    actor.send({ type: 'user.run', request });
    const { context } = await waitFor(actor, (state) => state.matches('error'));
    expect(context.answer).toBeNull();
    expect(context.finishedAt).not.toBeNull();
  });
  it('shows the newest run when one replaces another', async () => {
    const releases: ((value: BacktestAnswer) => void)[] = [];
    const actor = start(() => new Promise((resolve) => releases.push(resolve)));
    actor.send({ type: 'user.run', request });
    actor.send({ type: 'user.run', request });
    const newest = { metrics: {} } as BacktestAnswer;
    releases[1]?.(newest);
    releases[0]?.(answer);
    const { context } = await waitFor(actor, (state) => state.matches('results'));
    expect(context.answer).toBe(newest);
  });
  it('keeps the results before it to compare with, but not those of an earlier revision', async () => {
    const runs: BacktestAnswer[] = [];
    const actor = start(async () => {
      const made = { metrics: {} } as BacktestAnswer;
      runs.push(made);
      return made;
    });
    const ended = () => waitFor(actor, (state) => state.matches('results'));
    actor.send({ type: 'user.run', request });
    expect((await ended()).context.before).toBeNull();
    const earlier = { ...request, start_date: '2010-01-01' };
    actor.send({ type: 'user.run', request: earlier, label: 'Revision 3' });
    expect((await ended()).context.before).toEqual({ request, answer: runs[0] });
    actor.send({ type: 'user.run', request });
    expect((await ended()).context.before?.answer).toBe(runs[0]);
    actor.send({ type: 'user.run', request });
    expect((await ended()).context.before?.answer).toBe(runs[2]);
  });
  it('is of the strategy again when a change of it runs after an earlier revision', async () => {
    const actor = start(async () => answer);
    actor.send({ type: 'user.run', request, label: 'Revision 3' });
    expect((await waitFor(actor, (state) => state.matches('results'))).context.label).toBe('Revision 3');
    actor.send({ type: 'auto.run', request });
    expect(actor.getSnapshot().context.label).toBeNull();
  });
});
