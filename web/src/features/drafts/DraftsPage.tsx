import { Page } from '../../ui/Page.tsx';

/** The user's strategies. */
export default function DraftsPage() {
  return <Page title="Drafts">{null}</Page>;
}
