import { describe, expect, it } from 'vitest';
import { PieceSize, Turns } from './turns.ts';

describe('turns', () => {
  it('lets whatever else is ready go on between any two of them', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const others = (async () => {
      for (let i = 0; i < 3; i += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('other');
      }
    })();
    await Promise.all([1, 2, 3].map(async (number) => turns.next().then(() => order.push(`turn ${number}`))));
    await others;
    const between = order.join().split('turn').slice(1, -1);
    expect(between.every((part) => part.includes('other'))).toBe(true);
  });
});

describe('the size of a piece', () => {
  it('shrinks where events cost much, down to one', () => {
    const size = new PieceSize(500);
    for (let i = 0; i < 20; i += 1) size.took(100 * size.events, size.events);
    expect(size.events).toBe(1);
  });

  it('grows to the most where they cost nothing', () => {
    const size = new PieceSize(500);
    for (let i = 0; i < 20; i += 1) size.took(0.2, size.events);
    expect(size.events).toBe(500);
  });

  it('does not grow by pieces that were cut off because there was no more', () => {
    const size = new PieceSize(500);
    const before = size.events;
    size.took(0.2, 1);
    expect(size.events).toBe(before);
  });
});
