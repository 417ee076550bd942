import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * What the probe answers when it is asked: how late the main thread's timers were since it was asked before,
 * in milliseconds.
 */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

// Loaded with `--import` into the measured process, hence into its threads as well: those are not asked.
if (isMainThread && process.send) {
  const resolution = 2;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  // The histogram holds whole intervals between two ticks of the timer.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);
  process.on('message', () => {
    const answer: LoopDelay = {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      longest: late(delay.max),
    };
    delay.reset();
    process.send?.(answer);
  });
  process.channel?.unref();
}
