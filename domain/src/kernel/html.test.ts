import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Html, html } from './html.ts';

/** What a browser makes of the few entities that are used. */
const shown = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('HTML', () => {
  it('shows any text as it is, and lets none of it be a tag, an attribute or an entity', () => {
    const text = fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", 'a', ';', 'amp', '\n') });
    fc.assert(
      fc.property(text, (value) => {
        const written = html`${value}`.text;
        expect(written.replaceAll(/&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[&<>"']/);
        expect(shown(written)).toBe(value);
      }),
    );
  });

  it('puts its values where they stand, HTML as it is and one piece after the other', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul class="${'"x"'}">${items}</ul>${new Html('<br>')} & ${3}`.text).toBe(
      '<ul class="&quot;x&quot;"><li>a</li><li>&lt;b&gt;</li></ul><br> & 3',
    );
  });

  it('shows a zero and an empty text, but nothing of what is not there', () => {
    expect(html`[${0}${''}${null}${false}${[]}]`.text).toBe('[0]');
    expect(html``.text).toBe('');
  });
});
