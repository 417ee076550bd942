import { describe, expect, it } from 'vitest';
import { addressUnderPublicName, withAddresses } from './site-address.ts';

describe('a page asked for under another name', () => {
  const here = 'http://localhost:8080';
  it.each([
    ['127.0.0.1:8080', '/drafts?x=1', here, 'http://localhost:8080/drafts?x=1'],
    ['[::1]:8080', '/', here, 'http://localhost:8080/'],
    ['localhost:8080', '/', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['127.0.0.1:8080', '//elsewhere.example/', here, 'http://localhost:8080/elsewhere.example/'],
    ['localhost:8080', '/drafts', here, null],
    ['127.0.0.1:9090', '/', here, null],
    ['192.168.0.7:8080', '/', here, null],
    ['127.0.0.1:8080', '/', 'https://quantloom.example', null],
    ['not a host', '/', here, null],
    [undefined, '/', here, null],
  ])('%s %s of %s belongs to %s', (host, target, publicUrl, expected) => {
    expect(addressUnderPublicName(host, target, publicUrl)).toBe(expected);
  });
});

describe('addresses in a built file', () => {
  it('are those of the installation and the page, and cannot break out of an attribute', () => {
    const text = '<link href="{{pageUrl}}"><meta content="{{publicUrl}}/a.png">';
    expect(withAddresses(text, 'https://q.example', '/pricing')).toBe(
      '<link href="https://q.example/pricing"><meta content="https://q.example/a.png">',
    );
    expect(withAddresses(text, 'https://q.example', '/"><script>')).not.toContain('<script>');
  });
});
