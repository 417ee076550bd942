/** The queue of requests of one connection, which kafkajs has no types for. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  export default class RequestQueue {
    constructor(parts: {
      readonly clientId: string;
      readonly broker: string;
      readonly logger: { debug(message: string, extra?: object): void };
      readonly requestTimeout?: number;
      readonly enforceRequestTimeout?: boolean;
      readonly isConnected?: () => boolean;
    });
    readonly pending: unknown[];
    /** What was sent and not answered, by its number; `requestTimeout` in ms from `sentAt` on. */
    readonly inflight: Map<
      number,
      { readonly sentAt: number; readonly requestTimeout: number; timeoutRequest(): void }
    >;
    readonly enforceRequestTimeout?: boolean;
    requestTimeoutIntervalId?: NodeJS.Timeout;
    /** Milliseconds since the epoch; in the past: the broker holds nothing back. */
    throttledUntil: number;
    isConnected(): boolean;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    scheduleRequestTimeoutCheck(): void;
    destroy(): void;
  }
}
