import type { Locator } from 'playwright-core';
import type { EditorPage } from './editor-page.ts';

/** A state in which somebody may find the editor: how one comes there, and how one leaves it for the next. */
export interface State {
  readonly name: string;
  readonly enter: (editor: EditorPage) => Promise<unknown>;
  readonly leave?: (editor: EditorPage) => Promise<unknown>;
}

const STRATEGY = `strategy "All kinds" weight by percentages [
  50% if RSI(SPY, 10) > 50 and CR(QQQ, 20) > 0 then [ group "Growth" [ QQQ SPY ] ] else [ TLT ]
  30% top 1 by RSI(10) of [ SPY QQQ ]
  20% weight by inverse volatility over 20 days [ TLT GLD ]
]`;

const dialog = (editor: EditorPage, name: string): Locator =>
  editor.page.getByRole('dialog', { name, exact: true });
const chart = (editor: EditorPage): Locator =>
  editor.page.getByRole('img', { name: /^Return of the strategy/ });
const leaveIt = (editor: EditorPage) => editor.escape();
const closed = (editor: EditorPage) => editor.page.getByRole('menu').first().waitFor({ state: 'detached' });
const condition = (editor: EditorPage) => editor.line('RSI(SPY, 10) > 50');

async function openTab(editor: EditorPage, name: string): Promise<void> {
  await editor.page.getByRole('link', { name, exact: true }).click();
  await editor.page.locator('.js-plotly-plot .main-svg').first().waitFor();
}

/**
 * Puts a strategy with every kind of block in place of what is there, saves and runs it twice, with a change
 * between.
 */
async function fill(editor: EditorPage): Promise<void> {
  await editor.importFile({ name: 'all.txt', mimeType: 'text/plain', buffer: Buffer.from(STRATEGY) });
  await editor.button('Open as a new draft').click();
  await condition(editor).waitFor();
  await editor.save();
  await editor.run();
  await chart(editor).waitFor();
  await condition(editor).getByRole('button', { name: /^RSI/ }).click();
  await editor.page.getByLabel('Fixed value', { exact: true }).fill('55');
  await editor.done();
  await editor.run();
  await editor.page.locator('[data-changed=sharpe]').waitFor();
  await editor.page.keyboard.press('Control+z');
  await condition(editor).waitFor();
}

