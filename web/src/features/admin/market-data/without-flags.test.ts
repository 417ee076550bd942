import { expect, it } from 'vitest';
import { withoutFlags } from './without-flags.ts';

it('names what the page offers in place of flags of the command line', () => {
  expect(
    withoutFlags(
      'download.csv: it has no ticker column: say the ticker with --ticker, or name the file for it',
    ),
  ).toBe('download.csv: it has no ticker column: type its ticker below, or name the file for it');
  expect(
    withoutFlags(
      'a.csv does not tell. Say it with --dates day-first or --dates month-first. Nothing was changed',
    ),
  ).toBe('a.csv does not tell. Choose below. Nothing was changed');
  expect(withoutFlags('60 of 179 rows. With --allow-bad-rows the others are imported')).toBe(
    '60 of 179 rows. A switch below imports the others',
  );
  expect(
    withoutFlags(
      'Nothing was changed. With --replace these files take the place of the stored series, with ' +
        '--keep-different the stored ones stay and the rest is imported',
    ),
  ).toBe('Nothing was changed. Switches below replace the stored series, or keep them and import the rest.');
});
