import { useQuery } from '@tanstack/react-query';
import { Copy, Link2, Pencil } from 'lucide-react';
import { useParams } from 'react-router';
import { messageOf, statusOf } from '../../lib/api.ts';
import { useCurrentUser } from '../../lib/auth/session.ts';
import { useTitle } from '../../lib/title.ts';
import { TickerChip, VisibilityBadge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Page, Panel } from '../../ui/Page.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCopied } from '../../ui/use-copied.ts';
import { NotAuthorizedView, NotFoundView } from '../../ui/views.tsx';
import { cloneList, listQuery } from './variable-list-api.ts';

/** One variable list, one's own or a public one. */
export default function ShowVariableListPage() {
  const { id = '' } = useParams();
  const user = useCurrentUser();
  const list = useQuery(listQuery(id));
  const [isCopied, copy] = useCopied();
  useTitle(list.data?.name ?? null);
  if (statusOf(list.error) === 403) return <NotAuthorizedView />;
  if (statusOf(list.error) === 404) return <NotFoundView />;
  // Any other failure keeps the spinner while it is tried again.
  if (!list.data) return <LoadingPane label="Loading variable list" />;
  const { name, is_public, variables, user_id } = list.data;
  const clone = async () => {
    // Opened at once, while the click still allows it; the address follows.
    const tab = window.open('about:blank', '_blank');
    try {
      const copyOfList = await cloneList(id);
      if (tab) tab.location.href = `/variable-lists/${copyOfList.id}`;
    } catch (error) {
      tab?.close();
      toast.error(messageOf(error));
    }
  };
  return (
    <Page
      title={name}
      description={<VisibilityBadge isPublic={is_public} />}
      actions={
        <>
          <Button onClick={() => void clone()}>
            <Copy size={15} aria-hidden /> Clone
          </Button>
          <Button onClick={() => void copy(window.location.href)}>
            <Link2 size={15} aria-hidden /> {isCopied ? 'Copied' : 'Copy link'}
          </Button>
          {user_id === user.id && (
            <ButtonLink to={`/variable-lists/${id}/edit`}>
              <Pencil size={15} aria-hidden /> Edit
            </ButtonLink>
          )}
        </>
      }
    >
      <Panel title="Variables">
        <ul className="flex flex-wrap gap-1">
          {variables.map((ticker) => (
            <li key={ticker}>
              <TickerChip ticker={ticker} />
            </li>
          ))}
        </ul>
      </Panel>
    </Page>
  );
}
