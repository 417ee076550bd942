import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

let isDone = false;

/**
 * Lets connections of kafkajs rest. In 2.2.4 a queue without requests and without a throttle plans its next
 * look for a time in the past, and after that look the next one: every connection wakes its process a
 * thousand times a second as long as it lives. Where requests wait, or the broker has asked for a pause, it
 * looks as before.
 */
export function quietConnections(): void {
  if (isDone) return;
  isDone = true;
  const { prototype } = RequestQueue;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function check(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
}