/** What a walk through the editor shows, in the order in which one comes by. */
export const STATES: readonly State[] = [
  { name: 'empty', enter: (editor) => editor.line('empty block').waitFor() },
  {
    name: 'add-block-menu',
    enter: async (editor) => {
      await editor.button('Add Block').first().click();
      await editor.page.getByRole('menuitem', { name: /^Filter/ }).waitFor();
    },
    leave: async (editor) => {
      await editor.page.keyboard.press('Escape');
      await closed(editor);
    },
  },
  {
    name: 'asset-picker',
    enter: async (editor) => {
      await editor.add('Asset');
      await editor.page.getByRole('searchbox').fill('s');
      await editor.page.getByRole('option').first().waitFor();
    },
    leave: async (editor) => {
      await editor.page.getByRole('searchbox').fill('');
      await editor.escape();
    },
  },
  {
    name: 'typed-block-with-a-fault',
    enter: async (editor) => {
      await editor.line('empty block').focus();
      await editor.page.keyboard.press('i');
      await dialog(editor, 'Type a block').getByRole('textbox').fill('if RSII(SPY, 10) > 5 then SPY');
      await dialog(editor, 'Type a block').getByRole('status').waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'import',
    enter: async (editor) => {
      await editor.button('Import').click();
      await dialog(editor, 'Import a strategy').waitFor();
    },
    leave: leaveIt,
  },
  { name: 'results', enter: fill },
  {
    name: 'condition',
    enter: async (editor) => {
      await condition(editor).getByRole('button', { name: /^RSI/ }).click();
      await editor.page.getByLabel('Fixed value', { exact: true }).fill('many');
    },
    leave: leaveIt,
  },
  {
    name: 'condition-type',
    enter: async (editor) => {
      await editor.button('all of the below conditions apply').click();
      await editor.page.getByRole('radio').first().waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'filter',
    enter: async (editor) => {
      await editor.button(/^Top 1 by RSI/i).click();
      await editor.page.getByRole('dialog').waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'weight',
    enter: async (editor) => {
      await editor
        .button(/^Weight of/)
        .first()
        .click();
      await editor.page.getByRole('textbox', { name: 'Weight percent' }).fill('70');
    },
    leave: leaveIt,
  },
  {
    name: 'weight-type',
    enter: async (editor) => {
      await editor.button('Weight: Specified').click();
      await editor.page.getByRole('menuitemradio').first().waitFor();
    },
    leave: async (editor) => {
      await editor.page.keyboard.press('Escape');
      await closed(editor);
    },
  },
  {
    name: 'rebalancing',
    enter: async (editor) => {
      await editor.button('rebalanced daily').click();
      await editor.page.getByRole('radio', { name: /^Corridor/ }).click();
    },
    leave: leaveIt,
  },
  {
    name: 'actions',
    enter: async (editor) => {
      await editor.line('TLT').first().hover();
      await editor
        .line('TLT')
        .first()
        .getByRole('button', { name: /^Actions of/ })
        .click();
      await editor.page.getByRole('menuitem', { name: /^Delete/ }).waitFor();
    },
    leave: async (editor) => {
      await editor.page.keyboard.press('Escape');
      await closed(editor);
    },
  },
  {
    name: 'deletion',
    enter: async (editor) => {
      await editor.line('TLT').first().focus();
      await editor.page.keyboard.press('Delete');
      await editor.page.getByRole('alertdialog').waitFor();
    },
    leave: async (editor) => {
      await editor.page.keyboard.press('Escape');
      await editor.page.getByRole('alertdialog').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'chosen-blocks',
    enter: async (editor) => {
      await editor.line('QQQ').first().focus();
      await editor.page.keyboard.press('Shift+ArrowDown');
      await editor.page.getByText('2 blocks chosen').waitFor();
    },
    leave: async (editor) => {
      await editor.page.keyboard.press('Escape');
      await editor.page.getByText('2 blocks chosen').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'sensitivity',
    enter: async (editor) => {
      await condition(editor).focus();
      await editor.page.keyboard.press('Alt+s');
      await dialog(editor, 'How much depends on its numbers')
        .getByText(/^10, as it stands: Sharpe/)
        .waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'slippage',
    enter: async (editor) => {
      await editor.button(/^Slippage/).click();
      await dialog(editor, 'Slippage').getByLabel('Basis points').fill('2.5');
    },
    leave: leaveIt,
  },
  {
    name: 'trading-terms',
    enter: async (editor) => {
      await editor.button(/^Trading/).click();
      await editor.page.getByRole('dialog').waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'calendar',
    enter: async (editor) => {
      await editor.button('Open calendar for End Date').click();
      await editor.page.getByRole('dialog').waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'why-these-days',
    enter: async (editor) => {
      await editor.button(/^From .*: /).click();
      await dialog(editor, 'Why these days').getByRole('row').nth(2).waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'zoomed-chart',
    enter: async (editor) => {
      await editor.page.getByRole('switch', { name: 'Drawdown' }).click();
      await editor.page.getByRole('group', { name: /^Chart\. / }).focus();
      await editor.page.keyboard.press('+');
      await editor.page.getByText(/^Zoomed:/).waitFor();
    },
    leave: async (editor) => {
      await editor.page.keyboard.press('0');
      await editor.page.getByText(/^Zoomed:/).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'why-of-a-day',
    enter: async (editor) => {
      const box = await chart(editor).boundingBox();
      if (!box) throw new Error('The chart has no place');
      await editor.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await editor.button('Unpin day').waitFor();
    },
    leave: (editor) => editor.button('Unpin day').click(),
  },
  {
    name: 'numbers-and-tickers',
    enter: async (editor) => {
      await editor.button('Numbers and tickers').click();
      await dialog(editor, 'Numbers and tickers').waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'export',
    enter: async (editor) => {
      await editor.button('Export as text or for Composer').click();
      await editor.page.getByRole('dialog').waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'history',
    enter: async (editor) => {
      await editor.page.getByLabel('Strategy name').fill('All kinds again');
      await editor.save();
      await editor.button('History').click();
      await dialog(editor, 'History')
        .getByRole('button', { name: /^Created/ })
        .click();
      await dialog(editor, 'History').getByRole('region').first().waitFor();
    },
  },
  {
    name: 'metrics-by-revision',
    enter: async (editor) => {
      await dialog(editor, 'History').getByRole('button', { name: 'Backtest it' }).click();
      await dialog(editor, 'History')
        .getByRole('img', { name: /^Growth of revision/ })
        .waitFor();
    },
    leave: leaveIt,
  },
  {
    name: 'keys',
    enter: async (editor) => {
      await editor.line('strategy').focus();
      await editor.page.keyboard.press('?');
      await dialog(editor, 'Keyboard shortcuts').waitFor();
    },
    leave: leaveIt,
  },
  { name: 'allocation-history', enter: (editor) => openTab(editor, 'Allocation History') },
  { name: 'indicator-history', enter: (editor) => openTab(editor, 'Indicator History') },
  {
    name: 'metrics',
    enter: async (editor) => {
      await editor.page.getByRole('link', { name: 'Metrics', exact: true }).click();
      await editor.page.getByRole('heading', { name: 'Worst drawdowns' }).waitFor();
      await editor.page.locator('.js-plotly-plot .main-svg').first().waitFor();
    },
    leave: (editor) => editor.page.getByRole('link', { name: 'Overview', exact: true }).click(),
  },
  {
    name: 'run-error',
    enter: async (editor) => {
      await editor.page.route('**/api/v1/backtests', (route) => route.fulfill({ status: 500, body: '{}' }));
      await editor.button(/^Run Backtest/).click();
      await editor.page.getByText('Backtest error').first().waitFor();
    },
  },
];
