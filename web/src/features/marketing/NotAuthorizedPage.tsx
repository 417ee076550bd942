import { NotAuthorizedView } from '../../ui/views.tsx';
import { MarketingFrame } from './MarketingFrame.tsx';

/** The not-authorized view at its own address. */
export default function NotAuthorizedPage() {
  return (
    <MarketingFrame>
      <div className="flex flex-1 items-center justify-center">
        <NotAuthorizedView />
      </div>
    </MarketingFrame>
  );
}
