import { expect, it } from 'vitest';
import { fileNameOf } from './file-names.ts';

it.each([
  ['Momentum 60/40', 'Momentum 60_40-01J'],
  ['../../etc/passwd', '_.._etc_passwd-01J'],
  ['C:\\Windows\\*?"<>|', 'C__Windows_______-01J'],
  ['CON', '_CON-01J'],
  ['con.txt', '_con.txt-01J'],
  ['LPT1 .x', '_LPT1 .x-01J'],
  ['console', 'console-01J'],
  ['  name. . ', 'name-01J'],
  ['...', '01J'],
  ['', '01J'],
  ['🚀 Rakete\n2', '🚀 Rakete_2-01J'],
  ['half a \ud83d sign', 'half a _ sign-01J'],
  ['gpj\u202Eexe', 'gpj_exe-01J'],
])('%j is the file %j', (name, file) => expect(fileNameOf(name, '01J')).toBe(file));

it('cuts a long name by characters and by bytes, never inside a character', () => {
  expect(fileNameOf('x'.repeat(200), '01J')).toBe(`${'x'.repeat(60)}-01J`);
  expect(fileNameOf('🚀'.repeat(200), '01J')).toBe(`${'🚀'.repeat(30)}-01J`);
});

it('does not end with a space where the cut falls before a word', () => {
  expect(fileNameOf(`${'x'.repeat(59)} word`, '01J')).toBe(`${'x'.repeat(59)}-01J`);
});
