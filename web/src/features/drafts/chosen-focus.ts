/** Puts the keyboard on the first thing that can be done with the chosen strategies; false where none is chosen. */
export function focusChosenBar(): boolean {
  const first = document.querySelector<HTMLElement>('[data-chosen-bar] button:enabled');
  first?.focus();
  return first !== null;
}

/** Puts the keyboard on the row that it was on last. */
export function focusLastRow(): void {
  document.querySelector<HTMLElement>('tbody tr[tabindex="0"]')?.focus({ preventScroll: true });
}

/** The same, after what had the keyboard has gone; who has gone elsewhere meanwhile stays there. */
export function focusLastRowIfLost(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusLastRow();
  });
}
