import { expect, it } from 'vitest';
import { letter } from './letter.ts';

const content = {
  to: 'a@b.ch',
  subject: 'Your link',
  paragraphs: ['One & two.', 'Three.'],
  closing: 'Not you? Ignore it.',
};

it('says the same as text and as HTML', () => {
  const { to, subject, text, html } = letter(content);
  expect({ to, subject, text }).toEqual({
    to: 'a@b.ch',
    subject: 'Your link',
    text: 'Your link\n\nOne & two.\n\nThree.\n\n--\n\nNot you? Ignore it.\n',
  });
  expect(html).toContain('<title>Your link</title>');
  expect(html).toContain('One &amp; two.</p>');
  expect(html).toContain('Not you? Ignore it.');
  expect(html).not.toContain('href');
});

it('has its button with the address in full, for programs that show none', () => {
  const url = 'https://example.com/?a=1&b=2';
  const { text, html } = letter({ ...content, button: { label: 'Sign in', url } });
  expect(text).toContain(`\n\nSign in:\n${url}\n\n--\n\n`);
  expect(html.split('href="https://example.com/?a=1&amp;b=2"')).toHaveLength(3);
  expect(html).toContain('>Sign in</a>');
});
