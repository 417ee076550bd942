import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type ArchiveLink,
  isSignedArchiveLink,
  isSignedLink,
  type SignedLink,
  signArchiveLink,
  signLink,
} from './signed-links.ts';

const secret = randomBytes(32);

function linkTo(batchId: string, query = 'sort=sharpe_ratio:desc'): SignedLink {
  const fields = new URLSearchParams(signLink(secret, batchId, 1_900_000_000, query));
  return {
    batchId,
    expires: fields.get('expires') ?? '',
    query: fields.get('query') ?? '',
    signature: fields.get('signature') ?? '',
  };
}

describe('a download link', () => {
  it('works as it was given', () => {
    expect(isSignedLink(secret, linkTo('batch-1'))).toBe(true);
    expect(isSignedLink(secret, linkTo('batch-1', ''))).toBe(true);
  });

  it('has each of its parts for itself: none of them can give to the next, or take from it', () => {
    const link = linkTo('batch-1', '9=x');
    expect(isSignedLink(secret, link)).toBe(true);
    const later = { ...link, expires: `${link.expires}9`, query: '=x' };
    expect(isSignedLink(secret, later)).toBe(false);
    expect(isSignedLink(secret, { ...link, batchId: 'batch-', expires: `1${link.expires}` })).toBe(false);
  });

  it.each([
    ['another batch', { batchId: 'batch-2' }],
    ['a later end', { expires: '1900000001' }],
    ['other rows', { query: 'sort=calmar_ratio:desc' }],
    ['no signature', { signature: '' }],
    ['a signature of another length', { signature: 'AAAA' }],
    ['the signature of another batch', { signature: linkTo('batch-2').signature }],
  ])('opens nothing with %s', (_, change) => {
    expect(isSignedLink(secret, { ...linkTo('batch-1'), ...change })).toBe(false);
  });

  it('of another installation opens nothing', () => {
    expect(isSignedLink(randomBytes(32), linkTo('batch-1'))).toBe(false);
  });
});

describe('a link to an archive', () => {
  const fields = new URLSearchParams(signArchiveLink(secret, 'ann', 1_900_000_000));
  const link = Object.fromEntries(fields) as unknown as ArchiveLink;

  it('works as it was given', () => {
    expect(link).toMatchObject({ user: 'ann', expires: '1900000000' });
    expect(isSignedArchiveLink(secret, link)).toBe(true);
  });

  it.each([
    ['another person', { user: 'bob' }],
    ['a later end', { expires: '1900000001' }],
    ['no signature', { signature: '' }],
  ])('opens nothing with %s', (_, change) => {
    expect(isSignedArchiveLink(secret, { ...link, ...change })).toBe(false);
  });
});
