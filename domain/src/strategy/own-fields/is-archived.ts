import { ownFlag } from './own-field.ts';

/** Out of the way, and as usable as before. */
export const isArchived = ownFlag({
  field: 'isArchived',
  name: 'is_archived',
  description: 'Archived ones are left out of the lists',
  on: { event: 'StrategyArchived', told: 'Archived' },
  off: { event: 'StrategyUnarchived', told: 'Taken out of the archive' },
  isSeenByOthers: false,
});
