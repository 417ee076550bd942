import { expect, it } from 'vitest';
import { newestFirst } from './admin-users.ts';

it('puts the newest line on top, of those at the same instant the one that came last', () => {
  const at = (second: number, text: string) => ({ at: `2026-01-01T00:00:0${second}.000Z`, text });
  const user = [at(1, 'registered'), at(1, 'plan changed'), at(3, 'signed out'), at(3, 'unlocked')];
  const client = [at(2, 'made'), at(2, 'deleted')];
  expect(newestFirst([...user, ...client]).map(({ text }) => text)).toEqual([
    'unlocked',
    'signed out',
    'deleted',
    'made',
    'plan changed',
    'registered',
  ]);
});
