import { describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

/** For people to look at, where `SCREENSHOTS` names a folder. */
async function picture(name: string): Promise<void> {
  if (process.env.SCREENSHOTS)
    await editor.page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
}

/** 40 groups of 19 assets, too many lines to be drawn at once; a few of them are GLD, and the last group is closed. */
async function openLarge(): Promise<void> {
  const block = (more: object) => ({ weight: { num: 100, den: 100 }, is_collapsed: false, ...more });
  const children = Array.from({ length: 40 }, (_, group) =>
    block({
      id: `node_group${group}`,
      node_type: 'group',
      name: `Group ${group}`,
      is_collapsed: group === 39,
      children: Array.from({ length: 19 }, (_, asset) =>
        block({
          id: `node_asset${group}x${asset}`,
          node_type: 'asset',
          ticker: asset === 7 && group % 13 === 0 ? 'GLD' : 'SPY',
          name: '',
        }),
      ),
    }),
  );
  await editor.importTree({ ...(await editor.algorithm()), name: 'Large', children });
  await editor.page.getByLabel('Group name').first().waitFor();
}

/** How far the tree is scrolled, in pixels. */
const scrolled = (): Promise<number> =>
  editor.tree.evaluate((tree) => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own elements
    let element: any = tree;
    while (element && element.scrollTop === 0) element = element.parentElement;
    return element?.scrollTop ?? 0;
  });

describe('a search in the tree', () => {
  it('J1 finds lines that are not drawn and lines in closed groups, by keyboard alone', async () => {
    await openLarge();
    await editor.line('strategy').focus();
    await editor.page.keyboard.press('Control+f');
    const bar = editor.page.getByRole('search', { name: 'Find in the strategy' });
    const field = bar.getByRole('searchbox');
    await editor.focused(field);
    await editor.page.keyboard.type('gld');
    await bar.getByText('4 found', { exact: true }).waitFor();
    await editor.page.keyboard.press('Enter');
    await editor.focused(editor.tree.locator('[data-key=node_asset0x7]'));
    await bar.getByText('1 of 4', { exact: true }).waitFor();
    await editor.page.keyboard.press('F3');
    await editor.focused(editor.tree.locator('[data-key=node_asset13x7]'));
    // The bar does not lie over what it has found.
    const line = await editor.tree.locator('[data-key=node_asset13x7]').boundingBox();
    const above = await bar.boundingBox();
    expect(line?.y ?? 0).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    await picture('find-1440');
    await editor.page.keyboard.press('Shift+F3');
    await editor.page.keyboard.press('Shift+F3');
    await editor.focused(editor.tree.locator('[data-key=node_asset39x7]'));
    await bar.getByText('4 of 4', { exact: true }).waitFor();
    expect(await violations(editor.page)).toEqual([]);
    await editor.page.keyboard.press('Control+f');
    await editor.focused(field);
    // The page stays where it is, whatever is typed.
    const before = await scrolled();
    await editor.page.keyboard.type('nowhere');
    expect(await scrolled()).toBe(before);
    expect(before).toBeGreaterThan(1_000);
    await bar.getByText('0 found', { exact: true }).waitFor();
    await editor.page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await editor.focused(editor.tree.locator('[data-key=node_asset39x7]'));
  });

  it('J2 is offered in the menu of commands, and works by touch on a phone in the dark', async () => {
    await editor.addAsset('SPY');
    await editor.page.setViewportSize({ width: 360, height: 740 });
    await editor.page.emulateMedia({ colorScheme: 'dark' });
    await editor.page.keyboard.press('Escape');
    await editor.page.keyboard.press('Control+k');
    await editor.page.keyboard.type('find in');
    await editor.page.getByRole('option', { name: /Find in the strategy/ }).click();
    const bar = editor.page.getByRole('search', { name: 'Find in the strategy' });
    await editor.focused(bar.getByRole('searchbox'));
    await editor.page.keyboard.type('spy');
    await bar.getByText('1 found', { exact: true }).waitFor();
    await bar.getByRole('button', { name: /^The next line/ }).click();
    await bar.getByText('1 of 1', { exact: true }).waitFor();
    await picture('find-360-dark');
    expect(await editor.page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    await bar.getByRole('button', { name: 'Close the search' }).click();
    await bar.waitFor({ state: 'detached' });
  });
});
