import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe finds on a page as it is, one line for each rule. Some of what it finds is none:
 * - a menu or a tooltip belongs to the control that it hangs on, not to a landmark;
 * - a line of the tree is called by what its field holds as well, between the words around it; axe looks for
 *   words that stand in no field, and takes the words of an open menu or popover for those of the line that
 *   it hangs on;
 * - the guards around a menu are there for the focus that leaves it, and hand it on.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { violations: found } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    const isNone = (rule: string, selector: string): boolean => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own document
      const element = (globalThis as any).document.querySelector(selector);
      if (rule === 'region') return element.matches('[role=menu], [role=tooltip]');
      if (rule === 'aria-hidden-focus') return element.matches('[data-base-ui-focus-guard]');
      const isOfALine = '[role=treeitem]:has(input, [aria-owns], [aria-haspopup][aria-expanded=true])';
      return rule === 'label-content-name-mismatch' && element.matches(isOfALine);
    };
    return found.flatMap(({ id, nodes }) => {
      const real = nodes.filter(({ target }) => !isNone(id, String(target[0])));
      const told = real.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ''}`);
      return real.length === 0 ? [] : [`${id}: ${told.join(' | ')}`];
    });
  });
}
