import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** A request has 30 seconds and more, so one that is given up a second later is given up in time. */
const TIMEOUT_CHECK_MS = 1_000;

let isDone = false;

/**
 * Lets connections of kafkajs rest. In 2.2.4 a queue without requests and without a throttle plans its next
 * look for a time in the past, and after that look the next one: every connection wakes its process a
 * thousand times a second as long as it lives. Where requests wait, or the broker has asked for a pause, it
 * looks as before. Besides, each of a node's dozen connections looks ten times a second for requests that
 * have waited too long: here once a second.
 */
export function quietConnections(): void {
  if (isDone) return;
  isDone = true;
  const { prototype } = RequestQueue;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function check(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function check(this: RequestQueue) {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      for (const request of [...this.inflight.values()])
        if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
      if (!this.isConnected()) this.destroy();
    }, TIMEOUT_CHECK_MS);
  };
}
