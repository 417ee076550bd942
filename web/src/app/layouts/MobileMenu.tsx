import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { NavLink } from 'react-router';
import { useCurrentUser, useSession } from '../../lib/auth/session.ts';
import { setTheme, type ThemeChoice, useTheme } from '../../lib/theme.ts';
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx';
import { FLOATING } from '../../ui/classes.ts';
import { SegmentedControl } from '../../ui/toolbar-inputs.tsx';
import { useNavigation } from './navigation.ts';

const LINK =
  'flex h-11 items-center rounded px-3 text-lg hover:bg-hover aria-[current=page]:bg-selected ' +
  'aria-[current=page]:font-medium';

/** The same links on a small screen, sliding in from the right. */
export default function MobileMenu({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const user = useCurrentUser();
  const { logout } = useSession();
  const { links, isAdmin } = useNavigation();
  const theme = useTheme();
  const close = () => onOpenChange(false);
  const all = [
    ...links,
    { to: '/portfolio', label: 'Portfolio' },
    { to: '/tomorrow', label: 'Tomorrow' },
    { to: '/account/general', label: 'Account' },
    ...(isAdmin ? [{ to: '/admin/dashboard', label: 'Admin' }] : []),
  ];
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40 transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          className={
            `${FLOATING} fixed inset-y-0 right-0 z-40 flex w-[min(20rem,88vw)] flex-col gap-1 ` +
            'rounded-none! p-3 data-ending-style:translate-x-4! data-starting-style:translate-x-4!'
          }
        >
          <div className="mb-1 flex items-center justify-between gap-2 pl-3">
            <Dialog.Title className="truncate text-sm font-normal text-muted">{user.email}</Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label="Close menu" />} />
          </div>
          <nav aria-label="Mobile" className="flex flex-col gap-0.5">
            {all.map((link) => (
              <NavLink key={link.to} to={link.to} onClick={close} className={LINK}>
                {link.label}
              </NavLink>
            ))}
          </nav>
          <ButtonLink to="/editor/new" variant="primary" size="lg" className="mt-2" onClick={close}>
            New Bot
          </ButtonLink>
          <div className="flex-1" />
          <SegmentedControl<ThemeChoice>
            label="Theme"
            value={theme}
            onChange={setTheme}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
          <Button size="lg" onClick={() => void logout()}>
            Log out
          </Button>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
