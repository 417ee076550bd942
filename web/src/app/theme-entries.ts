import { Monitor, Moon, Sun } from 'lucide-react';
import { setTheme } from '../lib/theme.ts';
import type { MenuEntry } from '../ui/menu-entries.ts';

/** Theme choices as menu entries. */
export function themeEntries(): readonly MenuEntry[] {
  return [
    { label: 'System theme', icon: Monitor, onSelect: () => setTheme('system') },
    { label: 'Light theme', icon: Sun, onSelect: () => setTheme('light') },
    { label: 'Dark theme', icon: Moon, onSelect: () => setTheme('dark') },
  ];
}
