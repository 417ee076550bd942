// What was entered in a popover is kept when it closes. A page that is left before that would lose it without a word.

const open = new Set<object>();

/** Something was entered that is kept nowhere yet; answers how to say that it is kept, or given up. */
export function openEntry(): () => void {
  const mine = {};
  open.add(mine);
  return () => open.delete(mine);
}

/** Whether something was entered that is kept nowhere yet. */
export const hasOpenEntry = (): boolean => open.size > 0;
