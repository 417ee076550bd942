import type { Browser, Page } from 'playwright-core';

/** What one keystroke cost on the page's main thread, in ms. */
export interface Keystroke {
  /** All script from the key to the next one: handlers, drawing, and what was put off. */
  readonly script: number;
  /**
   * All that the thread did from the key until the frame with its answer was handed to the compositor:
   * handlers, drawing, style, layout and paint, by the thread's own clock. The wait for the screen's next
   * refresh is not in it. Null where no frame followed.
   */
  readonly toPaint: number | null;
  /** The longest the thread was held in one piece, layout and paint included. */
  readonly longestTask: number;
}

/** An event of a trace, as far as it is read here. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** `dur` on the thread's own clock, which stands still while others have the processor; not every event has it. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly type?: string } };
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
/** Trace events that are script; one may lie within another. */
const SCRIPT = new Set([
  'EventDispatch',
  'FunctionCall',
  'EvaluateScript',
  'FireAnimationFrame',
  'FireIdleCallback',
  'TimerFire',
  'RunMicrotasks',
  'MinorGC',
  'MajorGC',
]);
const TASKS = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);
/** The end of a frame on this thread: what was painted is handed over. */
const FRAME_END = 'Commit';
/** Between keys: a fast typist, and long enough for what a key put off. */
const PAUSE = 120;

/** Presses keys one after another and reads from the browser's own trace what each of them cost. */
export async function traceKeystrokes(
  browser: Browser,
  page: Page,
  keys: readonly string[],
): Promise<Keystroke[]> {
  await browser.startTracing(page, { categories: CATEGORIES });
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(PAUSE);
  }
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    traceEvents: TraceEvent[];
  };
  return keystrokesOf(trace.traceEvents, keys[0]?.split('+').length ?? 1);
}

/** Cuts a trace at its key presses; a shortcut is several, its modifiers' first. */
export function keystrokesOf(events: readonly TraceEvent[], pressesPerKey: number): Keystroke[] {
  const isPress = ({ name, args }: TraceEvent) => name === 'EventDispatch' && args?.data?.type === 'keydown';
  const first = events.find(isPress);
  if (!first) throw new Error('The trace holds no key press');
  const thread = events
    .filter(
      ({ ph, pid, tid, dur }) => ph === 'X' && dur !== undefined && pid === first.pid && tid === first.tid,
    )
    // What lies within another event comes after it, though it may begin with it.
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const presses = thread.filter(isPress).filter((_, index) => index % pressesPerKey === pressesPerKey - 1);
  return presses.map(({ ts }, index) => {
    const end = presses[index + 1]?.ts ?? Number.POSITIVE_INFINITY;
    const mine = thread.filter((event) => event.ts >= ts - 2_000 && event.ts < end - 2_000);
    const tasks = mine.filter(({ name }) => TASKS.has(name)).map(({ dur = 0 }) => dur);
    return {
      script: covered(mine.filter(({ name }) => SCRIPT.has(name))) / 1000,
      toPaint: toPaint(mine, ts),
      longestTask: Math.max(0, ...tasks) / 1000,
    };
  });
}

/**
 * Milliseconds of the thread from a key to the end of the next frame; a task that reaches beyond either end
 * counts in part.
 */
function toPaint(events: readonly TraceEvent[], from: number): number | null {
  const frame = events.find(({ name, ts }) => name === FRAME_END && ts >= from);
  if (frame === undefined) return null;
  const end = frame.ts + (frame.dur ?? 0);
  const within = events.filter(({ ts, dur = 0 }) => ts >= from && ts + dur <= end);
  return covered(within) / 1000;
}

/**
 * Microseconds of the outermost of the events in order of their start, by the thread's own clock. Those of a
 * few microseconds have no time of their own, and count by the wall's.
 */
function covered(events: readonly TraceEvent[]): number {
  let total = 0;
  let until = 0;
  for (const { ts, dur = 0, tdur = dur } of events) {
    if (ts < until) continue;
    total += tdur;
    until = ts + dur;
  }
  return total;
}
