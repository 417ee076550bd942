import { describe, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { buildSwitch } from './build-by-clicking.ts';
import type { EditorPage } from './editor-page.ts';
import { editorSuite } from './editor-suite.ts';

let editor: EditorPage;
editorSuite((suite) => {
  ({ editor } = suite);
});

/** A picture of the page, for people: where `SCREENSHOTS` names a folder. */
async function picture(name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await editor.page.screenshot({ path: `${folder}/${name}.png` });
}

const chart = () => editor.page.getByRole('img', { name: /^Return of the strategy/ });

/** Whole lines of blocks and conditions within the window. */
async function linesInSight(): Promise<number> {
  return await editor.tree.getByRole('treeitem').evaluateAll(
    (lines) =>
      lines.filter((line) => {
        const { top, bottom, height, left } = line.getBoundingClientRect();
        const column = line.closest('[data-column]')?.getBoundingClientRect();
        if (
          height === 0 ||
          top < (column?.top ?? 0) ||
          bottom > (line.ownerDocument.defaultView?.innerHeight ?? 0)
        )
          return false;
        const over = line.ownerDocument.elementFromPoint(left + 2, (top + bottom) / 2);
        return over !== null && line.contains(over);
      }).length,
  );
}

describe('results in the tree', () => {
  it('U1 each line ends with the days it was held, what it earned and how often it won; a dead branch says so', async () => {
    await buildSwitch(editor);
    const { request, answer } = await editor.run();
    expect(request.include.attribution).toBe(true);
    await chart().waitFor();
    const spy = editor.line('SPY').locator('[id$=-attribution] > *');
    const { blocks } = answer.attribution;
    const found = blocks[(await editor.line('SPY').getAttribute('data-node')) ?? ''];
    const days = answer.history.timestamps.length;
    expect(await spy.textContent()).toContain(`${Math.round((100 * found.days) / days)}%`);
    expect(await spy.textContent()).toContain(`${Math.round(100 * found.hit_rate)}%`);
    expect(await spy.getAttribute('title')).toContain(`${found.days} of ${days} days`);
    const costs = (100 * answer.attribution.costs).toFixed(2);
    await editor.page.getByText(`Costs took ${costs}%`).waitFor();
    await picture('attribution-1440');
    await editor.page.emulateMedia({ colorScheme: 'dark' });
    await picture('attribution-1440-dark');
    await editor.page.emulateMedia({ colorScheme: 'light' });
    // RSI is never above 100: the branch below is dead.
    await editor.line('RSI(SPY, 10) > 50').getByRole('button', { name: /^RSI/ }).click();
    await editor.page.getByLabel('Fixed value', { exact: true }).fill('100');
    await editor.done();
    await editor.run();
    await editor.line('SPY').getByText('never taken').waitFor();
    await picture('never-taken-1440');
  });

  it('U2 at 1440 by 900 at least 20 lines stand beside the chart, and 15 below it when it is folded to a strip', async () => {
    await editor.page.setViewportSize({ width: 1440, height: 900 });
    await editor.page.evaluate(`localStorage.setItem('editor:chart', 'true')`);
    await buildSwitch(editor);
    for (let index = 0; index < 12; index++) {
      await editor.line('TLT').first().focus();
      await editor.page.keyboard.press('Control+d');
    }
    await editor.line('SPY').first().focus();
    for (let index = 0; index < 12; index++) await editor.page.keyboard.press('Control+d');
    await editor.run();
    await chart().waitFor();
    const box = await chart().boundingBox();
    expect(box?.height).toBe(300);
    expect(box?.width).toBeGreaterThan(380);
    expect((box?.y ?? 900) + 300).toBeLessThan(900);
    expect(await linesInSight()).toBeGreaterThanOrEqual(20);
    await picture('beside-1440');
    await editor.button('Fold chart to a strip').click();
    await until(
      async () => (await chart().boundingBox())?.height,
      (height) => height !== 300,
    );
    expect(await linesInSight()).toBeGreaterThanOrEqual(15);
    await picture('strip-1440');
    await editor.button('Unfold chart').click();
    await editor.page.setViewportSize({ width: 1024, height: 800 });
    await picture('stacked-1024');
    await editor.page.setViewportSize({ width: 360, height: 740 });
    expect(await editor.page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    await picture('phone-360');
  });

  it('U3 Alt S shows how Sharpe and return change around a number, and makes it a variable', async () => {
    await buildSwitch(editor);
    await editor.run();
    await editor.line('RSI(SPY, 10) > 50').focus();
    const [response] = await Promise.all([
      editor.page.waitForResponse((one) => one.url().endsWith('/backtests/sensitivity')),
      editor.page.keyboard.press('Alt+s'),
    ]);
    expect(response.status()).toBe(200);
    const panel = editor.page.getByRole('dialog', { name: 'How much depends on its numbers' });
    await panel.getByText(/^10, as it stands: Sharpe/).waitFor();
    expect(await panel.getByRole('table', { name: 'Figures by number' }).getByRole('row').count()).toBe(21);
    await panel.getByText('Takes no quota.', { exact: false }).waitFor();
    await panel.getByRole('button', { name: /^50/ }).click();
    await panel.getByText(/^50, as it stands: Sharpe/).waitFor();
    await picture('sensitivity-1440');
    await panel.getByRole('button', { name: 'Make 50 a variable' }).click();
    await editor.page.getByText('$RSI_LEVEL_50').first().waitFor();
    await editor.button('Undo: Make 50 a variable').click();
    await editor.line('RSI(SPY, 10) > 50').waitFor();
  });

  it('U4 neighbours of a saved strategy are told to be trials', async () => {
    await buildSwitch(editor);
    await editor.run();
    await editor.save();
    await editor.line('RSI(SPY, 10) > 50').focus();
    await editor.page.keyboard.press('Alt+s');
    await editor.page.getByText(/19 neighbours count as trials of this strategy/).waitFor();
  });

  it('U5 a run made before the first save is remembered: in the list, and when the strategy is opened again', async () => {
    await buildSwitch(editor);
    const { answer } = await editor.run();
    const recorded = editor.page.waitForResponse(
      (one) =>
        one.url().endsWith('/api/v1/backtests') && one.request().postDataJSON().strategy_id !== undefined,
    );
    const id = await editor.save();
    expect((await recorded).status()).toBe(200);
    await editor.page.getByRole('link', { name: 'Drafts', exact: true }).first().click();
    const sharpe = answer.metrics.sharpe.toFixed(2);
    await editor.page.getByRole('row').filter({ hasText: sharpe }).first().waitFor();
    await editor.go(`/editor/${id}`);
    await chart().waitFor();
  });
  it('U6 a new strategy says how to begin, until it holds a block', async () => {
    const ways = editor.page.getByRole('region', { name: 'Ways to start' });
    await ways.getByRole('button', { name: 'Type it' }).click();
    await editor.page.getByRole('dialog', { name: 'Type a block' }).waitFor();
    await editor.escape();
    await ways.getByRole('button', { name: 'Import a file' }).click();
    await editor.page.getByRole('dialog', { name: 'Import a strategy' }).waitFor();
    await editor.escape();
    await ways.getByRole('button', { name: 'Choose an asset' }).click();
    await editor.pick('SPY');
    await ways.waitFor({ state: 'detached' });
    expect(await editor.lines()).toContain('SPY');
    await editor.page.keyboard.press('Control+z');
    await ways.getByRole('link', { name: 'See examples' }).waitFor();
  });
});
