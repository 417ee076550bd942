import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { titleOf } from './title.ts';

describe('the runtime configuration', () => {
  it('fills in what the server leaves out', () => {
    expect(parseConfig({ clientId: 'web' }, 'https://q.example')).toMatchObject({
      issuer: 'https://q.example',
      clientId: 'web',
      productName: 'Quantloom',
      apiBaseUrl: '',
      isDataSimulated: false,
    });
  });
  it('takes the address of the API without a slash at its end', () => {
    expect(parseConfig({ clientId: 'web', apiBaseUrl: 'https://api.example/' }, 'x').apiBaseUrl).toBe(
      'https://api.example',
    );
  });
  it('makes a link of a page of the web alone', () => {
    const linked = (accountUrl: unknown) => parseConfig({ clientId: 'web', accountUrl }, 'x').accountUrl;
    expect(linked('https://id.example/me')).toBe('https://id.example/me');
    for (const other of [undefined, 7, '', 'javascript:alert(1)', '//id.example'])
      expect(linked(other)).toBeNull();
  });
  it('refuses one without which nobody could sign in', () => {
    expect(() => parseConfig({}, 'x')).toThrow('names no clientId');
    expect(() => parseConfig(null, 'x')).toThrow('names no clientId');
  });
});

describe('page titles', () => {
  it('are the page and the product, or the product alone', () => {
    expect(titleOf('Drafts', 'Quantloom')).toBe('Drafts | Quantloom');
    expect(titleOf(null, 'Quantloom')).toBe('Quantloom');
  });
});
