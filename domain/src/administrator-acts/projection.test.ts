import { describe, expect, it } from 'vitest';
import type { Actor, RecordedEvent } from '../kernel/event.ts';
import { administratorActsProjection } from './projection.ts';

const BOSS: Actor = { kind: 'user', userId: 'boss' };
const ANN: Actor = { kind: 'user', userId: 'ann' };
const LINE: Actor = { kind: 'system', name: 'command line' };

const event = (type: string, actor: Actor, data: object = {}): RecordedEvent =>
  ({
    id: 'e1',
    stream: 'user-ann',
    revision: 3,
    position: 12n,
    type,
    data: { userId: 'ann', ...data },
    metadata: { actor, recordedAt: '2026-01-02T03:04:05.000Z', correlationId: 'c', schemaVersion: 1 },
  }) as unknown as RecordedEvent;

describe('acts of administrators', () => {
  it('are what others did to an account, not what its owner or his billing provider did', () => {
    const isAct = (...given: Parameters<typeof event>) =>
      administratorActsProjection.keys(event(...given)).length === 1;
    expect(isAct('AccountDisabled', BOSS)).toBe(true);
    expect(isAct('UserPlanChanged', BOSS, { source: 'administrator' })).toBe(true);
    expect(isAct('AccountDeletionRequested', LINE)).toBe(true);
    // What an administrator gives to himself is an act, too.
    expect(isAct('UserFeatureGranted', ANN)).toBe(true);
    expect(isAct('UserPlanChanged', ANN, { source: 'user' })).toBe(false);
    expect(isAct('UserPlanChanged', { kind: 'system', name: 'billing' }, { source: 'provider' })).toBe(false);
    expect(isAct('AccountDeletionRequested', ANN)).toBe(false);
    expect(isAct('AccountDeletionUndone', ANN)).toBe(false);
  });

  it('keep who, what, to whom and when, and no word that was written about the person', () => {
    const disabled = event('AccountDisabled', BOSS, { reason: 'Ann said something' });
    expect(administratorActsProjection.evolve(null, disabled, 'e1')).toEqual({
      id: 'e1',
      order: '00000000000000000012',
      at: '2026-01-02T03:04:05.000Z',
      act: 'AccountDisabled',
      actorId: 'boss',
      actorName: null,
      userId: 'ann',
      stream: 'user-ann',
      revision: 3,
    });
    const byLine = administratorActsProjection.evolve(null, event('AccountEnabled', LINE), 'e1');
    expect(byLine).toMatchObject({ actorId: null, actorName: 'command line' });
  });
});
