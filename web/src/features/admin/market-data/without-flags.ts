/** What the command line calls a choice, and where the page offers it. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/say the ticker with --ticker, or name/g, 'type its ticker below, or name'],
  [/leave --ticker out/g, 'leave the ticker below empty'],
  [/Say it with --dates day-first or --dates month-first/g, 'Choose below'],
  [/Say it with --decimal comma or --decimal point/g, 'Choose below'],
  [/With --allow-bad-rows the others are imported/g, 'A switch below imports the others'],
  [
    / ?With --replace these files take the place of the stored series, with --keep-different the stored ones stay and the rest is imported\.?/g,
    ' Switches below replace the stored series, or keep them and import the rest.',
  ],
];

/** A sentence of an import for the page: it names its own buttons where the command line has flags. */
export const withoutFlags = (sentence: string): string =>
  PLACES.reduce((text, [flag, place]) => text.replace(flag, place), sentence);
