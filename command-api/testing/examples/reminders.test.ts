import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountStrategies } from '../../src/routes/strategies.ts';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import { mountReminders } from './reminders.ts';

describe('reminders over HTTP', () => {
  let server: MemoryServer;
  let address: string;
  // The clock of this server stands on 2026-03-04.
  beforeAll(async () => {
    server = await openMemoryServer((app, deps) => {
      mountStrategies(app, deps);
      mountReminders(app, deps);
    });
    const algorithm = { id: 'r', node_type: 'root', name: 'Hold', children: [] };
    const created = await server.call('free', 'POST', '/trading-bots', { name: 'Hold', algorithm });
    address = `/trading-bots/${created.body.id}/reminder`;
  });
  afterAll(() => server.app.close());

  it('are written down', async () => {
    const answer = await server.call('free', 'POST', address, { day: '2026-03-05' });
    expect(answer).toMatchObject({ status: 200, body: { day: '2026-03-05' } });
    expect(server.eventStore.events.at(-1)).toMatchObject({
      type: 'ReminderSet',
      data: { strategyId: answer.body.strategy_id, day: '2026-03-05' },
    });
  });

  it('are refused by the decider, by the form of the body, and to others than the owner', async () => {
    const refused = { day: '2026-03-04' };
    expect((await server.call('free', 'POST', address, refused)).body.code).toBe('reminder_not_ahead');
    expect((await server.call('free', 'POST', address, { day: 'soon' })).status).toBe(400);
    const byOther = await server.call('other', 'POST', address, { day: '2026-03-05' });
    expect(byOther).toMatchObject({ status: 404, body: { code: 'strategy_not_found' } });
  });
});
