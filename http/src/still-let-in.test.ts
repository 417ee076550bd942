import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from './principal.ts';
import { createServer } from './server.ts';

describe('an answer that goes on', () => {
  it('knows when its caller would be let in no more, and keeps him while nobody can say', async () => {
    let outcome: 'in' | 'disabled' | 'away' = 'in';
    const server = createServer({
      authenticate: async () => {
        if (outcome === 'disabled') throw new RefusalError(refuse(403, 'account_disabled', 'Disabled.'));
        if (outcome === 'away') throw new UnavailableError('no answer');
        return null;
      },
    });
    server.get('/api/v1/on', async ({ isStillLetIn }) => {
      const found: Record<string, boolean | undefined> = {};
      for (const next of ['in', 'disabled', 'away'] as const) {
        outcome = next;
        found[next] = await isStillLetIn?.();
      }
      return found;
    });
    expect((await server.inject('/api/v1/on')).json()).toEqual({ in: true, disabled: false, away: true });
    await server.close();
  });
});
