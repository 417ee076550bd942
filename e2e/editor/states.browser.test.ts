import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';
import { STATES } from './states.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

const SCHEMES = ['light', 'dark'] as const;

/** A picture of the page, for people: where `SHOTS` names a folder. */
async function picture(name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await editor.page.screenshot({ path: `${folder}/${name}.png` });
}

/** Whether they ran to their end or were given up for others. */
const stopped = () =>
  editor.page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished))');

describe('every state of the editor, light and dark', () => {
  it.each([
    ['Q1', 1440, 900],
    ['Q2', 1024, 768],
    ['Q3', 360, 740],
  ])(
    '%s has no violation that axe finds and nothing wider than the window at %d by %d',
    async (_code, width, height) => {
      await editor.page.setViewportSize({ width, height });
      await editor.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      const found: string[] = [];
      for (const { name, enter, leave } of STATES) {
        await enter(editor);
        for (const colorScheme of SCHEMES) {
          await editor.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await stopped();
          await picture(`${width}-${name}-${colorScheme}`);
          for (const violation of await violations(editor.page))
            found.push(`${name}, ${colorScheme}: ${violation}`);
        }
        await editor.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        const wide = await editor.page.evaluate<number>('document.documentElement.scrollWidth');
        if (wide > width) found.push(`${name}: ${wide} pixels wide`);
        await leave?.(editor);
      }
      expect(found).toEqual([]);
    },
    1_800_000,
  );
});
