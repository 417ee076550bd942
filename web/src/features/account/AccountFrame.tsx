import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/Page.tsx';
import { SidebarPage } from '../../ui/SidebarPage.tsx';

const LINKS = [
  { to: '/account/general', label: 'Account' },
  { to: '/account/api-clients', label: 'API Clients' },
  { to: '/account/billing', label: 'Billing' },
  { to: '/account/history', label: 'History' },
];

/** Account settings: side navigation and one page of them. */
export function AccountFrame({
  title,
  description,
  children,
}: {
  title: string;
  description?: string;
  children: ReactNode;
}) {
  return (
    <SidebarPage label="Account settings" links={LINKS}>
      <div className="flex max-w-2xl flex-col gap-4">
        <PageHeader title={title} description={description} />
        {children}
      </div>
    </SidebarPage>
  );
}
