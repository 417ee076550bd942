// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { favoritesOfBefore, forgetFavoritesOfBefore, markSeen } from './personal.ts';

const stored = (userId: string) => JSON.parse(localStorage.getItem(`personal:${userId}`) ?? 'null');

describe('what the browser remembers', () => {
  beforeEach(() => localStorage.clear());

  it('keeps users apart', () => {
    markSeen('u1', 'tour');
    markSeen('u2', 'hint');
    expect(stored('u1').seen).toEqual(['tour']);
    expect(stored('u2').seen).toEqual(['hint']);
  });

  it('has the favourites of before until they are forgotten, and nothing else of that time', () => {
    const old = { favorites: ['s1', 7], backtests: { s1: { at: '2026-01-01' } }, seen: ['tour'] };
    localStorage.setItem('personal:u3', JSON.stringify(old));
    expect(favoritesOfBefore('u3')).toEqual(['s1']);
    forgetFavoritesOfBefore('u3');
    expect(favoritesOfBefore('u3')).toEqual([]);
    expect(stored('u3')).toEqual({ favorites: [], seen: ['tour'] });
  });

  it('follows what another tab has changed, and changes nothing of that back', () => {
    markSeen('u4', 'tour');
    const elsewhere = { favorites: ['s9'], seen: ['tour', 'hint'] };
    localStorage.setItem('personal:u4', JSON.stringify(elsewhere));
    window.dispatchEvent(new StorageEvent('storage', { key: 'personal:u4' }));
    expect(favoritesOfBefore('u4')).toEqual(['s9']);
    markSeen('u4', 'keys');
    expect(stored('u4')).toEqual({ favorites: ['s9'], seen: ['tour', 'hint', 'keys'] });
  });
});
