import { mkdir } from 'node:fs/promises';
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';
import { STATES } from './states.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

const SCHEMES = ['light', 'dark'] as const;

/**
 * What axe finds on the page as it is, one line each. Two of its findings are none. A menu or a tooltip belongs to the control that it hangs on,
 * not to a landmark. And while a popover is open, all but its trigger is hidden from screen readers: the line around that trigger cannot be
 * called what it shows, and nobody hears it.
 */
async function violations(): Promise<string[]> {
  await editor.page.evaluate(axe.source);
  const found = await editor.page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    const isNone = (rule: string, selector: string) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own document
      const element = (globalThis as any).document.querySelector(selector);
      if (rule === 'region') return element.matches('[role=menu], [role=tooltip]');
      return rule === 'label-content-name-mismatch' && element.querySelector('[data-popup-open]') !== null;
    };
    return violations
      .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ target }) => !isNone(id, String(target[0]))) }))
      .filter(({ nodes }) => nodes.length > 0);
  });
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ''}`).join(' | ')}`,
  );
}

/** A picture of the page, for people: where `SHOTS` names a folder. */
async function picture(name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await editor.page.screenshot({ path: `${folder}/${name}.png` });
}

const stopped = () =>
  editor.page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))');

describe('every state of the editor, light and dark', () => {
  it.each([
    ['A1', 1440, 900],
    ['A2', 1024, 768],
    ['A3', 360, 740],
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
          for (const violation of await violations()) found.push(`${name}, ${colorScheme}: ${violation}`);
        }
        await editor.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        const wide = await editor.page.evaluate<number>('document.documentElement.scrollWidth');
        if (wide > width) found.push(`${name}: ${wide} pixels wide`);
        await leave?.(editor);
      }
      expect(found).toEqual([]);
    },
    600_000,
  );
});
