import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const listed = (...patterns: readonly string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

/**
 * Shown in CONTRIBUTING itself, and compared with it by `domain/src/kernel/projection.test.ts`: the example and its
 * place.
 */
const SHOWN_ELSEWHERE = new Map([['domain/testing/examples/stars.ts', 'domain/src/favorites/stars.ts']]);
/** The code that tests run: `WORKSPACE/testing/examples/NAME`. */
const examples = listed('*/testing/examples/*').filter((file) => !SHOWN_ELSEWHERE.has(file));
const pages = listed('docs/examples/*.md').filter((file) => path.basename(file) !== 'README.md');

interface Shown {
  readonly page: string;
  /** Where the code would stand in the product. */
  readonly place: string;
  readonly code: string;
}

/** What pages show as a whole file: its name between backticks and a colon at the end of a line, then the code. */
const shown: readonly Shown[] = pages.flatMap((page) =>
  [...read(page).matchAll(/`([^`\n]+\.tsx?)`:\n\n```tsx?\n(.*?)\n```\n/gs)].map(
    ([, place = '', code = '']) => ({ page, place, code }),
  ),
);
const placeOf = new Map([
  ...SHOWN_ELSEWHERE,
  ...shown.map(({ place }) => [exampleOf(place), place] as const),
]);

/** What other workspaces import an example by, and what they would import it by in its place. */
const nameInPlace = new Map(
  [...placeOf].map((files) => {
    const [example = '', place = ''] = files.map((file) => `@quantloom/${file.replace(/\.tsx?$/, '')}`);
    return [example, place.replace('/src/', '/')] as const;
  }),
);

/** The example that a place shows is the file of the same name in the same workspace's `testing/examples`. */
function exampleOf(place: string): string {
  return `${place.split('/')[0]}/testing/examples/${path.basename(place)}`;
}

/** The text of an example as it would stand in its place: what it imports from beside it is found from there. */
function inPlace(example: string, place: string): string {
  return read(example).replaceAll(/from '([.@][^']*)'/g, (whole, specifier: string) => {
    if (specifier.startsWith('@')) return whole.replace(specifier, nameInPlace.get(specifier) ?? specifier);
    const target = path.join(path.dirname(example), specifier);
    const from = path.relative(path.dirname(place), placeOf.get(target) ?? target);
    return `from '${from.startsWith('.') ? from : `./${from}`}'`;
  });
}

/** The numbered steps of a page: the file that is touched, and what of today's product is its model there. */
const steps = pages.flatMap((page) =>
  [...read(page).matchAll(/^\d+\. .*$/gm)].map(([line]) => {
    const [, file = '', model = ''] = /^\d+\. `([^`]+)` \(as `([^`]+)`\): /.exec(line) ?? [];
    return { page, line, file, model };
  }),
);

/**
 * What all files of the product that hold it are named for, in a page that is about another thing of its kind; and
 * how many these are at least.
 */
const COMPLETE = [
  ['docs/examples/indicator.md', /'aroon-down'/, 3],
  ['docs/examples/field.md', /\bisArchived\b|\bis_archived\b|'StrategyArchived'/, 4],
  ['docs/examples/block.md', /'wt-inverse-volatility'/, 5],
] as const;

describe('the worked examples', () => {
  it.each(shown.map(({ page, place, code }) => [place, page, code] as const))(
    '%s in %s is the code that a test runs',
    (place, _, code) => {
      expect(code).toBe(inPlace(exampleOf(place), place).trim());
    },
  );

  it('are all shown, and none twice', () => {
    expect(shown.map(({ place }) => exampleOf(place)).toSorted()).toEqual(examples.toSorted());
  });

  it('are linked from CONTRIBUTING', () => {
    expect(pages.length).toBeGreaterThan(0);
    const text = read('CONTRIBUTING.md');
    expect(pages.filter((page) => !text.includes(`](${page})`))).toEqual([]);
  });

  it.each(steps.map((step) => [step.page, step.line, step] as const))(
    'in %s have a step that can be taken: %s',
    (_, __, { file, model }) => {
      expect(model).not.toBe('');
      // A new file has another one beside it as its model; one that is there holds the model.
      if (existsSync(path.join(root, file))) expect(read(file)).toContain(model);
      else expect(existsSync(path.join(root, path.dirname(file), model))).toBe(true);
    },
  );

  it('say how many files they touch', () => {
    for (const page of pages) {
      const files = [...shown, ...steps].filter((one) => one.page === page);
      const names = new Set(files.map((one) => ('place' in one ? one.place : one.file)));
      expect(read(page), page).toContain(`**${names.size} files** by hand`);
    }
  });

  it.each(COMPLETE)('leave out no file: %s', (page, model, least) => {
    const text = read(page);
    const files = listed('*/src/**/*.ts', '*/src/**/*.tsx').filter(
      (file) => !/\.test\.tsx?$|^clients\//.test(file) && model.test(read(file)),
    );
    // A model that is found nowhere would make this pass.
    expect(files.length).toBeGreaterThanOrEqual(least);
    expect(files.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
  });
});
