import {
  type ComponentType,
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ErrorState } from './feedback.tsx';
import { holdKeys } from './held-keys.ts';
import { tellFailure } from './tell-failure.ts';

/** A component whose code is fetched apart, for `Fetched` to show. */
export interface Part<Props extends object> {
  /** Fetches the code ahead, once more after a failure. A failure is told where the component is shown. */
  readonly fetch: () => void;
  /**
   * As `fetch`; calls back when the code is there, at once if it is there already, or when it cannot be had
   * (default: says so).
   */
  readonly whenFetched: (onReady: () => void, onFailure?: (reason: unknown) => void) => void;
  /** The component where it has been fetched already, else null. */
  readonly fetched: () => ComponentType<Props> | null;
  /** The component; suspends until it is there, unlike `lazy` not for a moment when it has been fetched before. */
  readonly read: () => ComponentType<Props>;
}

export function fetchedPart<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let there: ComponentType<Props> | null = null;
  let coming: Promise<ComponentType<Props>> | null = null;
  let hasFailed = false;
  const start = () => {
    coming ??= load().then(
      (component) => {
        there = component;
        return component;
      },
      (reason: unknown) => {
        hasFailed = true;
        throw reason;
      },
    );
    return coming;
  };
  // Only what somebody does asks again: showing the component would otherwise ask without end while there is
  // no connection.
  const startAnew = () => {
    if (hasFailed) coming = null;
    hasFailed = false;
    return start();
  };
  return {
    fetch: () => {
      startAnew().catch(() => {});
    },
    whenFetched: (onReady, onFailure = tellFailure) => {
      if (there) onReady();
      else startAnew().then(onReady, onFailure);
    },
    fetched: () => there,
    read: () => there ?? use(start()),
  };
}

/** Shows a part; suspends until it has been fetched. */
export function Fetched<Props extends object>({ part, props }: { part: Part<Props>; props: Props }) {
  const Component = part.read();
  return <Component {...props} />;
}

/**
 * Shows a part in its place on a page. Where its code cannot be had, the place says so (`what`: "The chart")
 * and offers to try again; the rest of the page, and what is not saved there, stays.
 */
export function FetchedInPlace<Props extends object>({
  part,
  props,
  what,
  fallback,
}: {
  part: Part<Props>;
  props: Props;
  what: string;
  fallback: ReactNode;
}) {
  const [attempt, setAttempt] = useState(1);
  const [isThere, setThere] = useState(part.fetched() !== null);
  const [failure, setFailure] = useState<unknown>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    let isShown = true;
    part.whenFetched(
      () => isShown && setThere(true),
      (reason) => isShown && setFailure(reason),
    );
    return () => {
      isShown = false;
    };
  }, [part, attempt]);
  const again = () => {
    setFailure(null);
    setAttempt(attempt + 1);
  };
  if (isThere) return <Fetched part={part} props={props} />;
  if (failure === null) return fallback;
  return (
    <ErrorState title={`${what} could not be loaded`} error={failure} onRetry={again}>
      The rest of the page is as it was.
    </ErrorState>
  );
}

/**
 * Shows a window whose code comes when it is first opened. Where that cannot be had, it is said and the
 * window taken back; the page stays.
 */
export function FetchedWindow<Props extends object>({
  part,
  props,
  onFailure,
}: {
  part: Part<Props>;
  props: Props;
  onFailure: () => void;
}) {
  const [isThere, setThere] = useState(part.fetched() !== null);
  const failed = useRef(onFailure);
  failed.current = onFailure;
  useEffect(() => {
    let isShown = true;
    const release = holdKeys();
    part.whenFetched(
      () => isShown && setThere(true),
      (reason) => {
        if (!isShown) return;
        release();
        tellFailure(reason);
        failed.current();
      },
    );
    return () => {
      isShown = false;
    };
  }, [part]);
  return isThere ? <Fetched part={part} props={props} /> : null;
}

const SIGNS_OF_USE = ['pointermove', 'pointerdown', 'touchstart', 'keydown'] as const;
const waiting = new Set<() => void>();
let isUsed = false;

function begin(): void {
  isUsed = true;
  for (const sign of SIGNS_OF_USE) window.removeEventListener(sign, begin, true);
  for (const run of waiting) run();
  waiting.clear();
}

/**
 * Runs `run` when the visitor first does anything with the page: early enough for what he opens next, and no
 * part of the first load.
 */
export function onFirstUse(run: () => void): void {
  if (isUsed) {
    run();
    return;
  }
  if (waiting.size === 0)
    for (const sign of SIGNS_OF_USE)
      window.addEventListener(sign, begin, { capture: true, once: true, passive: true });
  waiting.add(run);
}

interface TriggerProps {
  readonly onPointerEnter?: (event: unknown) => void;
  readonly onFocus?: (event: unknown) => void;
  readonly onClick?: (event: MouseEvent) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly 'aria-haspopup'?: 'menu' | 'dialog';
  readonly 'aria-expanded'?: boolean;
}

/**
 * What opens below a trigger, fetched when the pointer or the focus comes near the trigger. Until it is first
 * asked for there is only the trigger. `keys` ask for it, too.
 */
export function FetchedPopup<Props extends { readonly trigger: ReactElement }>({
  part,
  props,
  kind = 'dialog',
  keys = [],
}: {
  part: Part<Props & { readonly isOpenAtOnce: boolean }>;
  props: Props;
  kind?: 'menu' | 'dialog';
  keys?: readonly string[];
}) {
  const [isWanted, setWanted] = useState(false);
  const want = () => {
    // What is typed from now on is meant for what opens.
    const release = holdKeys();
    part.whenFetched(
      () => setWanted(true),
      (reason) => {
        release();
        tellFailure(reason);
      },
    );
  };
  const trigger = props.trigger as ReactElement<TriggerProps>;
  const plain = cloneElement(trigger, {
    'aria-haspopup': kind,
    'aria-expanded': false,
    onPointerEnter: (event) => {
      trigger.props.onPointerEnter?.(event);
      part.fetch();
    },
    onFocus: (event) => {
      trigger.props.onFocus?.(event);
      part.fetch();
    },
    onClick: (event) => {
      trigger.props.onClick?.(event);
      want();
    },
    onKeyDown: (event) => {
      trigger.props.onKeyDown?.(event);
      if (!keys.includes(event.key)) return;
      event.preventDefault();
      want();
    },
  });
  if (!isWanted) return plain;
  return (
    <Suspense fallback={plain}>
      <Fetched part={part} props={{ ...props, isOpenAtOnce: true }} />
    </Suspense>
  );
}
