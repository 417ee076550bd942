import cliProgress from 'cli-progress';

export interface ProgressBar {
  /** `done` is 0..1 of the stage. */
  update(stage: string, done: number, detail: string): void;
  stop(): void;
}

/** A bar on standard error; on a terminal it moves, in a log it prints a line per stage. */
export function progressBar(): ProgressBar {
  const bar = new cliProgress.SingleBar({
    format: '{stage} [{bar}] {percentage}% {detail}',
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 50,
  });
  let isStarted = false;
  let lastStage = '';
  return {
    update(stage, done, detail) {
      if (!process.stderr.isTTY) {
        if (stage !== lastStage) process.stderr.write(`${stage} …\n`);
        lastStage = stage;
        return;
      }
      const payload = { stage, detail: detail.slice(0, 40) };
      if (!isStarted) bar.start(1000, 0, payload);
      isStarted = true;
      bar.update(Math.round(done * 1000), payload);
    },
    stop() {
      if (isStarted) bar.stop();
      isStarted = false;
    },
  };
}
