import { makeTabStop } from './TreeLine.tsx';

/**
 * Hides the lines of a tree that are only kept and shows the others, as if those were taken away: they lose
 * the focus, Tab does not find them, and nobody reads them. By hand: some fifty lines change at once, and
 * drawing each of them for it takes longer than all else that an edit draws.
 *
 * @param inSight keys of the lines that show; null: all
 * @param tabStop key of the one that Tab reaches
 */
export function hideKept(
  tree: Element,
  inSight: ReadonlySet<string> | null,
  tabStop: string | null | undefined,
): void {
  for (const line of tree.children) {
    const key = line instanceof HTMLElement ? line.dataset.key : undefined;
    if (key === undefined || !(line instanceof HTMLElement)) continue;
    const isKept = inSight !== null && !inSight.has(key);
    if (isKept === line.hasAttribute('data-kept')) continue;
    if (isKept) {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && line.contains(activeElement)) activeElement.blur();
      if (line.tabIndex !== -1) line.tabIndex = -1;
      // Not `hidden`: what is not displayed has to be styled and laid out anew when it comes back (`styles.css`).
      line.setAttribute('data-kept', '');
      line.setAttribute('aria-hidden', 'true');
    } else {
      line.removeAttribute('data-kept');
      line.removeAttribute('aria-hidden');
      if (key === tabStop) makeTabStop(line);
    }
  }
}
