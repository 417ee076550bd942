/** The queue of requests of one connection, which kafkajs has no types for. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  export default class RequestQueue {
    constructor(parts: {
      readonly clientId: string;
      readonly broker: string;
      readonly logger: { debug(message: string, extra?: object): void };
    });
    readonly pending: unknown[];
    /** Milliseconds since the epoch; in the past: the broker holds nothing back. */
    throttledUntil: number;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
  }
}
