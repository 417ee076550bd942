// @vitest-environment happy-dom
import { conceptAddressOf } from '@quantloom/domain/contracts/metric-concepts';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Tooltip as Plain, placeAt, Term } from './Tooltip.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a tooltip', () => {
  it('appears after a moment of hovering, describes its trigger, and goes with Escape', async () => {
    // One that was there a moment ago makes the next one come at once, and other files have some.
    vi.resetModules();
    const { Tooltip, TooltipHost } = await import('./Tooltip.tsx');
    vi.useFakeTimers();
    render(
      <>
        <Tooltip content="Runs the strategy">
          <button type="button">Run</button>
        </Tooltip>
        <TooltipHost />
      </>,
    );
    const button = screen.getByRole('button', { name: 'Run' });
    fireEvent.pointerEnter(button, { pointerType: 'mouse' });
    expect(screen.queryByRole('tooltip')).toBeNull();
    act(() => void vi.advanceTimersByTime(400));
    const tooltip = screen.getByRole('tooltip');
    expect(tooltip.textContent).toBe('Runs the strategy');
    expect(button.getAttribute('aria-describedby')).toBe(tooltip.id);
    fireEvent.keyDown(window, { key: 'Escape' });
    expect(screen.queryByRole('tooltip')).toBeNull();
    expect(button.hasAttribute('aria-describedby')).toBe(false);
  });

  it('keeps the handlers of its trigger', () => {
    const onBlur = vi.fn();
    render(
      <Plain content="x">
        <button type="button" onBlur={onBlur}>
          Run
        </button>
      </Plain>,
    );
    fireEvent.blur(screen.getByRole('button'));
    expect(onBlur).toHaveBeenCalledOnce();
  });

  it('leads from a figure to its explanation in another tab, and says the definition with it', () => {
    render(
      <Term definition="Return per unit of swing." href={conceptAddressOf('out_sharpe_ratio')}>
        Sharpe Ratio
      </Term>,
    );
    const link = screen.getByRole('link', { name: 'Sharpe Ratio' });
    expect(link.getAttribute('href')).toBe('/docs/metrics#sharpe-ratio');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('aria-description')).toBe('Return per unit of swing.');
    expect(conceptAddressOf('$window')).toBeUndefined();
  });

  it('never leaves the window', () => {
    const size = fc.record({
      width: fc.integer({ min: 1, max: 280 }),
      height: fc.integer({ min: 1, max: 80 }),
    });
    const anchor = fc.record({
      left: fc.integer({ min: -50, max: 400 }),
      top: fc.integer({ min: -50, max: 800 }),
      width: fc.integer({ min: 0, max: 200 }),
      height: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(anchor, size, fc.constantFrom('top', 'bottom', 'left', 'right'), (from, box, side) => {
        const { left, top } = placeAt(from, box, side, { width: 360, height: 740 });
        expect(left).toBeGreaterThanOrEqual(8);
        expect(top).toBeGreaterThanOrEqual(8);
        expect(left + box.width).toBeLessThanOrEqual(352);
        expect(top + box.height).toBeLessThanOrEqual(732);
      }),
    );
  });
});
