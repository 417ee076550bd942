import { Page } from '../../ui/Page.tsx';
import StarterGallery from './StarterGallery.tsx';

/** The gallery, also for those who have strategies of their own. */
export default function StartersPage() {
  return (
    <Page
      title="Starter strategies"
      description="Complete and small. Each becomes a private draft of yours, to be changed freely."
    >
      <StarterGallery />
    </Page>
  );
}
