// Somebody who knows what opens types on before it is there: a window whose code is still on its way, a
// popover that takes the focus a frame later. From the gesture that opens it until the focus is in it, keys
// are held, and then typed there in their order.

/** Where what was typed goes: whatever takes the focus next in one of these. */
const WINDOWS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
/** What never opens leaves the keyboard alone after this many milliseconds. */
const PATIENCE = 10_000;
/** A page that nobody sees draws no frames. */
const FRAME_PATIENCE = 100;
/** What moves or changes nothing by itself. */
const SILENT = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'Process',
  'Dead',
  'Unidentified',
]);

let hold: { readonly end: () => void } | null = null;

/**
 * Holds what is typed until a window has the focus. Answers how to give it up when the window will not come;
 * who began holding decides that.
 */
export function holdKeys(): () => void {
  if (hold) return () => {};
  const keys: KeyboardEventInit[] = [];
  let isReplaying = false;
  const onKeyDown = (event: KeyboardEvent) => {
    // What was typed before comes as an event of ours; shortcuts of the browser are its own.
    if (!event.isTrusted || event.isComposing || event.ctrlKey || event.metaKey || SILENT.has(event.key))
      return;
    // Whoever types in a field of a window has arrived, however the focus came there.
    const { target } = event;
    if (!isReplaying && target instanceof Element && isField(target) && target.closest(WINDOWS)) {
      end();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    const { key, code, shiftKey, altKey } = event;
    keys.push({ key, code, shiftKey, altKey, bubbles: true, cancelable: true });
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (isReplaying || !(target instanceof HTMLElement) || target.closest(WINDOWS) === null) return;
    if (keys.length === 0) {
      end();
      return;
    }
    isReplaying = true;
    void replay(keys).finally(end);
  };
  const end = () => {
    if (hold !== mine) return;
    hold = null;
    clearTimeout(patience);
    window.removeEventListener('keydown', onKeyDown, true);
    window.removeEventListener('focusin', onFocus);
    window.removeEventListener('pointerdown', end, true);
  };
  const mine = { end };
  const patience = setTimeout(end, PATIENCE);
  window.addEventListener('keydown', onKeyDown, true);
  window.addEventListener('focusin', onFocus);
  window.addEventListener('pointerdown', end, true);
  hold = mine;
  return end;
}

/**
 * Types what was held where the focus is; each key sees what the one before has changed. What is typed
 * meanwhile comes behind it.
 */
async function replay(keys: KeyboardEventInit[]): Promise<void> {
  await settled();
  for (let next = keys.shift(); next; next = keys.shift()) {
    press(next);
    await settled();
  }
}

/** The page has been drawn with what was done so far, or will not be because nobody looks at it. */
const settled = () =>
  new Promise<void>((resolve) => {
    const patience = setTimeout(resolve, FRAME_PATIENCE);
    requestAnimationFrame(() => {
      clearTimeout(patience);
      setTimeout(resolve);
    });
  });

function press(init: KeyboardEventInit): void {
  const target = document.activeElement ?? document.body;
  if (!target.dispatchEvent(new KeyboardEvent('keydown', init))) return;
  const { key = '', altKey } = init;
  if (isField(target)) {
    // Reaches the page as typing does, and can be undone as typing.
    if (key.length === 1 && !altKey) document.execCommand('insertText', false, key);
    else if (key === 'Backspace') document.execCommand('delete');
    else if (key === 'Enter' && target instanceof HTMLInputElement) target.form?.requestSubmit();
    else if (key === 'Enter') document.execCommand('insertText', false, '\n');
  } else if (target instanceof HTMLElement && (key === 'Enter' || key === ' ')) target.click();
  if (key === 'Tab') focusNext(target, init.shiftKey ? -1 : 1);
}

const CONTROLS = 'input, textarea, select, button, a[href], [tabindex]';

/** As Tab does within a window. */
function focusNext(from: Element, step: 1 | -1): void {
  const controls = [...(from.closest(WINDOWS)?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].filter(
    (one) =>
      one.tabIndex >= 0 &&
      one.ariaHidden !== 'true' &&
      !one.matches(':disabled') &&
      one.offsetParent !== null,
  );
  const next = controls.at((controls.indexOf(from as HTMLElement) + step) % controls.length);
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}

const isField = (target: Element): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type));
