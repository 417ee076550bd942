import { describe, expect, it } from 'vitest';
import { isAppAddress, styleSheetsOf, withFirstPaint, withStylesInside } from './first-paint.ts';

const pages = {
  pages: {},
  patterns: ['/', '/drafts', '/editor/:id/*', '/batch-backtests/:id', '/batch-backtests/new'],
};

describe('addresses of the application', () => {
  it.each([
    ['/', true],
    ['/drafts', true],
    ['/drafts/', true],
    ['/editor/new', true],
    ['/editor/abc/indicator-history', true],
    ['/batch-backtests/abc', true],
    ['/editor', false],
    ['/drafts/abc', false],
    ['/batch-backtests/abc/more', false],
    ['/wp-login', false],
  ])('%s: %s', (pathname, expected) => {
    expect(isAppAddress(pages, pathname)).toBe(expected);
  });
});

describe('the first paint of a public page', () => {
  const index = `<title>Quantloom</title><meta
      name="description"
      content="old"
    /><meta property="og:description" content="old" /><div id="root"></div><noscript>Needs JavaScript</noscript>`;
  const page = {
    title: 'Pricing',
    description: 'What "all" costs & why',
    html: '<h1>$&</h1>{{supportEmail}}',
  };

  it('has the page, its title and its description', () => {
    const text = withFirstPaint(index, page, { supportEmail: 'help@q.example' });
    expect(text).toContain('<title>Pricing</title>');
    expect(text).not.toContain('content="old"');
    expect(text).toContain('content="What &#34;all&#34; costs &#38; why"');
    expect(text).toContain('<div id="root"><h1>$&</h1>help@q.example</div>');
    expect(text).not.toContain('noscript');
  });

  it('leaves other pages as they are, and lets no address of the operator become markup', () => {
    expect(withFirstPaint(index, undefined, { supportEmail: 'x' })).toBe(index);
    expect(withFirstPaint(index, page, { supportEmail: '<script>' })).not.toContain('<script>');
  });
});

describe('the style sheets of a public page', () => {
  const index =
    '<script type="module" crossorigin src="/assets/shell-a.js"></script><link rel="stylesheet" ' +
    'crossorigin href="/assets/shell-b.css"><link rel="icon" href="/favicon.svg" />';

  it('are in the page, so that it is painted after one answer, and its code waits', () => {
    expect(styleSheetsOf(index)).toEqual(['shell-b.css']);
    const text = withStylesInside(index, new Map([['shell-b.css', 'a{content:"$&"}']]));
    expect(text).toContain('<style>a{content:"$&"}</style><link rel="icon"');
    expect(text).not.toContain('stylesheet');
    expect(text).toContain('<script type="module" fetchpriority="low" crossorigin src="/assets/shell-a.js">');
  });

  it('stay linked where their text is not known', () => {
    expect(withStylesInside(index, new Map())).toContain('href="/assets/shell-b.css"');
  });
});
