import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = path.join(import.meta.dirname, '..', 'docs', 'decisions');
const files = readdirSync(folder).filter((name) => name !== 'README.md');
const index = readFileSync(path.join(folder, 'README.md'), 'utf8').replaceAll(/ +\|/g, ' |').split('\n');

describe('decisions', () => {
  it.each(files)('%s has a number, a title and a status, and stands in the index with them', (name) => {
    const [heading = '', , status = ''] = readFileSync(path.join(folder, name), 'utf8').split('\n');
    const [, title] = /^# (\d{4}\. .+[^.])$/.exec(heading) ?? [];
    const [, state] = /^Status: (in force|replaced by \[\d{4}\]\(.+\))\.$/.exec(status) ?? [];
    expect(title, `${name} begins with “# NNNN. Title”`).toMatch(new RegExp(`^${name.slice(0, 4)}`));
    expect(state, `${name} has the line “Status: in force.” after its title`).toBeDefined();
    expect(index, 'docs/decisions/README.md').toContain(`| [${title}](${name}) | ${state} |`);
  });

  it('have numbers of their own', () => {
    const numbers = files.map((name) => name.slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it('that were replaced name one that is there', () => {
    const links = index.flatMap((line) => [...line.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link));
    expect(links.filter((link) => !files.includes(String(link)))).toEqual([]);
  });
});
