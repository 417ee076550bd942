import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { Menu as MenuIcon, Plus, Search, UserRound } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, NavLink } from 'react-router';
import { useCurrentUser, useSession } from '../../lib/auth/session.ts';
import { useProofAsked } from '../../lib/proof.ts';
import { ButtonLink, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { Fetched, fetchedPart, onFirstUse } from '../../ui/fetched.tsx';
import { Shortcut } from '../../ui/Kbd.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { SimulatedNotice } from '../../ui/SimulatedNotice.tsx';
import { CommandCenter, openCommandMenu } from '../CommandCenter.tsx';
import { OfflineNotice } from '../OfflineNotice.tsx';
import { RunningBatches } from '../RunningBatches.tsx';
import { themeEntries } from '../theme-entries.ts';
import { useNavigation } from './navigation.ts';

const mobileMenu = fetchedPart(async () => (await import('./MobileMenu.tsx')).default);
const expiredDialog = fetchedPart(async () => (await import('../ExpiredDialog.tsx')).default);
// A session is often lost together with the connection: what tells so must be there before.
onFirstUse(expiredDialog.fetch);

const ProofDialog = lazy(() => import('../ProofDialog.tsx'));

const LINK =
  'flex h-8 items-center rounded px-2.5 text-muted hover:bg-hover hover:text-ink ' +
  'aria-[current=page]:font-medium aria-[current=page]:text-ink';

/**
 * Top bar and page of everything behind sign-in. `isFullBleed`: the page fills the rest of the window and
 * scrolls by itself.
 */
export function AuthenticatedLayout({
  children,
  isFullBleed = false,
}: {
  children: ReactNode;
  isFullBleed?: boolean;
}) {
  const user = useCurrentUser();
  const { logout, isExpired } = useSession();
  const navigation = useNavigation();
  const isProofAsked = useProofAsked();
  const [isMenuOpen, setMenuOpen] = useState<boolean | null>(null);
  const [canTellExpiry, setCanTellExpiry] = useState(false);
  useEffect(() => {
    if (isExpired) expiredDialog.whenFetched(() => setCanTellExpiry(true));
  }, [isExpired]);
  return (
    <div className={cx('flex flex-col', isFullBleed ? 'h-dvh flex-none overflow-hidden' : 'flex-1')}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:left-2 focus:top-2 focus:z-50 focus:rounded focus:bg-raised focus:px-3 focus:py-1"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 flex h-(--topbar) shrink-0 items-center gap-1 border-b border-line bg-canvas px-3 sm:px-4">
        <Link
          to="/drafts"
          aria-label={`${PRODUCT_NAME} drafts`}
          className="mr-3 hidden items-center rounded sm:flex"
        >
          <Logo />
        </Link>
        <Link
          to="/drafts"
          aria-label={`${PRODUCT_NAME} drafts`}
          className="mr-2 flex items-center rounded sm:hidden"
        >
          <Logo isMarkOnly />
        </Link>
        <nav aria-label="Main" className="hidden items-center gap-0.5 md:flex">
          {navigation.links.map((link) => (
            <NavLink key={link.to} to={link.to} className={LINK}>
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className="flex-1" />
        <RunningBatches />
        <button
          type="button"
          onClick={() => openCommandMenu()}
          className="hidden h-8 items-center gap-2 rounded border border-line bg-surface pl-2.5 pr-1.5 text-muted hover:border-line-strong md:flex"
        >
          <Search size={14} aria-hidden />
          Search
          <Shortcut keys="Mod+K" />
        </button>
        <IconButton icon={Search} label="Search" className="md:hidden!" onClick={() => openCommandMenu()} />
        <ButtonLink to="/editor/new" variant="primary" icon={Plus} className="ml-1.5">
          New Bot
        </ButtonLink>
        <div className="ml-1 hidden md:block">
          <Menu
            label="User menu"
            align="end"
            trigger={<IconButton icon={UserRound} label="User menu" />}
            entries={[
              { heading: user.email },
              { label: 'Account', to: '/account/general' },
              { label: 'Portfolio', to: '/portfolio' },
              { label: 'Tomorrow', to: '/tomorrow' },
              ...(navigation.isAdmin ? [{ label: 'Admin', to: '/admin/dashboard' }] : []),
              'separator',
              ...themeEntries(),
              'separator',
              { label: 'Sign out', onSelect: () => void logout() },
            ]}
          />
        </div>
        <IconButton
          icon={MenuIcon}
          label="Open menu"
          className="md:hidden!"
          onClick={() => mobileMenu.whenFetched(() => setMenuOpen(true))}
        />
        <Suspense>
          {isMenuOpen !== null && (
            <Fetched part={mobileMenu} props={{ open: isMenuOpen, onOpenChange: setMenuOpen }} />
          )}
          {isExpired && canTellExpiry && <Fetched part={expiredDialog} props={{}} />}
          {isProofAsked && <ProofDialog />}
        </Suspense>
      </header>
      <OfflineNotice />
      <SimulatedNotice />
      <main
        id="main"
        tabIndex={-1}
        className={cx('flex flex-1 flex-col outline-none', isFullBleed && 'min-h-0')}
      >
        {children}
      </main>
      <CommandCenter />
    </div>
  );
}
