import { describe, expect, it, vi } from 'vitest';
import { createTokenSource } from './token-source.ts';

describe('the token source', () => {
  it('waits for the silent check, then answers the token', async () => {
    const tokens = createTokenSource();
    const answer = tokens.accessToken({ fresh: false });
    const early = await Promise.race([answer, Promise.resolve('still waiting')]);
    expect(early).toBe('still waiting');
    const fetchToken = vi.fn(() => Promise.resolve('t1'));
    tokens.settle(fetchToken);
    expect(await answer).toBe('t1');
    expect(fetchToken).toHaveBeenCalledExactlyOnceWith({ cacheMode: 'on' });
  });

  it('has none for a visitor, and skips the cache when the last one was refused', async () => {
    const tokens = createTokenSource();
    tokens.settle(null);
    expect(await tokens.accessToken({ fresh: false })).toBeNull();
    const fetchToken = vi.fn(() => Promise.resolve('t2'));
    tokens.settle(fetchToken);
    await tokens.accessToken({ fresh: true });
    expect(fetchToken).toHaveBeenCalledExactlyOnceWith({ cacheMode: 'off' });
  });

  it.each([
    'login_required',
    'consent_required',
    'interaction_required',
    'missing_refresh_token',
    'invalid_grant',
  ])('tells once that the session is lost: %s', async (code) => {
    const tokens = createTokenSource();
    const lost = vi.fn();
    tokens.onLost(lost);
    tokens.settle(() => Promise.reject(Object.assign(new Error(code), { error: code })));
    expect(await tokens.accessToken({ fresh: false })).toBeNull();
    expect(await tokens.accessToken({ fresh: false })).toBeNull();
    expect(lost).toHaveBeenCalledOnce();
  });

  it('keeps the session through a timeout', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const tokens = createTokenSource();
    const lost = vi.fn();
    tokens.onLost(lost);
    const fetchToken = vi
      .fn()
      .mockRejectedValueOnce(new Error("Timeout when executing 'fetch'"))
      .mockResolvedValueOnce('t3');
    tokens.settle(fetchToken);
    expect(await tokens.accessToken({ fresh: false })).toBeNull();
    expect(await tokens.accessToken({ fresh: false })).toBe('t3');
    expect(lost).not.toHaveBeenCalled();
  });

  it('has no token where the client gives none, and tells nobody who listens no more', async () => {
    const tokens = createTokenSource();
    const lost = vi.fn();
    tokens.onLost(lost)();
    tokens.settle(async () => undefined);
    expect(await tokens.accessToken({ fresh: false })).toBeNull();
    tokens.settle(() => Promise.reject(Object.assign(new Error('gone'), { error: 'login_required' })));
    expect(await tokens.accessToken({ fresh: false })).toBeNull();
    expect(lost).not.toHaveBeenCalled();
  });
});
