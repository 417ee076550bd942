import { blockWords } from '../model/words.ts';
import { type DragTools, type Drop, type DropMark, movableOf } from './drop-places.ts';
import { scrollParentOf } from './scroll-parent.ts';

/**
 * How long a finger rests on a line until it holds the block; shorter than what the browsers take for a press
 * of their own.
 */
const LONG_PRESS = 350;
/** Pixels that a resting finger may move, and that one on a handle has to move. */
const SLACK = 8;
/** Pixels from the upper and lower edge of the scrolling area in which it scrolls, and how far at most in a frame. */
const EDGE = 64;
const FASTEST = 16;

interface Press {
  readonly pointerId: number;
  readonly id: string;
  readonly words: string;
  readonly line: HTMLElement;
  readonly from: { readonly x: number; readonly y: number };
  /** A finger on a handle holds the block as soon as it moves; elsewhere it would scroll. */
  readonly isOnHandle: boolean;
}

/**
 * Dragging by finger or pen: a block is held after a long press, or at once by its handle, and follows the
 * finger with its name; near an edge the tree scrolls. Browsers do not drag by touch everywhere, and where
 * they do they do not scroll.
 */
export function followFinger(
  root: HTMLElement,
  mark: DropMark,
  { rowAt, dropFor, move, select }: DragTools,
): () => void {
  let press: Press | null = null;
  let timer = 0;
  /** What floats above the finger while a block is held. */
  let label: HTMLElement | null = null;
  let drop: Drop | null = null;
  let at = { x: 0, y: 0 };
  let frame = 0;
  /** The touch that ends a drag is no tap. */
  let endsDrag = false;

  const show = () => {
    if (!press || !label) return;
    label.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -220%)`;
    drop = dropFor(press.id, at.x, at.y);
    mark.show(drop);
  };
  const scroll = () => {
    const scroller = scrollParentOf(root);
    if (!scroller || !label) return;
    const area = scroller.getBoundingClientRect();
    const [upper, lower] = [Math.max(0, area.top) + EDGE, Math.min(window.innerHeight, area.bottom) - EDGE];
    const { top, bottom } = root.getBoundingClientRect();
    // No farther than to the end of the tree: there is nothing to drop on beyond it.
    const above = top < upper ? Math.max(0, upper - at.y) : 0;
    const below = bottom > lower ? Math.max(0, at.y - lower) : 0;
    const by = below - above;
    if (by !== 0) {
      scroller.scrollTop += Math.sign(by) * Math.min(FASTEST, Math.ceil(Math.abs(by) / 4));
      show();
    }
    frame = requestAnimationFrame(scroll);
  };
  const hold = () => {
    if (!press) return;
    window.clearTimeout(timer);
    select(press.id);
    press.line.dataset.held = '';
    label = document.createElement('div');
    label.className =
      'pointer-events-none fixed left-0 top-0 z-50 max-w-60 truncate rounded border border-brand ' +
      'bg-raised px-2 py-1 text-sm shadow-float';
    label.textContent = press.words;
    document.body.append(label);
    navigator.vibrate?.(10);
    show();
    frame = requestAnimationFrame(scroll);
  };
  const end = () => {
    window.clearTimeout(timer);
    cancelAnimationFrame(frame);
    endsDrag = label !== null;
    label?.remove();
    label = null;
    if (press) delete press.line.dataset.held;
    press = null;
    drop = null;
    mark.show(null);
  };

  const onDown = ({ pointerType, pointerId, clientX, clientY, target }: PointerEvent) => {
    // A second finger is for zooming.
    const isAnother = press !== null;
    end();
    endsDrag = false;
    if (isAnother || pointerType === 'mouse' || !(target instanceof Element)) return;
    const taken = rowAt(clientX, clientY);
    const block = movableOf(taken?.row);
    if (!taken || !block) return;
    at = { x: clientX, y: clientY };
    const isOnHandle = target.closest('[data-drag-handle]') !== null;
    // A long press on text that is being typed belongs to the text.
    if (!isOnHandle && target === document.activeElement && target.matches('input')) return;
    press = { pointerId, id: block.id, words: blockWords(block), line: taken.line, from: at, isOnHandle };
    timer = window.setTimeout(hold, LONG_PRESS);
  };
  const onMove = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (press?.pointerId !== pointerId) return;
    at = { x: clientX, y: clientY };
    if (label) {
      show();
      return;
    }
    if (Math.hypot(at.x - press.from.x, at.y - press.from.y) < SLACK) return;
    if (press.isOnHandle) hold();
    else end();
  };
  const onUp = ({ pointerId }: PointerEvent) => {
    if (press?.pointerId !== pointerId) return;
    const { id } = press;
    const landed = label ? drop : null;
    end();
    if (landed) move(id, landed);
  };
  const onCancel = ({ pointerId }: PointerEvent) => {
    if (press?.pointerId === pointerId) end();
  };
  // The page must not scroll below a held block; a browser asks once, before it begins to.
  const onTouchMove = (event: TouchEvent) => {
    if (label && event.cancelable) event.preventDefault();
  };
  const onTouchEnd = (event: TouchEvent) => {
    if (endsDrag && event.cancelable) event.preventDefault();
    endsDrag = false;
  };
  const onContextMenu = (event: Event) => {
    if (press) event.preventDefault();
  };
  const listeners = new AbortController();
  const { signal } = listeners;
  root.addEventListener('pointerdown', onDown, { signal });
  root.addEventListener('touchmove', onTouchMove, { signal, passive: false });
  root.addEventListener('touchend', onTouchEnd, { signal, passive: false });
  root.addEventListener('contextmenu', onContextMenu, { signal });
  window.addEventListener('pointermove', onMove, { signal });
  window.addEventListener('pointerup', onUp, { signal });
  window.addEventListener('pointercancel', onCancel, { signal });
  window.addEventListener('blur', end, { signal });
  return () => {
    end();
    listeners.abort();
  };
}
