import { expect, it } from 'vitest';
import { reportCommand } from './data-report.ts';

it('names a command that can be pasted, as this one was called', () => {
  expect(reportCommand('v7', {})).toBe('quantloom data report v7 --json');
  expect(reportCommand('v7', { npm_lifecycle_event: 'data' })).toBe('npm run -s data -- report v7 --json');
  expect(reportCommand('v7', { npm_lifecycle_event: 'data', DATA_DIR: "/srv/it's here" })).toBe(
    "DATA_DIR='/srv/it'\\''s here' npm run -s data -- report v7 --json",
  );
});
