import { describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import { buildSwitch } from './build-by-clicking.ts';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

const chart = () => editor.page.getByRole('img', { name: /^Return of the strategy/ });

describe('accessibility and size', () => {
  it('Z1 has no violations on any tab, in light and dark', async () => {
    await buildSwitch(editor);
    await editor.run();
    await chart().waitFor();
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await editor.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Whoever wants no motion gets the other theme at once.
      const moving = 'document.getAnimations().filter((one) => one instanceof CSSTransition).length';
      expect(await editor.page.evaluate<number>(moving)).toBe(0);
      for (const tab of ['Overview', 'Allocation History', 'Indicator History', 'Metrics']) {
        await editor.page.getByRole('link', { name: tab, exact: true }).click();
        await editor.page.locator('.js-plotly-plot .main-svg').first().waitFor();
        // A pixel too high for their place, the tabs would have a scrollbar wherever those take room.
        const tabs = editor.page.getByRole('navigation', { name: 'Editor' });
        expect(await tabs.evaluate((nav) => nav.scrollHeight - nav.clientHeight)).toBe(0);
        for (const violation of await violations(editor.page))
          found.push(`${colorScheme} ${tab}: ${violation}`);
      }
    }
    expect(found).toEqual([]);
  });
  it('Z2 stays within the window at 360 pixels', async () => {
    await buildSwitch(editor);
    await editor.page.setViewportSize({ width: 360, height: 740 });
    await editor.run();
    const width = await editor.page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBe(360);
  });
  it('Z3 a tree of 2,000 blocks draws only what is in sight, and jumps to its end', async () => {
    const asset = (index: number) => ({
      id: `node_asset${index}`,
      node_type: 'asset',
      weight: { num: 0, den: 100 },
      is_collapsed: false,
      ticker: index % 2 ? 'SPY' : 'TLT',
      name: '',
    });
    const groups = Array.from({ length: 100 }, (_, index) => ({
      id: `node_group${index}`,
      node_type: 'group',
      name: `Group ${index}`,
      weight: { num: 100, den: 100 },
      is_collapsed: false,
      children: Array.from({ length: 19 }, (_, child) => asset(index * 19 + child)),
    }));
    await editor.importTree({ ...(await editor.algorithm()), name: 'Large', children: groups });
    await editor.page.getByLabel('Group name').first().waitFor();
    expect(await editor.tree.getByRole('treeitem').count()).toBeLessThan(150);
    await editor.line('strategy').focus();
    await editor.page.keyboard.press('End');
    await editor.focused(editor.tree.locator('[data-key^=node_group99]'));
    expect(await editor.tree.getByRole('treeitem').count()).toBeLessThan(150);
    // What a collapsed group holds is kept for its return: unseen, unread and without the focus.
    await editor.page.keyboard.press('Home');
    const group = editor.tree.locator('[data-key=node_group0]');
    const asset0 = editor.tree.locator('[data-key=node_asset0]');
    await group.focus();
    await editor.page.keyboard.press('ArrowLeft');
    await asset0.waitFor({ state: 'hidden' });
    expect(await editor.tree.getByRole('treeitem').and(asset0).count()).toBe(0);
    expect(await asset0.count()).toBe(1);
    expect(await violations(editor.page)).toEqual([]);
    await editor.page.keyboard.press('ArrowRight');
    await asset0.waitFor();
    await asset0.focus();
    await editor.page.keyboard.press('Control+z');
    await asset0.waitFor({ state: 'hidden' });
    await editor.focused(editor.tree.locator('[role=treeitem]:not([aria-hidden])'));
  });
});
