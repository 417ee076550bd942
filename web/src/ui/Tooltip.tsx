import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Shortcut } from './Kbd.tsx';

type Side = 'top' | 'bottom' | 'left' | 'right';
interface Shown {
  readonly id: string;
  readonly anchor: Element;
  readonly content: ReactNode;
  readonly shortcut: string | undefined;
  readonly side: Side;
}

const DELAY = 400;
const GAP = 6;
const EDGE = 8;
/** After one was shown, the next appears at once: moving along a toolbar reads it out. */
const WARM = 300;

let shown: Shown | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let hiddenAt = Number.NEGATIVE_INFINITY;
const listeners = new Set<() => void>();

function publish(next: Shown | null): void {
  clearTimeout(timer);
  if (shown !== null && next === null) hiddenAt = performance.now();
  shown = next;
  for (const listener of listeners) listener();
}

function open(next: Shown, isImmediate: boolean): void {
  clearTimeout(timer);
  if (isImmediate || shown !== null || performance.now() - hiddenAt < WARM) publish(next);
  else timer = setTimeout(() => publish(next), DELAY);
}

function close(id: string): void {
  clearTimeout(timer);
  if (shown?.id === id) publish(null);
}

// One function for all: another one each time would be taken out and put in again whenever a trigger is drawn.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface TriggerProps {
  readonly onPointerEnter?: (event: PointerEvent) => void;
  readonly onPointerLeave?: (event: PointerEvent) => void;
  readonly onPointerDown?: (event: PointerEvent) => void;
  readonly onFocus?: (event: FocusEvent) => void;
  readonly onBlur?: (event: FocusEvent) => void;
  readonly 'aria-describedby'?: string | undefined;
}

/**
 * A hint on hover and keyboard focus. The trigger must be one focusable element that passes its props on.
 * Escape closes it.
 */
export function Tooltip({
  content,
  shortcut,
  side = 'bottom',
  children,
}: {
  content: ReactNode;
  shortcut?: string;
  side?: Side;
  children: ReactElement;
}) {
  const id = useId();
  const isOpen = useSyncExternalStore(subscribe, () => shown?.id === id);
  const child = children as ReactElement<TriggerProps>;
  const { props } = child;
  useEffect(() => () => close(id), [id]);
  const show = (anchor: Element, isImmediate: boolean) =>
    open({ id, anchor, content, shortcut, side }, isImmediate);
  return cloneElement(child, {
    ...(isOpen && { 'aria-describedby': [props['aria-describedby'], id].filter(Boolean).join(' ') }),
    onPointerEnter: (event) => {
      props.onPointerEnter?.(event);
      if (event.pointerType !== 'touch') show(event.currentTarget, false);
    },
    onPointerLeave: (event) => {
      props.onPointerLeave?.(event);
      close(id);
    },
    onPointerDown: (event) => {
      props.onPointerDown?.(event);
      close(id);
    },
    onFocus: (event) => {
      props.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget, true);
    },
    onBlur: (event) => {
      props.onBlur?.(event);
      close(id);
    },
  });
}

/** Where a box of `size` stands at `anchor`: at `side` if there is room, else opposite; always inside the window. */
export function placeAt(
  anchor: { left: number; top: number; width: number; height: number },
  size: { width: number; height: number },
  side: Side,
  view: { width: number; height: number },
): { left: number; top: number } {
  const across = anchor.left + anchor.width / 2 - size.width / 2;
  const along = anchor.top + anchor.height / 2 - size.height / 2;
  const above = anchor.top - GAP - size.height;
  const below = anchor.top + anchor.height + GAP;
  const before = anchor.left - GAP - size.width;
  const after = anchor.left + anchor.width + GAP;
  const spot = {
    top: { left: across, top: above >= EDGE ? above : below },
    bottom: { left: across, top: below + size.height <= view.height - EDGE ? below : above },
    left: { left: before >= EDGE ? before : after, top: along },
    right: { left: after + size.width <= view.width - EDGE ? after : before, top: along },
  }[side];
  const clamp = (value: number, most: number) => Math.max(EDGE, Math.min(value, most - EDGE));
  return { left: clamp(spot.left, view.width - size.width), top: clamp(spot.top, view.height - size.height) };
}

/** Draws the one tooltip that is open. Mounted once, by the application. */
export function TooltipHost() {
  const current = useSyncExternalStore(subscribe, () => shown);
  const box = useRef<HTMLDivElement>(null);
  const [spot, setSpot] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    if (current === null || box.current === null) return;
    setSpot(
      placeAt(current.anchor.getBoundingClientRect(), box.current.getBoundingClientRect(), current.side, {
        width: window.innerWidth,
        height: window.innerHeight,
      }),
    );
  }, [current]);
  useEffect(() => {
    if (current === null) return;
    const hide = () => publish(null);
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    window.addEventListener('keydown', onKey);
    window.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', hide, { capture: true });
    };
  }, [current]);
  if (current === null || !current.anchor.isConnected) return null;
  return (
    <div
      ref={box}
      id={current.id}
      role="tooltip"
      style={spot}
      className="pointer-events-none fixed z-60 flex w-max max-w-72 items-center gap-2 rounded border border-line bg-raised px-2 py-1 text-sm text-ink shadow-float"
    >
      {current.content}
      {current.shortcut && <Shortcut keys={current.shortcut} />}
    </div>
  );
}

const TERM = 'text-left underline decoration-line-strong decoration-dotted underline-offset-4';

/**
 * A term with its definition on hover and focus; the definition is read by screen readers with the term. With
 * an address it is a link to more about it, in another tab: what is begun on this page stays.
 */
export function Term({
  definition,
  href,
  children,
}: {
  definition: string;
  href?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Tooltip content={definition} side="top">
      {href === undefined ? (
        <button type="button" aria-description={definition} className={`cursor-help! ${TERM}`}>
          {children}
        </button>
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noopener"
          aria-description={definition}
          className={`${TERM} hover:text-ink hover:decoration-current`}
        >
          {children}
        </a>
      )}
    </Tooltip>
  );
}
