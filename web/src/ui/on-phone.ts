const NARROW = window.matchMedia('(max-width: 639px)');

const SHIFTED = { collisionAvoidance: { side: 'shift', align: 'shift', fallbackAxisSide: 'none' } } as const;

/**
 * How a panel stands to its anchor on a phone: over it, where there is not the room below. Above or below it
 * there would be half a window, with the buttons of a form out of sight.
 */
export function onPhone(): typeof SHIFTED | null {
  return NARROW.matches ? SHIFTED : null;
}
