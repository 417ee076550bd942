import { Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../lib/auth/session.ts';
import { type Command, listenForShortcuts, useCommands } from '../lib/commands.ts';
import { setTheme } from '../lib/theme.ts';
import { Fetched, fetchedPart } from '../ui/fetched.tsx';
import { useNavigation } from './layouts/navigation.ts';

const commandMenu = fetchedPart(async () => (await import('./CommandMenu.tsx')).default);
const shortcutList = fetchedPart(async () => (await import('./ShortcutList.tsx')).default);
const OPEN = 'quantloom:open-command-menu';

/** Opens the command menu from anywhere. */
export function openCommandMenu(): void {
  window.dispatchEvent(new Event(OPEN));
}

/** The shell's own commands, the command menu and the list of shortcuts. Mounted by the authenticated layout. */
export function CommandCenter() {
  const navigate = useNavigate();
  const { logout } = useSession();
  const { hasBatches, isAdmin } = useNavigation();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [areShortcutsOpen, setShortcutsOpen] = useState<boolean | null>(null);
  const open = () =>
    commandMenu.whenFetched(() => {
      setWasOpened(true);
      setOpen(true);
    });
  const latest = useRef(open);
  latest.current = open;

  useEffect(() => listenForShortcuts(), []);
  useEffect(() => {
    const onOpen = () => latest.current();
    window.addEventListener(OPEN, onOpen);
    return () => window.removeEventListener(OPEN, onOpen);
  }, []);

  const go = (label: string, to: string, shortcut?: string): Command => ({
    id: `go${to}`,
    label,
    group: 'Go to',
    run: () => void navigate(to),
    ...(shortcut && { shortcut }),
  });
  useCommands([
    {
      id: 'menu',
      label: 'Search and commands',
      group: 'General',
      shortcut: 'Mod+K',
      isHidden: true,
      run: open,
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      group: 'General',
      shortcut: '?',
      run: () => shortcutList.whenFetched(() => setShortcutsOpen(true)),
    },
    {
      id: 'new-bot',
      label: 'New Bot',
      group: 'General',
      shortcut: 'C',
      run: () => void navigate('/editor/new'),
    },
    go('Drafts', '/drafts', 'G D'),
    go('Portfolio', '/portfolio', 'G P'),
    go('Tomorrow', '/tomorrow', 'G T'),
    ...(hasBatches
      ? [
          go('Variables', '/variable-lists', 'G V'),
          go('Batch Tests', '/batch-backtests', 'G B'),
          go('New Batch Backtest', '/batch-backtests/new'),
        ]
      : []),
    go('Account', '/account/general', 'G A'),
    go('API Clients', '/account/api-clients'),
    go('Billing', '/account/billing'),
    go('Account history', '/account/history'),
    ...(isAdmin
      ? [
          go('Admin dashboard', '/admin/dashboard'),
          go('Backtest errors', '/admin/backtests/errors'),
          go('Parked events', '/admin/parked-events'),
          go('Market data', '/admin/market-data'),
          go('Users', '/admin/users'),
          go('Audit of administrators', '/admin/acts'),
          go('Waitlist', '/admin/waitlist'),
        ]
      : []),
    { id: 'theme-system', label: 'System theme', group: 'Appearance', run: () => setTheme('system') },
    { id: 'theme-light', label: 'Light theme', group: 'Appearance', run: () => setTheme('light') },
    { id: 'theme-dark', label: 'Dark theme', group: 'Appearance', run: () => setTheme('dark') },
    { id: 'sign-out', label: 'Sign out', group: 'General', run: () => void logout() },
  ]);

  return (
    <Suspense>
      {wasOpened && <Fetched part={commandMenu} props={{ open: isOpen, onOpenChange: setOpen }} />}
      {areShortcutsOpen !== null && (
        <Fetched part={shortcutList} props={{ open: areShortcutsOpen, onOpenChange: setShortcutsOpen }} />
      )}
    </Suspense>
  );
}
