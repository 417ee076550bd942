// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { LinkTabs } from './LinkTabs.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** A list of 300 px with tabs of 200 px, scrolled by nothing. */
function tabsAt(current: string): HTMLElement {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const at = ['One', 'Two', 'Three'].indexOf(this.textContent ?? '');
    return at < 0 ? new DOMRect(0, 0, 300, 36) : new DOMRect(200 * at, 0, 200, 36);
  });
  render(
    <MemoryRouter>
      <LinkTabs
        label="Parts"
        current={current}
        tabs={['One', 'Two', 'Three'].map((label) => ({ to: `/${label}`, label }))}
      />
    </MemoryRouter>,
  );
  return screen.getByRole('navigation', { name: 'Parts' });
}

it('brings the chosen tab into sight where a phone has no room for all', () => {
  expect(tabsAt('/One').scrollLeft).toBe(0);
  cleanup();
  expect(tabsAt('/Three').scrollLeft).toBe(300);
});
