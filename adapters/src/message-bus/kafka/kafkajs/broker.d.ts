/** A client's view of one broker, which kafkajs has no types for. */
declare module 'kafkajs/src/broker/index.js' {
  export default class Broker {
    /** `host:port`. */
    readonly brokerAddress: string;
    /** Asks the broker what it can do: what a new connection is first used for. */
    apiVersions(): Promise<object>;
  }
}
