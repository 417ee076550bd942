import kafkajs from 'kafkajs';
import Broker from 'kafkajs/src/broker/index.js';

let isDone = false;

/**
 * Takes a broker that does not answer the first question for one that could not be connected to. kafkajs
 * 2.2.4 asks a broker that it meets for the first time what it can do; where that has no answer in time, as
 * from one that is frozen, the connection stays open, and an open one is what the client takes for a
 * connected broker. It then never asks again: every request fails with "Broker not connected" until the
 * broker closes the idle connection, ten minutes later, however long it has been well again. What could not
 * be connected to it gives up, and begins anew with another connection.
 */
export function refuseHalfOpenBrokers(): void {
  if (isDone) return;
  isDone = true;
  const { prototype } = Broker;
  const { apiVersions } = prototype;
  prototype.apiVersions = async function ask(this: Broker) {
    try {
      return await apiVersions.call(this);
    } catch (error) {
      if (!(error instanceof kafkajs.KafkaJSRequestTimeoutError)) throw error;
      throw new kafkajs.KafkaJSConnectionError(error, { broker: this.brokerAddress });
    }
  };
}
