import { expect, it } from 'vitest';
import { correlationIdOf } from './correlation-id.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const idOf = (headers: Readonly<Record<string, string>>) => correlationIdOf({ headers });

it('takes the caller’s own id where it has 8 to 64 letters, digits, hyphens or underscores', () => {
  for (const id of ['12345678', 'My-request_01', 'x'.repeat(64)])
    expect(idOf({ 'x-correlation-id': id })).toBe(id);
  for (const id of ['1234567', 'x'.repeat(65), 'with a space', 'line\nbreak', '../../etc', 'näher-dran'])
    expect(idOf({ 'x-correlation-id': id }), id).toMatch(UUID);
});

it('follows the trace of the caller, after his own id', () => {
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
  expect(idOf({ traceparent })).toBe(TRACE);
  expect(idOf({ traceparent, 'x-correlation-id': 'my-own-id' })).toBe('my-own-id');
  expect(idOf({ traceparent, 'x-correlation-id': 'short' })).toBe(TRACE);
});

it('makes a new id for a trace that is none, and for everybody else', () => {
  for (const traceparent of [
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7`,
    `01-${TRACE}-00f067aa0ba902b7-01-more`,
  ])
    expect(idOf({ traceparent }), traceparent).toMatch(UUID);
  expect(idOf({})).not.toBe(idOf({}));
});
