import {
  AuthenticationError,
  MultipleErrors,
  NetworkError,
  ProtocolError,
  UserError,
} from '@platformatic/kafka';
import { describe, expect, it } from 'vitest';
import { isRebalance, mayPass, saysOneOf } from './platformatic-errors.ts';

/** As the client wraps what a broker says. */
const wrapped = (error: Error) =>
  new MultipleErrors('fetch failed 2 times.', [new MultipleErrors('Received response with error', [error])]);

describe('errors of @platformatic/kafka', () => {
  it('tells brokers that are away, or elect a leader, from what will not pass', () => {
    expect(mayPass(wrapped(new NetworkError('Connection closed')))).toBe(true);
    expect(mayPass(wrapped(new ProtocolError('LEADER_NOT_AVAILABLE')))).toBe(true);
    expect(mayPass(wrapped(new ProtocolError('TOPIC_AUTHORIZATION_FAILED')))).toBe(false);
    expect(mayPass(new UserError('Unknown topic a.'))).toBe(false);
    expect(mayPass(new Error('something else'))).toBe(false);
    expect(mayPass(undefined)).toBe(false);
  });

  it('does not take a wrong password for an outage, though the client says that the connection failed', () => {
    const cause = new AuthenticationError('SASL authentication failed.');
    expect(mayPass(new NetworkError('Connection to a:1 failed.', { cause }))).toBe(false);
  });

  it('finds what the broker said under what the client made of it', () => {
    expect(isRebalance(wrapped(new ProtocolError('ILLEGAL_GENERATION')))).toBe(true);
    expect(isRebalance(wrapped(new NetworkError('Connection closed')))).toBe(false);
    expect(saysOneOf(wrapped(new ProtocolError('TOPIC_ALREADY_EXISTS')), 'TOPIC_ALREADY_EXISTS')).toBe(true);
  });
});
