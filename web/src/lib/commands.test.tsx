// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Command, chordOf, listenForShortcuts, useCommands } from './commands.ts';

let stop: () => void;
beforeEach(() => {
  stop = listenForShortcuts();
});
afterEach(() => {
  stop();
  cleanup();
});

function Offers({ commands }: { commands: readonly Command[] }) {
  useCommands(commands);
  return <input aria-label="field" />;
}
const command = (id: string, shortcut: string, run: () => void): Command => ({
  id,
  label: id,
  group: 'Test',
  shortcut,
  run,
});
const press = (key: string, more: object = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, bubbles: true, ...more });

describe('shortcuts', () => {
  it('are written one way', () => {
    const keys = { metaKey: false, ctrlKey: false, altKey: false, shiftKey: false };
    expect(chordOf({ ...keys, key: 'k', ctrlKey: true })).toBe('Mod+K');
    expect(chordOf({ ...keys, key: 'Z', ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+Z');
    expect(chordOf({ ...keys, key: '?', shiftKey: true })).toBe('?');
    expect(chordOf({ ...keys, key: 'ArrowUp', altKey: true })).toBe('Alt+Up');
  });

  it('run, the later offer first, and stop when the offer ends', () => {
    const outer = vi.fn();
    const inner = vi.fn();
    render(<Offers commands={[command('outer', 'Mod+Enter', outer)]} />);
    const { unmount } = render(<Offers commands={[command('inner', 'Mod+Enter', inner)]} />);
    press('Enter', { ctrlKey: true });
    expect(inner).toHaveBeenCalledOnce();
    unmount();
    press('Enter', { ctrlKey: true });
    expect(outer).toHaveBeenCalledOnce();
  });

  it('follow what can be done now', () => {
    const run = vi.fn();
    const offer = (isDisabled: boolean) => (
      <Offers commands={[{ ...command('save', 'Mod+S', run), isDisabled }]} />
    );
    const { rerender } = render(offer(true));
    press('s', { ctrlKey: true });
    expect(run).not.toHaveBeenCalled();
    rerender(offer(false));
    press('s', { ctrlKey: true });
    expect(run).toHaveBeenCalledOnce();
    rerender(offer(true));
    press('s', { ctrlKey: true });
    expect(run).toHaveBeenCalledOnce();
  });

  it('may be sequences', () => {
    const run = vi.fn();
    render(<Offers commands={[command('drafts', 'G D', run)]} />);
    press('d');
    expect(run).not.toHaveBeenCalled();
    press('g');
    press('d');
    expect(run).toHaveBeenCalledOnce();
  });

  it('are sequences only where the second key follows within a moment', () => {
    const run = vi.fn();
    render(<Offers commands={[command('drafts', 'G D', run)]} />);
    const at = (key: string, timeStamp: number) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true });
      document.body.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: timeStamp }));
    };
    at('g', 10_000);
    at('d', 11_200);
    expect(run).not.toHaveBeenCalled();
    at('g', 20_000);
    at('d', 21_199);
    expect(run).toHaveBeenCalledOnce();
  });

  it('mean nothing while a word is put together, or behind a dialog', () => {
    const run = vi.fn();
    render(<Offers commands={[command('new', 'C', run), command('drafts', 'G D', run)]} />);
    press('c', { isComposing: true });
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    dialog.setAttribute('data-open', '');
    document.body.append(dialog);
    press('c');
    press('g');
    dialog.remove();
    // Nor is what was pressed there the beginning of a sequence.
    press('d');
    expect(run).not.toHaveBeenCalled();
    press('c');
    expect(run).toHaveBeenCalledOnce();
  });

  it('leave letters to fields, but not those with Mod', () => {
    const letter = vi.fn();
    const chord = vi.fn();
    const { getByLabelText } = render(
      <Offers commands={[command('new', 'C', letter), command('run', 'Mod+Enter', chord)]} />,
    );
    const field = getByLabelText('field');
    press('c', {}, field);
    press('Enter', { ctrlKey: true }, field);
    expect(letter).not.toHaveBeenCalled();
    expect(chord).toHaveBeenCalledOnce();
  });

  it('run the latest closure', () => {
    const seen: number[] = [];
    const offer = (n: number) => [command('same', 'X', () => seen.push(n))];
    const { rerender } = render(<Offers commands={offer(1)} />);
    rerender(<Offers commands={offer(2)} />);
    press('x');
    expect(seen).toEqual([2]);
  });
});
