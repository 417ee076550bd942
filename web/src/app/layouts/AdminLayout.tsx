import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useFeature } from '../../lib/auth/session.ts';
import { SidebarPage } from '../../ui/SidebarPage.tsx';
import { NotFoundView } from '../../ui/views.tsx';
import { AuthenticatedLayout } from './AuthenticatedLayout.tsx';

const LINKS = [
  { to: '/admin/dashboard', label: 'Dashboard' },
  { to: '/admin/backtests/errors', label: 'Backtest Errors' },
  { to: '/admin/parked-events', label: 'Parked Events' },
  { to: '/admin/market-data', label: 'Market Data' },
  { to: '/admin/users', label: 'Users' },
  { to: '/admin/acts', label: 'Audit' },
  { to: '/admin/waitlist', label: 'Waitlist' },
];

/** Sidebar and page of the operator's part. Anything but an admin on an `/admin` path sees a not-found page. */
export function AdminLayout({ children }: { children: ReactNode }) {
  const isAdmin = useFeature('web.admin.view');
  const { pathname } = useLocation();
  const isAllowed = isAdmin && pathname.startsWith('/admin');
  return (
    <AuthenticatedLayout>
      {isAllowed ? (
        <SidebarPage label="Admin" links={LINKS}>
          {children}
        </SidebarPage>
      ) : (
        <NotFoundView />
      )}
    </AuthenticatedLayout>
  );
}
